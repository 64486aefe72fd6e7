package topic

import (
	"embed"
	"fmt"
)

// The schemas follow the types in message.go and records.go, the vocabulary's outputs and the
// display's view; a test writes and compares them.
//
//go:embed schema/*.schema.json
var schemas embed.FS

// Schema returns the JSON Schema (draft 2020-12) of the kind's payload.
func (k Kind) Schema() ([]byte, error) {
	text, err := schemas.ReadFile("schema/" + string(k) + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema for %q: the kinds are %s", string(k), listed(Kinds()))
	}
	return text, nil
}
