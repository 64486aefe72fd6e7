package display

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/display/words"
)

// Library is the languages that a table's displays can speak, and what its houses call
// otherwise. It does not change: With and Add make others.
type Library struct {
	// codes are in the order of a menu.
	codes     []string
	texts     map[string]*texts
	houses    Houses
	shufflers []string
	spoken    map[string]Language
}

// Houses are what houses call otherwise than the other houses of a language: texts by
// house, language code and key. A house without words of its own is not in it.
type Houses map[string]map[string]map[string]string

// BuiltIn returns the languages that come with Sabot, without the words of any house.
var BuiltIn = sync.OnceValue(func() *Library {
	all := map[string]*texts{words.English: english}
	for _, code := range words.Menu {
		if all[code] == nil {
			all[code] = builtIn(code, code, english)
		}
		all[code+words.Swiss] = builtIn(code, code+words.Swiss, all[code])
	}
	return newLibrary(words.Menu, all, nil, nil)
})

func newLibrary(codes []string, all map[string]*texts, houses Houses, shufflers []string) *Library {
	lib := &Library{codes: codes, texts: all, houses: houses, shufflers: shufflers, spoken: map[string]Language{}}
	for name, t := range all {
		here := &texts{
			code: t.code, says: t.says, self: t.self, under: t.under, library: lib, houses: map[string]*texts{},
		}
		for _, house := range shufflers {
			here.houses[house] = here.ofHouse(houses[house][t.code], true)
		}
		for house, speaks := range houses {
			if own := speaks[t.code]; len(own) > 0 && here.houses[house] == nil {
				here.houses[house] = here.ofHouse(own, false)
			}
		}
		lib.spoken[name] = Language{texts: here}
	}
	return lib
}

// ofHouse are the language's texts with those of a house over them, which may deal from a
// shuffler.
func (t *texts) ofHouse(own map[string]string, shuffler bool) *texts {
	says := sync.OnceValue(func() *said {
		s := &said{}
		if shuffler || own[words.House] != "" {
			s = t.reworded(own[words.House], shuffler)
		}
		for key, text := range own {
			s.add(key, text)
		}
		return s
	})
	self := func() map[string]string { return own }
	return &texts{code: t.code, says: says, self: self, under: t, library: t.library, houses: t.houses}
}

// With returns the library with the words of houses, some of which deal from a shuffler.
// Check has found them in order.
func (lib *Library) With(houses Houses, shufflers ...string) *Library {
	return newLibrary(lib.codes, lib.texts, houses, shufflers)
}

// Add returns the library with one more language, the last of the menu. Check has found
// its file in order.
func (lib *Library) Add(f words.File) *Library {
	code, all := f.Text(words.Code), maps.Clone(lib.texts)
	like := cmp.Or(f.Text(words.Like), words.English)
	add := func(name string, under *texts, more func(*said)) {
		s := saidIn(f, under)
		more(s)
		all[name] = &texts{code: code, says: func() *said { return s }, under: under}
	}
	add(code, all[like], func(*said) {})
	add(code+words.Swiss, all[like+words.Swiss], func(s *said) {
		for key, text := range all[words.English+words.Swiss].says()[everywhere] {
			if strings.HasPrefix(key, "number.") {
				s.add(key, text)
			}
		}
		s.add(words.Tag, f.Text(words.Tag)+words.Swiss)
	})
	return newLibrary(append(slices.Clone(lib.codes), code), all, lib.houses, lib.shufflers)
}

// Languages are those that a screen may choose from, in the order of a menu: as they
// are written in Switzerland, or elsewhere.
func (lib *Library) Languages(swiss bool) []Language {
	menu := make([]Language, len(lib.codes))
	for i, code := range lib.codes {
		if swiss {
			code += words.Swiss
		}
		menu[i] = lib.spoken[code]
	}
	return menu
}

// Speak returns the language of a configuration's name for it: a Code or, with -CH
// after it, as it is written in Switzerland.
func (lib *Library) Speak(name string) (Language, bool) {
	l, ok := lib.spoken[name]
	return l, ok
}

// Spoken are the names that Speak knows.
func (lib *Library) Spoken() []string {
	var names []string
	for _, code := range lib.codes {
		names = append(names, code, code+words.Swiss)
	}
	return names
}

// Speak returns a language of BuiltIn.
func Speak(name string) (Language, bool) { return BuiltIn().Speak(name) }

// Spoken are the names that Speak knows.
func Spoken() []string { return BuiltIn().Spoken() }
