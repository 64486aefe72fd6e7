package strictyaml

import "github.com/sabot-table/sabot/internal/diag"

// Fault is one thing that is wrong with a document.
type Fault = diag.Fault

// Faults are all the faults of a document, in the order of their lines.
type Faults = diag.List
