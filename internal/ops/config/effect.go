package config

import "reflect"

// Effect is when a running table takes on a changed configuration.
type Effect int

// The effects of a change, the quickest first.
const (
	// None is a configuration that says the same.
	None Effect = iota
	// AtOnce takes effect at a reload, even in a round: which screens may enter.
	AtOnce
	// Between takes effect when the table begins anew, between two rounds.
	Between
)

// Effect returns when a table that runs with c takes on another configuration.
func (c Config) Effect(next Config) Effect {
	if reflect.DeepEqual(c, next) {
		return None
	}
	was, is := reflect.ValueOf(&c).Elem(), reflect.ValueOf(next)
	rows(was.Type(), "", nil, func(_ string, f reflect.StructField) {
		if f.Tag.Get("change") == "at-once" {
			was.FieldByIndex(f.Index).Set(is.FieldByIndex(f.Index))
		}
	})
	if next.Web.Guarded() && reflect.DeepEqual(c, next) {
		return AtOnce
	}
	return Between
}
