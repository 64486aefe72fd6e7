// Package plaintext has what the leaves of the round engine need of texts: the names of
// enumerations, and string functions, since package strings would make them import io and
// sync, and fmt the rest.
package plaintext

import (
	"unicode"
	"unicode/utf8"
)

// Cut cuts s around the first sep, as strings.Cut does.
func Cut(s string, sep byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == sep {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// CutSuffix removes a suffix from s, and reports whether it was there.
func CutSuffix(s, suffix string) (before string, found bool) {
	if at := len(s) - len(suffix); at >= 0 && s[at:] == suffix {
		return s[:at], true
	}
	return s, false
}

// Fields returns the words of s, separated by spaces.
func Fields(s string) []string {
	var words []string
	begin := -1
	for i, r := range s {
		switch space := unicode.IsSpace(r); {
		case space && begin >= 0:
			words = append(words, s[begin:i])
			begin = -1
		case !space && begin < 0:
			begin = i
		}
	}
	if begin >= 0 {
		words = append(words, s[begin:])
	}
	return words
}

// Trim removes the spaces at both ends of s.
func Trim(s string) string {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if !unicode.IsSpace(r) {
			break
		}
		s = s[size:]
	}
	for s != "" {
		r, size := utf8.DecodeLastRuneInString(s)
		if !unicode.IsSpace(r) {
			break
		}
		s = s[:len(s)-size]
	}
	return s
}

// Join writes the parts with sep between them.
func Join(parts []string, sep string) string {
	var joined []byte
	for i, part := range parts {
		if i > 0 {
			joined = append(joined, sep...)
		}
		joined = append(joined, part...)
	}
	return string(joined)
}

// Names writes the names of a list, separated by commas.
func Names[T interface{ String() string }](list []T) string {
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = one.String()
	}
	return Join(names, ", ")
}
