package web

import "github.com/sabot-table/sabot/display"

// say says a text, filled with what it speaks of.
func (r renderer) say(key string, args ...display.Arg) string {
	return r.language.Say(display.Message{Key: key, Args: args})
}

// with says a text with one value in it.
func (r renderer) with(key, name, value string) string {
	return r.say(key, display.Arg{Name: name, Text: value})
}

// word says one of the display's own words.
func (r renderer) word(name string) string { return r.language.Label(display.LabelWord, name) }
