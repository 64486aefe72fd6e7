package topic

import (
	"maps"
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// dataSchema is the schema of an event's data: that of one output, or of a line that is none.
func dataSchema() map[string]any {
	all := []any{object(TypeUnreadable, "a line in the journal that is no output", map[string]any{
		"out": map[string]any{"const": TypeUnreadable}, "error": map[string]any{"type": "string"},
	}, "out", "error")}
	for i := range vocab.Outputs {
		if line := &vocab.Outputs[i]; line.Name != "" {
			all = append(all, lineSchema(line, "out"))
		}
	}
	return map[string]any{"type": "object", "oneOf": all}
}

func object(title, description string, properties map[string]any, required ...string) map[string]any {
	s := map[string]any{"type": "object", "properties": properties, "required": required}
	if title != "" {
		s["title"] = title
	}
	if description != "" {
		s["description"] = description
	}
	return s
}

// lineSchema is the schema of a kind of lines, of which a field has the name; "" if none has.
// Where lines have several forms, it is that of any of them.
func lineSchema[L any](line *vocab.Line[L], named string) map[string]any {
	var forms []any
	for form, title := range line.Forms {
		if title != "" {
			forms = append(forms, formSchema(line, named, title, form))
		}
	}
	if forms == nil {
		s := formSchema(line, named, line.Name, -1)
		s["description"] = line.Meaning
		return s
	}
	return map[string]any{"title": line.Name, "description": line.Meaning, "type": "object", "anyOf": forms}
}

// formSchema is the schema of one form of lines; -1 is the only one.
func formSchema[L any](line *vocab.Line[L], named, title string, form int) map[string]any {
	properties, required := map[string]any{}, []string{}
	if named != "" {
		properties[named], required = map[string]any{"const": line.Name}, append(required, named)
	}
	for _, f := range line.Fields {
		if form >= 0 && f.Only != 0 && f.Only>>form&1 == 0 {
			continue
		}
		value := valueSchema(f, form >= 0 && f.NullIn>>form&1 == 1)
		if names := namesIn(line, f, form); names != nil {
			value["enum"] = names
		}
		properties[f.Name] = value
		if f.Need != vocab.Optional {
			required = append(required, f.Name)
		}
	}
	return object(title, "", properties, required...)
}

// namesIn are the names that a field has in lines of a form, where the form depends on them; nil
// where it does not.
func namesIn[L any](line *vocab.Line[L], f *vocab.Field[L], form int) (names []string) {
	if form < 0 || f.Type != vocab.TypeNamed {
		return nil
	}
	for value, name := range f.Names {
		if name != "" && mayBe(line, f, int64(value), form) {
			names = append(names, name)
		}
	}
	return given(names)
}

// mayBe reports whether a line in which a field has a value may be of a form. Some forms depend,
// besides, on which fields are given, or null.
func mayBe[L any](line *vocab.Line[L], f *vocab.Field[L], value int64, form int) bool {
	flags := []func(*L) *bool{nil}
	for _, other := range line.Fields {
		flags = append(flags, other.Given, other.Null)
	}
	return slices.ContainsFunc(flags, func(flag func(*L) *bool) bool {
		var l L
		if line.Room != nil {
			line.Room(&l)
		}
		f.SetNumber(&l, value)
		if flag != nil {
			*flag(&l) = true
		}
		return line.Form(&l) == uint8(form)
	})
}

// wordPattern is a name that a house may have given: of a side bet, or of a line.
const wordPattern = "^[a-z0-9][a-z0-9-]*$"

// valueSchema is the schema of a field's value.
func valueSchema[L any](f *vocab.Field[L], null bool) map[string]any {
	s := map[string]any{"description": f.Meaning}
	if null {
		s["type"] = "null"
		return s
	}
	names := map[string]any{"type": "string", "enum": given(f.Names)}
	if f.Type == vocab.TypeCard || f.Type == vocab.TypeCards {
		names = cardSchema()
	}
	switch f.Type {
	case vocab.TypeText:
		s["type"] = "string"
	case vocab.TypeName:
		s["type"], s["minLength"] = "string", 1
	case vocab.TypeWord:
		s["type"], s["pattern"] = "string", wordPattern
	case vocab.TypeMoment:
		s["type"], s["format"] = "string", "date-time"
	case vocab.TypeCount:
		s["type"], s["minimum"] = "integer", 0
	case vocab.TypePositive:
		s["type"], s["minimum"] = "integer", 1
	case vocab.TypeApart:
		s["type"], s["minimum"] = "integer", -1
	case vocab.TypeAmount:
		s["type"] = "integer"
	case vocab.TypeNamed, vocab.TypeCard:
		maps.Copy(s, names)
	case vocab.TypeTruth:
		s["type"] = "boolean"
	case vocab.TypeRatio:
		s["type"], s["pattern"] = "string", "^[0-9]+:[0-9]+$"
	case vocab.TypeTexts:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
	case vocab.TypeChips:
		s["type"], s["items"] = "array", map[string]any{"type": "string", "pattern": "^[1-9][0-9]*x(0|[1-9][0-9]*)$"}
	case vocab.TypeCalls, vocab.TypeChoices, vocab.TypeCards:
		s["type"], s["items"] = "array", names
	case vocab.TypeDue:
		due := lineSchema(&vocab.Dues[0], "")
		s["type"], s["anyOf"] = "object", due["anyOf"]
	default:
		panic("no schema for the type of " + f.Name)
	}
	return s
}

// cardSchema is the schema of a card's name: its two characters, or what stands for them.
func cardSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^([A2-9TJQK][SHDC]|JOKER|\?\?|XX)$`}
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
