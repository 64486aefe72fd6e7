package display

import (
	"slices"
	"strings"
)

// The texts of a language about itself.
const (
	languageCode = "language.code"
	languageTag  = "language.tag"
	languageName = "language.name"
)

// Code is the language's name in a configuration: "de" for German wherever it is
// spoken.
func (l Language) Code() string { return l.text(languageCode) }

// Tag is the language's name for a browser, by BCP 47, as "de-CH".
func (l Language) Tag() string { return l.text(languageTag) }

// Name is what the language calls itself.
func (l Language) Name() string { return l.text(languageName) }

// Swiss says whether the language is written as in Switzerland.
func (l Language) Swiss() bool { return strings.HasSuffix(l.Tag(), swissTag) }

// everywhere are all languages in the order of a menu.
var everywhere = []Language{German, Italian, French, English, Chinese}

// inSwitzerland are the same as Swiss houses write them.
var inSwitzerland = swissOf(everywhere)

// Languages are those that a screen may choose from, in the order of a menu: as they
// are written in Switzerland, or elsewhere.
func Languages(swiss bool) []Language {
	if swiss {
		return slices.Clone(inSwitzerland)
	}
	return slices.Clone(everywhere)
}

// Speak returns the language of a configuration's name for it: a Code or, with -CH
// behind it, as it is written in Switzerland.
func Speak(name string) (Language, bool) {
	for _, swiss := range []bool{false, true} {
		for _, l := range Languages(swiss) {
			if name == l.spoken() {
				return l, true
			}
		}
	}
	return nil, false
}

// Spoken are the names that Speak knows.
func Spoken() []string {
	var names []string
	for i := range everywhere {
		names = append(names, everywhere[i].spoken(), inSwitzerland[i].spoken())
	}
	return names
}

func (l Language) spoken() string {
	if l.Swiss() {
		return l.Code() + swissTag
	}
	return l.Code()
}
