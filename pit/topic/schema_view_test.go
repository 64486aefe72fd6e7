package topic

import (
	"encoding"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// ownScreens are the fields of a view that are on the table's own screens alone.
var ownScreens = []string{"supervisor", "dealers"}

// viewSchema is the schema of a type of the view, as encoding/json writes it. Its descriptions
// are the comments of the view's source.
func viewSchema(t *testing.T, of reflect.Type) map[string]any {
	t.Helper()
	comments := commentsOf(t, "../../display/view.go")
	properties, required := map[string]any{}, []string{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || of == reflect.TypeFor[display.View]() && slices.Contains(ownScreens, name) {
			continue
		}
		may := option == "omitempty" || option == "omitzero"
		property := viewValue(t, field.Type, !may)
		if comment := comments[of.Name()+"."+field.Name]; comment != "" {
			property["description"] = comment
		}
		properties[name] = property
		if !may {
			required = append(required, name)
		}
	}
	return object("", comments[of.Name()], properties, required...)
}

// viewValue is the schema of a value. One that is always there may be empty.
func viewValue(t *testing.T, of reflect.Type, always bool) map[string]any {
	t.Helper()
	if of == reflect.TypeFor[card.Card]() {
		return cardSchema() // a view leaves out what is no card
	}
	if names := namesOf(of); names != nil {
		if always {
			names = append([]string{""}, names...)
		}
		return map[string]any{"type": "string", "enum": names}
	}
	switch of.Kind() {
	case reflect.Pointer:
		return viewValue(t, of.Elem(), always)
	case reflect.Struct:
		return viewSchema(t, of)
	case reflect.Slice:
		s := map[string]any{"type": "array", "items": viewValue(t, of.Elem(), false)}
		if always {
			s["type"] = []string{"array", "null"}
		}
		return s
	case reflect.Map:
		s := map[string]any{"type": "object", "additionalProperties": viewValue(t, of.Elem(), false)}
		if names := namesOf(of.Key()); names != nil {
			s["propertyNames"] = map[string]any{"enum": names}
		}
		return s
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	}
	t.Fatalf("no schema for the type %s", of)
	return nil
}

// namesOf are the names of an enumeration's members; nil for another type.
func namesOf(of reflect.Type) (names []string) {
	if of == reflect.TypeFor[display.Press]() {
		for kind := range vocab.EveryInput {
			names = append(names, kind.String())
		}
		return given(append(names, namesOf(reflect.TypeFor[vocab.Call]())...))
	}
	if of.Kind() != reflect.Uint8 || !of.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return nil
	}
	for n := range 256 {
		value := reflect.New(of).Elem()
		value.SetUint(uint64(n))
		name, err := value.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil || strings.HasPrefix(string(name), "unnamed ") {
			continue
		}
		names = append(names, string(name))
	}
	return given(names)
}

// commentsOf are the comments of a file's types, and of their fields as Type.Field.
func commentsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, decl := range file.Decls {
		types, ok := decl.(*ast.GenDecl)
		if !ok || types.Tok != token.TYPE {
			continue
		}
		spec := types.Specs[0].(*ast.TypeSpec)
		said[spec.Name.Name] = sentence(types.Doc)
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, field := range fields.Fields.List {
			for _, name := range field.Names {
				said[spec.Name.Name+"."+name.Name] = sentence(field.Doc)
			}
		}
	}
	return said
}

func sentence(comment *ast.CommentGroup) string {
	return strings.Join(strings.Fields(comment.Text()), " ")
}

// TestCardSchema: the pattern is that of every card, and of nothing else.
func TestCardSchema(t *testing.T) {
	pattern := regexp.MustCompile(cardSchema()["pattern"].(string))
	for n := range 256 {
		c := card.Card(n)
		_, err := card.Parse(c.String())
		if is := err == nil; is != pattern.MatchString(c.String()) {
			t.Errorf("%q is a card: %t; the pattern does not say so", c.String(), is)
		}
	}
}
