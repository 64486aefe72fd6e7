// Package deploy holds the files that a table is set up with.
package deploy

import _ "embed"

// Example is a configuration that explains every key.
//
//go:embed sabot.example.yaml
var Example []byte
