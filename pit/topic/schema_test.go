package topic

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
)

var update = flag.Bool("update", false, "write the schemas anew from the message types")

// messages are the types of the kinds' payloads.
var messages = map[Kind]any{
	KindStatus: Status{}, KindState: State{}, KindEvent: Event{}, KindHealth: Health{}, KindAlert: Alert{},
	KindRequest: Request{}, KindFetch: Fetch{}, KindRecords: Records{}, KindTotals: Totals{},
	KindCommand: Signed(""), KindAnswer: Answer{}, KindJackpot: Signed(""),
}

// TestSchemasFollowTheTypes compares the schema files with what the types of
// message.go say. With -update it writes them.
func TestSchemasFollowTheTypes(t *testing.T) {
	for _, kind := range Kinds() {
		message, ok := messages[kind]
		if !ok {
			t.Errorf("nothing says what a message of the kind %s is", kind)
			continue
		}
		want := schemaText(t, kind, reflect.TypeOf(message))
		if *update {
			if err := os.WriteFile(filepath.Join("schema", string(kind)+".schema.json"), want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := schemas.ReadFile("schema/" + string(kind) + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("the schema of %s does not follow its type: run go test ./pit/topic -update\n%s", kind, want)
		}
	}
}

func TestSchemaOfAnUnknownKind(t *testing.T) {
	if _, err := Kind("weather").Schema(); err == nil || !strings.Contains(err.Error(), "weather") {
		t.Errorf("got error %v", err)
	}
}

// schemaText is a schema's file.
func schemaText(t *testing.T, kind Kind, message reflect.Type) []byte {
	t.Helper()
	schema := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   Prefix + "/<site>/<table>/" + string(kind),
	}
	if message.Kind() == reflect.String {
		schema["type"], schema["pattern"] = "string", "^[0-9a-f]{128}\\nsabot-command/1 [a-z0-9_-]{1,32}\\n\\{"
		schema["description"] = "A signature, and what is signed: see pit/command/README.md."
		if kind == KindJackpot {
			schema["pattern"] = "^[0-9a-f]{128}\\nsabot-jackpot/1\\n\\{"
			schema["description"] = "A signature, and what is signed: see docs/jackpot.md."
		}
		return indented(t, schema)
	}
	for key, value := range objectSchema(t, message) {
		schema[key] = value
	}
	return indented(t, schema)
}

// indented writes a value as a file has it.
func indented(t *testing.T, value any) []byte {
	t.Helper()
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func objectSchema(t *testing.T, object reflect.Type) map[string]any {
	t.Helper()
	properties, required := map[string]any{}, []string{}
	for i := range object.NumField() {
		field := object.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := typeSchema(t, field)
		property["description"] = field.Tag.Get("doc")
		properties[name] = property
		if option != "omitempty" {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func typeSchema(t *testing.T, field reflect.StructField) map[string]any {
	t.Helper()
	switch field.Tag.Get("kind") {
	case "name":
		return map[string]any{"type": "string", "pattern": "^[a-z0-9_-]{1,32}$"}
	case "type":
		return map[string]any{"type": "string", "pattern": "^[a-z0-9-]+$"}
	case "id":
		return map[string]any{"type": "string", "pattern": "^[0-9a-f]{32}$"}
	case "id-or-none":
		return map[string]any{"type": "string", "pattern": "^([0-9a-f]{32})?$"}
	case "hash":
		return map[string]any{"type": "string", "pattern": "^[0-9a-f]{64}$"}
	case "frames":
		return map[string]any{
			"type":  "array",
			"items": map[string]any{"type": "array", "minItems": 2, "items": map[string]any{"type": "object"}},
		}
	case "data":
		return dataSchema()
	case "view":
		return viewSchema(t, reflect.TypeFor[display.View]())
	case "alert":
		return viewSchema(t, reflect.TypeFor[display.Alert]())
	case "object":
		return map[string]any{"type": "object"}
	case "positive":
		return map[string]any{"type": "integer", "minimum": 1}
	}
	if values := field.Tag.Get("enum"); values != "" {
		return map[string]any{"type": "string", "enum": strings.Split(values, ",")}
	}
	return plainSchema(t, field.Type)
}

func plainSchema(t *testing.T, of reflect.Type) map[string]any {
	t.Helper()
	switch {
	case of.Kind() == reflect.Pointer:
		return plainSchema(t, of.Elem())
	case of == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case of.Kind() == reflect.Struct:
		return objectSchema(t, of)
	case of.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": plainSchema(t, of.Elem())}
	case of.Kind() == reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": plainSchema(t, of.Elem())}
	case of.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case of.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case of.Kind() == reflect.Int64:
		return map[string]any{"type": "integer"}
	case of.Kind() == reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	}
	t.Fatalf("no schema for the type %s", of)
	return nil
}
