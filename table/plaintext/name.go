package plaintext

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// The longest name and the longest words that come from outside, in characters.
const (
	MostName  = 64
	MostWords = 240
)

// signs may stand in a name beside letters, digits, marks and single spaces.
const signs = "-'’.,&()/+_#@:·"

// WrongName says what is wrong with a name from outside: of a person, a shoe, whatever is
// printed in the middle of a line. It is "" for a good name, and says nothing of an empty one.
func WrongName(name string) string {
	before := ' '
	return wrongText(name, MostName, "write letters, digits, single spaces and "+signs, func(r rune) bool {
		double := r == ' ' && before == ' '
		before = r
		return !double && (r == ' ' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) ||
			has(signs, r))
	})
}

// WrongWords says what is wrong with words from outside that stand at the end of a line, such
// as a reason or a message: "" for good ones, and nothing of empty ones.
func WrongWords(text string) string {
	return wrongText(text, MostWords, "write what can be seen", func(rune) bool { return true })
}

func wrongText(text string, most int, hint string, may func(rune) bool) string {
	switch {
	case text == "":
		return ""
	case utf8.RuneCountInString(text) > most:
		return "it has more than " + strconv.Itoa(most) + " characters"
	case text != Trim(text):
		return "it begins or ends with a space"
	}
	marks := 0
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		marks = countMarks(marks, i == 0, r)
		if unseen(r, size, marks) || !may(r) {
			return "it has " + called(r, text[i:i+size]) + ", which is not allowed there: " + hint
		}
	}
	return ""
}

// called is what a character is called whose shape says nothing, or which may not be shown.
func called(r rune, raw string) string {
	switch {
	case len(raw) == 1 && r == utf8.RuneError:
		return "a byte that is no UTF-8, " + string(AppendEscape(nil, r, raw))
	case r == ' ':
		return "two spaces, one after the other"
	case Hidden(r), unicode.Is(unicode.M, r):
		return "the hidden character " + string(AppendEscape(nil, r, raw))
	}
	return "the character " + string(r)
}

func has(set string, r rune) bool {
	for _, one := range set {
		if one == r {
			return true
		}
	}
	return false
}
