package brokertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sabot-table/sabot/pit/topic"
)

// ValidSchema checks a message against the schema of its topic, in which no field is allowed that the
// schema does not name. An empty message takes a retained one off, and is valid there.
func ValidSchema(name string, payload []byte) error {
	_, kind, err := topic.Parse(name)
	if err != nil {
		return err
	}
	if len(payload) == 0 && kind == topic.KindAlert {
		return nil
	}
	schema, err := compiled(kind)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, payload)
	}
	return nil
}

var known sync.Map // schemas by kind

// compiled is a kind's strict schema.
func compiled(kind topic.Kind) (*jsonschema.Schema, error) {
	if schema, ok := known.Load(kind); ok {
		return schema.(*jsonschema.Schema), nil
	}
	text, err := kind.Schema()
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(string(kind), strict(value)); err != nil {
		return nil, err
	}
	schema, err := compiler.Compile(string(kind))
	if err == nil {
		known.Store(kind, schema)
	}
	return schema, err
}

// strict closes every object of a schema.
func strict(value any) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = strict(v[i])
		}
	case map[string]any:
		_, named := v["properties"].(map[string]any)
		_, open := v["additionalProperties"]
		for key := range v {
			v[key] = strict(v[key])
		}
		if named && !open && v["type"] == "object" {
			v["additionalProperties"] = false
		}
	}
	return value
}
