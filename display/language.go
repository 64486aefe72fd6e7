package display

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/table/history"
)

// Language is how a display speaks: one language's texts by key, in the words of a house.
// A text may hold {names}, which a Message fills. A text that a language lacks is said as
// the language says it that it is like, and else in English. The zero Language is English.
type Language struct {
	texts *texts
	place place
	// currency is that of the recorded amounts that are told, "" for one of hundredths.
	currency string
}

// English is the measure of the other languages: it has every text.
var English Language

// texts are what one language file says, or one house; what it lacks, under says.
type texts struct {
	code string
	// says reads the file when the language is first spoken.
	says func() *said
	// self is what the language says of itself, known without reading the file; nil leaves that to says.
	self  func() map[string]string
	under *texts
	// houses are the texts over these, of those houses that have words of their own.
	houses map[string]*texts
	// library has the languages beside this one; nil is BuiltIn.
	library *Library
}

// said are texts by place and key.
type said [places]map[string]string

// place is where a text is said: a key lcd.KEY says KEY on the character display, and
// lcd.KEY.short does where that is too long.
type place uint8

const (
	everywhere place = iota
	onCharacters
	onCharactersShort
	places
)

const (
	charactersPrefix = "lcd."
	shortSuffix      = ".short"
)

// placed splits a file's key into a text's key and its place.
func placed(key string) (string, place) {
	rest, ok := strings.CutPrefix(key, charactersPrefix)
	if !ok {
		return key, everywhere
	}
	if short, ok := strings.CutSuffix(rest, shortSuffix); ok {
		return short, onCharactersShort
	}
	return rest, onCharacters
}

func (s *said) add(fileKey, text string) {
	key, at := placed(fileKey)
	s.putText(at, key, text)
}

func (s *said) putText(at place, key, text string) {
	if s[at] == nil {
		s[at] = map[string]string{}
	}
	s[at][key] = text
}

// saidIn is what a file says, which is like the language of under.
func saidIn(f words.File, under *texts) *said {
	s := &said{everywhere: make(map[string]string, len(f.Entries))}
	for _, e := range f.Entries {
		s.add(e.Key, e.Text)
	}
	if pairs := strings.Fields(s[everywhere][words.Spelling]); len(pairs) > 0 {
		s.respell(strings.NewReplacer(pairs...), under.says())
	}
	return s
}

// respell takes over the texts of another language, written otherwise.
func (s *said) respell(spelling *strings.Replacer, like *said) {
	for at, texts := range like {
		for key, text := range texts {
			if _, own := s[at][key]; own {
				continue
			}
			if there := spelling.Replace(text); there != text {
				s.putText(place(at), key, there)
			}
		}
	}
}

// reworded are the language's texts that read otherwise in a house: by its own pairs, and where a shuffler deals by the
// language's, too.
func (t *texts) reworded(house string, shuffler bool) *said {
	var s, seen said
	for layer := t; layer != nil; layer = layer.under {
		pairs := house
		if shuffler {
			pairs += " " + layer.first(words.Shuffler)
		}
		terms := terms(pairs)
		for at, texts := range layer.says() {
			for key, text := range texts {
				if _, above := seen[at][key]; above {
					continue
				}
				seen.putText(place(at), key, text)
				if there := terms.Replace(text); there != text {
					s.putText(place(at), key, there)
				}
			}
		}
	}
	return &s
}

// terms replaces each first of pairs by its second, the earlier pairs before the later ones, and leaves {names} as they
// are. In a term _ stands for a space.
func terms(pairs string) *strings.Replacer {
	var all, each []string
	for i, term := range strings.Fields(pairs) {
		term = strings.ReplaceAll(term, "_", " ")
		if each = append(each, term); i%2 == 0 {
			name := "{" + term + "}"
			all = append(all, name, name)
		}
	}
	return strings.NewReplacer(append(all, each...)...)
}

// first is the text of a key in the language, or in the first that it is like, "" for none.
func (t *texts) first(key string) string {
	for ; t != nil; t = t.under {
		if text, ok := t.says()[everywhere][key]; ok {
			return text
		}
	}
	return ""
}

