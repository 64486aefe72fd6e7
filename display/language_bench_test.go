package display

import (
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

// BenchmarkRead is what it costs to speak a language first.
func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		builtIn("de", "de", english).says()
	}
}

// BenchmarkLibrary makes the languages ready, and reads none.
func BenchmarkLibrary(b *testing.B) {
	b.ReportAllocs()
	lib := BuiltIn()
	for b.Loop() {
		newLibrary(words.Menu, lib.texts, nil, nil)
	}
}

// BenchmarkSay says a text of a house that has another word.
func BenchmarkSay(b *testing.B) {
	b.ReportAllocs()
	l, _ := BuiltIn().With(Houses{"x": {"de": {"call.rest": "Stay"}}}).Speak("de-CH")
	l = l.In("x")
	for b.Loop() {
		l.Label(LabelCall, "card")
	}
}
