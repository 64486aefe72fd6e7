package lcd

import (
	"maps"

	"github.com/sabot-table/sabot/display"
)

// Language is what a dealer reads, in the few signs that a row has.
type Language struct {
	roomy, tight display.Language
}

// forms are a language's texts as they are wanted in a row, and shorter forms of those
// that do not always fit into one. A space that must not end a row is written as \u00a0.
type forms struct{ roomy, tight display.Language }

// spoken are the languages that this display can write, by their codes.
var spoken = map[string]forms{
	"de": {germanRoomy, germanTight},
	"it": {italianRoomy, italianTight},
	"fr": {frenchRoomy, frenchTight},
	"en": {englishRoomy, englishTight},
}

// houseWords are what a house calls otherwise, by house and language, as display has
// them.
var houseWords = map[string]map[string]display.Language{
	"schaffhausen": {"de": {
		"call.rest":   "STAY",
		"detail.bets": "DANN NO MORE BETS",
	}},
}

// English is what a Screen speaks that was given no language.
var English = Speaking(display.English)

// Speaking returns what this display says in a language. What has no form of its own
// is said as the language says it elsewhere. Chinese cannot be written in the signs of
// these displays: a dealer reads English instead, with the same numbers.
func Speaking(l display.Language) *Language {
	if _, ok := spoken[l.Code()]; !ok {
		l = instead(l)
	}
	own := spoken[l.Code()]
	s := &Language{roomy: maps.Clone(l)}
	maps.Copy(s.roomy, own.roomy)
	s.tight = maps.Clone(s.roomy)
	maps.Copy(s.tight, own.tight)
	return s
}

// instead is English as it is written where a language is.
func instead(l display.Language) display.Language {
	for _, other := range display.Languages(l.Swiss()) {
		if other.Code() == display.English.Code() {
			return other
		}
	}
	return display.English
}

// in returns the language with the words of a house.
func (l *Language) in(house string) *Language {
	words := houseWords[house][l.roomy.Code()]
	if words == nil {
		return l
	}
	here := &Language{roomy: maps.Clone(l.roomy), tight: maps.Clone(l.tight)}
	maps.Copy(here.roomy, words)
	maps.Copy(here.tight, words)
	return here
}
