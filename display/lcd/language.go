package lcd

import "github.com/sabot-table/sabot/display"

// Language is what a dealer reads, in the few characters that a row has.
type Language struct {
	roomy, tight display.Language
}

// Speaking returns what this display says in a language. A text without a form for this
// display is the same as elsewhere. Chinese cannot be written in the characters of these
// displays: a dealer reads English instead, with the same numbers.
func Speaking(l display.Language) *Language {
	roomy, tight := l.OnCharacters()
	return &Language{roomy, tight}
}

// in returns the language with the words of a house.
func (l *Language) in(house string) *Language {
	return &Language{l.roomy.In(house), l.tight.In(house)}
}
