package topic

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
)

var update = flag.Bool("update", false, "write the schemas anew from the message types")

// TestSchemasFollowTheTypes compares the schema files with what the types of
// message.go say. With -update it writes them.
func TestSchemasFollowTheTypes(t *testing.T) {
	messages := map[Kind]any{KindStatus: Status{}, KindState: State{}, KindEvent: Event{}, KindHealth: Health{}, KindAlert: Alert{}, KindRequest: Request{}, KindFetch: Fetch{}, KindRecords: Records{}}
	for kind, message := range messages {
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

// TestSchemaOfEvents: what the engine answers fits the schema of exactly one output's data.
func TestSchemaOfEvents(t *testing.T) {
	text, err := KindEvent.Schema()
	if err != nil {
		t.Fatal(err)
	}
	type value struct {
		Const, Type any
		Enum        []any
		Items       *struct{ Enum []any }
	}
	var schema struct {
		Properties struct {
			Data struct {
				OneOf []struct {
					Title      string
					Properties map[string]value
					Required   []string
				}
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	fits := func(v value, is any) bool {
		kinds, several := v.Type.([]any)
		if !several {
			kinds = []any{v.Type}
		}
		switch is := is.(type) {
		case nil:
			return slices.Contains(kinds, any("null"))
		case float64:
			return slices.Contains(kinds, any("integer"))
		case bool:
			return v.Type == "boolean"
		case map[string]any:
			return v.Type == "object"
		case []any:
			return v.Type == "array" && !slices.ContainsFunc(is, func(one any) bool { return !slices.Contains(v.Items.Enum, one) })
		}
		return v.Const == is || v.Type == "string" && (v.Enum == nil || slices.Contains(v.Enum, is))
	}
	seen := map[string]bool{}
	var tab table.Table
	player := tabletest.Player{Dice: rand.New(rand.NewPCG(3, 3)), Boxes: 4, Freely: true}
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	for range 5000 {
		in := player.Next(&tab)
		for _, out := range tab.Step(&in) {
			line := transcript.AppendOutput(nil, &out)
			var data map[string]any
			if err := json.Unmarshal(line, &data); err != nil {
				t.Fatal(err)
			}
			fitting := 0
			for _, one := range schema.Properties.Data.OneOf {
				ok := !slices.ContainsFunc(one.Required, func(name string) bool { _, has := data[name]; return !has })
				for name, is := range data {
					v, known := one.Properties[name]
					ok = ok && known && fits(v, is)
				}
				if ok {
					fitting++
					seen[one.Title] = true
				}
			}
			if fitting != 1 {
				t.Fatalf("%s fits the schemas of %d outputs", line, fitting)
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %v were seen", seen)
	}
}

func TestSchemaOfAnUnknownKind(t *testing.T) {
	if _, err := Kind("weather").Schema(); err == nil || !strings.Contains(err.Error(), "weather") {
		t.Errorf("got error %v", err)
	}
}

func schemaText(t *testing.T, kind Kind, message reflect.Type) []byte {
	t.Helper()
	schema := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   Prefix + "/<site>/<table>/" + string(kind),
	}
	for key, value := range objectSchema(t, message) {
		schema[key] = value
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
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
		return map[string]any{"type": "array", "items": map[string]any{"type": "array", "minItems": 2, "items": map[string]any{"type": "object"}}}
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
