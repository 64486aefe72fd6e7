package topic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// asyncAPI is the document of all topics, from the rows of the kinds and from their schemas.
func asyncAPI(t *testing.T) map[string]any {
	t.Helper()
	channels, operations, messages := map[string]any{}, map[string]any{}, map[string]any{}
	for i := range kinds {
		row := &kinds[i]
		name := string(row.kind)
		address, parameters := Prefix+"/{site}/{table}/"+name, map[string]any{
			"site":  map[string]any{"description": "The house or hall: 1 to 32 characters of a-z, 0-9, _ and -."},
			"table": map[string]any{"description": "The table's name within its site: characters as in site."},
		}
		if row.below != "" {
			address += "/{" + row.below + "}"
			parameters[row.below] = map[string]any{"description": "Characters as in site."}
		}
		messages[name] = map[string]any{
			"name": name, "summary": row.about,
			"contentType": cmp.Or(row.content, "application/json"), "payload": payloadSchema(t, row.kind),
		}
		channels[name] = map[string]any{
			"address": address, "description": row.about, "parameters": parameters,
			"messages": map[string]any{name: map[string]any{"$ref": "#/components/messages/" + name}},
		}
		operation := map[string]any{
			"action": "send", "summary": row.about, "channel": map[string]any{"$ref": "#/channels/" + name},
			"messages": []any{map[string]any{"$ref": "#/channels/" + name + "/messages/" + name}},
			"bindings": map[string]any{"mqtt": map[string]any{"qos": 1, "retain": row.retained}},
		}
		if row.readers {
			operation["action"] = "receive"
			operation["bindings"] = map[string]any{"mqtt": map[string]any{"qos": 0}}
		}
		for j := range kinds {
			if answer := string(kinds[j].kind); kinds[j].answers == row.kind {
				operation["reply"] = map[string]any{"channel": map[string]any{"$ref": "#/channels/" + answer}}
			}
		}
		operations[name] = operation
	}
	return map[string]any{
		"asyncapi": "3.0.0",
		"info": map[string]any{
			"title": "Sabot: what leaves a table for the floor", "version": "1.0.0",
			"description": "The topics of a Black Jack table over MQTT 3.1.1, as the table sees them: it sends, and " +
				"receives what readers write. " +
				"Fields may be added: ignore those you do not know. pit/README.md says what is guaranteed.",
			"license": map[string]any{"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
		},
		"defaultContentType": "application/json",
		"servers": map[string]any{"broker": map[string]any{
			"host": "{host}", "protocol": "mqtt", "protocolVersion": "3.1.1",
			"description": "The house's broker, port 1883, or 8883 with TLS.",
			"variables":   map[string]any{"host": map[string]any{"description": "Host and port of the broker."}},
		}},
		"channels": channels, "operations": operations, "components": map[string]any{"messages": messages},
	}
}

// payloadSchema is a kind's schema as a part of a document.
func payloadSchema(t *testing.T, kind Kind) map[string]any {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal(schemaText(t, kind, reflect.TypeOf(messages[kind])), &schema); err != nil {
		t.Fatal(err)
	}
	delete(schema, "$schema") // the document's own kind of schema has all that is used here
	return schema
}

// TestAsyncAPI compares the document of all topics with the rows and the schemas, and checks it
// against the specification's own schema. With -update it writes it.
func TestAsyncAPI(t *testing.T) {
	const path = "schema/asyncapi.json"
	want := indented(t, asyncAPI(t))
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the topics are: run go test ./pit/topic -update", path)
	}
	specification := specificationOf(t)
	if err := validate(t, specification, got); err != nil {
		t.Errorf("%s is no AsyncAPI document: %v", path, err)
	}
	// The check bites.
	for _, change := range [][2]string{
		{`"action": "send"`, `"action": "say"`},
		{`"address"`, `"adress"`},
		{`"qos": 1`, `"qos": 3`},
		{`"asyncapi": "3.0.0"`, `"asyncapi": "2.6.0"`},
		{`"type": "boolean"`, `"type": "truth"`},
	} {
		if !strings.Contains(string(got), change[0]) ||
			validate(t, specification, []byte(strings.Replace(string(got), change[0], change[1], 1))) == nil {
			t.Errorf("a document with %s passes", change[1])
		}
	}
}

// specificationOf is the schema of AsyncAPI 3.0 documents, by the AsyncAPI initiative (package
// @asyncapi/specs, Apache License 2.0), compressed.
func specificationOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	packed, err := os.Open("testdata/asyncapi-3.0.0.schema.json.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	in, err := zstd.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return compiled(t, "asyncapi.json", text)
}

func compiled(t testing.TB, name string, text []byte) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, value); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(t testing.TB, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}
