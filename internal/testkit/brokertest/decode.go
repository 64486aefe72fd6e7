package brokertest

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
)

// Decode reads a payload into one of the message types of package topic. A field
// that the type does not have, a required one that is missing, a wrong type or
// anything after the object fails the test.
func Decode[T any](t testing.TB, payload []byte) T {
	t.Helper()
	var message T
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&message); err != nil {
		t.Fatalf("the payload is no %T: %v\n%s", message, err, payload)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("something follows the payload's object: %s", payload)
	}
	requireFields(t, payload, reflect.TypeOf(message))
	return message
}

// requireFields looks for the fields that the schema requires.
func requireFields(t testing.TB, object []byte, of reflect.Type) {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(object, &fields); err != nil {
		t.Fatalf("%s is no object: %v", object, err)
	}
	for i := range of.NumField() {
		field := of.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, there := fields[name]
		switch {
		case !there && option != "omitempty":
			t.Fatalf("the field %q of %s is missing: %s", name, of, object)
		case there && string(value) == "null":
			t.Fatalf("the field %q of %s is null: %s", name, of, object)
		case there && field.Type.PkgPath() == of.PkgPath() && field.Type.Kind() == reflect.Struct:
			requireFields(t, value, field.Type)
		}
	}
}
