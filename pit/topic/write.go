package topic

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// timeLayout is RFC 3339 with all nine digits, so that times sort as text.
const timeLayout = "2006-01-02T15:04:05.000000000Z07:00"

// key is a message's field as it is written, by the tags of its type.
type key struct {
	text     string // `"site":`
	optional bool   // left out where it is zero
}

// keysOf are the fields of a message's type.
func keysOf(of reflect.Type) []key {
	keys := make([]key, of.NumField())
	for i := range keys {
		name, option, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		keys[i] = key{strconv.Quote(name) + ":", option == "omitempty"}
	}
	return keys
}

// written are the fields of each type that is written.
var written = func() map[reflect.Type][]key {
	all := map[reflect.Type][]key{}
	for _, message := range []any{
		Status{},
		State{},
		Alert{},
		Event{},
		Health{},
		Opening{},
		Computer{},
		Shoe{},
		Confidence{},
		Journal{},
		Began{},
		Trouble{},
		Head{},
		Fault{},
		unreadable{},
		Fetch{},
		Records{},
		Former{},
		Gap{},
		SetUp{},
		Seal{},
		Answer{},
		Commands{},
		Totals{},
		Period{},
		Takings{},
	} {
		all[reflect.TypeOf(message)] = keysOf(reflect.TypeOf(message))
	}
	return all
}()

// appendMessage writes a message by the tags of its type. message points to it.
func appendMessage(b []byte, message any) []byte {
	return appendObject(b, reflect.ValueOf(message).Elem())
}

func appendObject(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	for i, k := range written[v.Type()] {
		f := v.Field(i)
		if k.optional && f.IsZero() {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = appendValue(append(b, k.text...), f)
	}
	return append(b, '}')
}

// appendValue writes a value. Bytes of a text that are no UTF-8 become U+FFFD: a message
// with a damaged word is better than none.
func appendValue(b []byte, f reflect.Value) []byte {
	switch v := f.Addr().Interface().(type) {
	case *string:
		b, _ = jsontext.AppendQuote(b, *v)
		return b
	case *uint64:
		return strconv.AppendUint(b, *v, 10)
	case *bool:
		return strconv.AppendBool(b, *v)
	case *time.Time:
		return append(v.UTC().AppendFormat(append(b, '"'), timeLayout), '"')
	case *json.RawMessage:
		return append(b, *v...) // is JSON already
	case *map[string]uint64:
		b = append(b, '{')
		for i, name := range slices.Sorted(maps.Keys(*v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, name)
			b = strconv.AppendUint(append(b, ':'), (*v)[name], 10)
		}
		return append(b, '}')
	case *map[string]string:
		b = append(b, '{')
		for i, name := range slices.Sorted(maps.Keys(*v)) {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, name)
			b, _ = jsontext.AppendQuote(append(b, ':'), (*v)[name])
		}
		return append(b, '}')
	case *int64:
		return strconv.AppendInt(b, *v, 10)
	}
	if f.Kind() == reflect.Slice {
		b = append(b, '[')
		for i := range f.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, f.Index(i))
		}
		return append(b, ']')
	}
	if f.Kind() == reflect.Pointer {
		return appendValue(b, f.Elem())
	}
	return appendObject(b, f)
}
