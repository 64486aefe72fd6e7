package web

import "github.com/sabot-table/sabot/display"

// say says a text, filled with what it speaks of, by names.
func (r renderer) say(key string, pairs ...string) string { return r.language.With(key, pairs...) }

// word says one of the display's own words.
func (r renderer) word(name string) string { return r.language.Label(display.LabelWord, name) }
