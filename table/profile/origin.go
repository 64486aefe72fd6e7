package profile

import (
	"encoding"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Origin says where a value of a profile comes from.
type Origin struct {
	// House is the house whose file has the value: the extended house, if only its file
	// has it.
	House string
	// Text is the comment on the value there: the place on the house's sheet, or that it
	// was decided. It is empty if there is no comment.
	Text string
}

// Origin returns where the value with a path comes from, such as table.min or
// side_bets[0].pays[1].pays.
func (h *House) Origin(path string) Origin {
	if h.origins == nil { // no file: there is nothing that it could say
		return Origin{}
	}
	return h.origins()[path]
}

// originsIn finds where the values of a house come from: doc, or base if doc does not have
// the value.
func (h *House) originsIn(doc *strictyaml.Document, base *House) map[string]Origin {
	found := make(map[string]Origin)
	for path := range h.Values() {
		if doc.Has(path) {
			found[path] = Origin{House: h.House, Text: doc.Comment(path)}
		} else {
			found[path] = base.Origin(path)
		}
	}
	return found
}

// Values yields the path of each value of the profile that its game has, in order, and the
// value as a profile writes it. A list of numbers is one value, and so is an empty list.
func (h *House) Values() iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		eachValue(h.Rules, reflect.ValueOf(h.Profile), "", yield)
	}
}

// eachValue yields the values in v, and reports whether to continue.
func eachValue(r *rules.Rules, v reflect.Value, path string, yield func(path, text string) bool) bool {
	if v.Kind() == reflect.Pointer {
		return v.IsNil() || eachValue(r, v.Elem(), path, yield)
	}
	if text, single := textOf(v, r.Digits()); single {
		return yield(path, text)
	}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if !eachValue(r, v.Index(i), fmt.Sprintf("%s[%d]", path, i), yield) {
				return false
			}
		}
		return true
	}
	for i := range v.NumField() {
		key := keyOf(v.Type().Field(i))
		if key == "extends" || key == "words" || key == "-" {
			continue // an extended house's values are among the others, and words are not values of the rules
		}
		if game, _, only := gameOf(v.Type().Field(i)); only && game != r.Game || leftOut(v.Field(i)) {
			continue
		}
		if !eachValue(r, v.Field(i), strings.TrimPrefix(path+"."+key, "."), yield) {
			return false
		}
	}
	return true
}

// leftOut reports whether v is a list or a name that the profile does not have, and need not.
func leftOut(v reflect.Value) bool {
	switch v.Type() {
	case reflect.TypeFor[rules.Colour](), reflect.TypeFor[rules.Viewer](), reflect.TypeFor[sidebet.Places](),
		reflect.TypeFor[sidebet.When]():
		return v.IsZero()
	}
	return v.Kind() == reflect.Slice && v.IsNil() || v.Kind() == reflect.String && v.Len() == 0
}

// textOf writes a single value, an amount with so many decimals, and reports whether v is one.
func textOf(v reflect.Value, digits int) (string, bool) {
	if amount, is := v.Interface().(interface{ Text(digits int) string }); is {
		return amount.Text(digits), true
	}
	if m, ok := v.Interface().(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		if err != nil {
			panic(err) // a profile's values always have a text
		}
		return string(text), true
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), true
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Slice:
		return listText(v)
	}
	return "", false
}

// listText writes a list of numbers, or an empty list.
func listText(v reflect.Value) (string, bool) {
	if v.Len() > 0 && v.Type().Elem().Kind() != reflect.Int {
		return "", false
	}
	numbers := make([]string, v.Len())
	for i := range numbers {
		numbers[i] = strconv.FormatInt(v.Index(i).Int(), 10)
	}
	return "[" + strings.Join(numbers, ", ") + "]", true
}
