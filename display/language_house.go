package display

import "maps"

// houseWords are what a house's own sheet calls otherwise than its language's other
// houses do, by house and language.
var houseWords = map[string]map[string]Language{
	"schaffhausen": {"de": {
		"call.rest":        "Stay",
		"done.rest":        "Stay",
		"done.auto-rest":   "Stay",
		"detail.bets":      "Dann «No more bets»",
		"past.closed-bets": "No more bets",
		"input.close":      "No more bets",
		"key.close":        "No more bets",
	}},
	"wiesbaden": {"de": {
		"outcome.stand-off": "Égalité",
	}},
	"st-moritz":    stMoritz,
	"st-moritz-65": stMoritz,
}

var stMoritz = map[string]Language{"it": {
	"outcome.stand-off": "Stand-off",
}}

// In returns the language with the words of a house, given by its profile's name. A
// house without words of its own speaks as its language's houses do.
func (l Language) In(house string) Language {
	words := HouseWords(house, l.Code())
	if words == nil {
		return l
	}
	here := maps.Clone(l)
	maps.Copy(here, words)
	return here
}

// HouseWords are the texts that a house has of its own in a language, given by its
// code; nil for none.
func HouseWords(house, code string) Language { return houseWords[house][code] }
