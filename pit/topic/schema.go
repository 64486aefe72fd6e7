package topic

import (
	"embed"
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/table/vocab"
)

// The schemas follow the types in message.go; a test writes and compares them.
//
//go:embed schema/*.schema.json
var schemas embed.FS

// Schema returns the JSON Schema (draft 2020-12) of the kind's payload. An event's has one
// for the data of each output, made of the vocabulary.
func (k Kind) Schema() ([]byte, error) {
	text, err := schemas.ReadFile("schema/" + string(k) + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("there is no schema for %q: the kinds are %s", string(k), listed(Kinds()))
	}
	if k != KindEvent {
		return text, nil
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, err // of a file in this program
	}
	data := schema["properties"].(map[string]any)["data"].(map[string]any)
	data["oneOf"] = outputSchemas()
	return json.MarshalIndent(schema, "", "  ")
}

// outputSchemas are those of every output, and of a line that is none. Fields may be added
// to an output later, so that others are allowed.
func outputSchemas() []any {
	all := []any{map[string]any{
		"title":      TypeUnreadable,
		"properties": map[string]any{"out": map[string]any{"const": TypeUnreadable}, "error": map[string]any{"type": "string"}},
		"required":   []string{"out", "error"},
	}}
	for _, line := range vocab.Outputs {
		if line.Name == "" {
			continue
		}
		properties := map[string]any{"out": map[string]any{"const": line.Name}}
		required := []string{"out"}
		for i := range line.Fields {
			f := &line.Fields[i]
			properties[f.Name] = valueSchema(f)
			if f.Need == vocab.Required && f.Only == 0 {
				required = append(required, f.Name)
			}
		}
		all = append(all, map[string]any{"title": line.Name, "description": line.Meaning, "properties": properties, "required": required})
	}
	return all
}

// valueSchema is the schema of a field's value.
func valueSchema[L any](f *vocab.Field[L]) map[string]any {
	s := map[string]any{"description": f.Meaning}
	switch f.Type {
	case vocab.TypeCount:
		s["type"], s["minimum"] = "integer", 0
	case vocab.TypeAmount:
		s["type"] = "integer"
	case vocab.TypeTruth:
		s["type"] = "boolean"
	case vocab.TypeNamed, vocab.TypeCard:
		s["type"], s["enum"] = "string", given(f.Names)
	case vocab.TypeCards, vocab.TypeCalls, vocab.TypeChoices:
		s["type"], s["items"] = "array", map[string]any{"type": "string", "enum": given(f.Names)}
	case vocab.TypeDue:
		s["type"] = "object"
	default:
		s["type"] = "string"
	}
	if f.NullIn != 0 {
		s["type"] = []string{"integer", "null"}
	}
	return s
}

// given leaves out what has no name, and what has one already.
func given(names []string) (list []string) {
	seen := map[string]bool{"": true}
	for _, name := range names {
		if !seen[name] {
			seen[name], list = true, append(list, name)
		}
	}
	return list
}
