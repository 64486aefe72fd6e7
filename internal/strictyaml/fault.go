package strictyaml

import "github.com/sabot-table/sabot/internal/faults"

// Fault is one thing that is wrong with a document.
type Fault = faults.Fault

// Faults are all the faults of a document, in the order of their lines.
type Faults = faults.List