// english is what all languages fall back to.
var english = builtIn(words.English, words.English, nil)

// builtIn are the texts of a file that comes with Sabot.
func builtIn(code, name string, under *texts) *texts {
	return &texts{
		code: code, under: under,
		says: sync.OnceValue(func() *said { return saidIn(words.BuiltIn(name), under) }),
		self: sync.OnceValue(func() map[string]string { return words.Self(name) }),
	}
}

// Lookup returns the text of a key as it is written, its {names} unfilled, and whether
// the language or one that it falls back to has it.
func (l Language) Lookup(key string) (text string, ok bool) {
	if text, ok = l.find(key); ok {
		return text, true
	}
	return nameOfBet(key)
}

// find is Lookup among what is written.
func (l Language) find(key string) (text string, ok bool) {
	top := l.top()
	if l.place != everywhere {
		for t := top; t != nil; t = t.under {
			for at := l.place; at > everywhere; at-- {
				if text, ok := t.says()[at][key]; ok {
					return text, true
				}
			}
		}
	}
	for t := top; t != nil; t = t.under {
		if text, ok := t.says()[everywhere][key]; ok {
			return text, true
		}
	}
	return "", false
}

func (l Language) top() *texts {
	if l.texts == nil {
		return english
	}
	return l.texts
}

// known says whether there is a text of that key.
func known(key string) bool {
	_, ok := English.Lookup(key)
	_, bets := OfBet(key)
	return ok || bets
}

// Capital begins a text with a capital letter.
func Capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return ""
	}
	return strings.ToUpper(string(first)) + s[n:]
}

// Code is the language's name in a configuration: "de" for German wherever it is
// spoken.
func (l Language) Code() string { return l.top().code }

// Tag is the language's name for a browser, by BCP 47, as "de-CH".
func (l Language) Tag() string { return l.ofItself(words.Tag) }

// Name is what the language calls itself.
func (l Language) Name() string { return l.ofItself(words.Name) }

// ofItself is a text that the language says of itself. A menu asks it of each language, of which few are ever spoken.
func (l Language) ofItself(key string) string {
	for t := l.top(); t != nil; t = t.under {
		self := t.self
		if self == nil {
			self = func() map[string]string { return t.says()[everywhere] }
		}
		if text, ok := self()[key]; ok {
			return text
		}
	}
	return ""
}

// Swiss says whether the language is written as in Switzerland.
func (l Language) Swiss() bool { return strings.HasSuffix(l.Tag(), words.Swiss) }

// In returns the language with the words of a house, given by its profile's name. A
// house without words of its own speaks as its language's houses do.
func (l Language) In(house string) Language {
	if own, ok := l.top().houses[house]; ok {
		l.texts = own
	}
	return l
}

// At returns the language as a table speaks it of its past: with the house's words, and its amounts in its currency.
func (l Language) At(t history.Table) Language {
	l = l.In(t.House)
	l.currency = t.Currency
	return l
}

// Menu returns the languages that a screen may choose from where this one is spoken,
// itself among them, in the order of a menu.
func (l Language) Menu() []Language {
	library := l.top().library
	if library == nil {
		library = BuiltIn()
	}
	return library.Languages(l.Swiss())
}

// OnCharacters returns what the character display says: the forms that are wanted in a
// row, and shorter ones for where those do not fit. A language without words for it
// leaves it to English, with the same numbers.
func (l Language) OnCharacters() (roomy, short Language) {
	if !l.hasCharacters() {
		menu := l.Menu()
		l = menu[slices.IndexFunc(menu, func(other Language) bool { return other.Code() == words.English })]
	}
	roomy, short = l, l
	roomy.place, short.place = onCharacters, onCharactersShort
	return roomy, short
}

// hasCharacters says whether the language, or one that it is like, has words for the
// character display. All are like English in the end.
func (l Language) hasCharacters() bool {
	for t := l.top(); t != nil; t = t.under {
		if len(t.says()[onCharacters]) > 0 {
			return t != english || l.Code() == words.English
		}
	}
	return false
}
