// Package deploy holds the files that a table is set up with.
//
// It has no code: files can only be embedded by a package in their folder.
package deploy

import _ "embed"

// Example is a configuration that explains every key.
//
//go:embed sabot.example.yaml
var Example []byte
