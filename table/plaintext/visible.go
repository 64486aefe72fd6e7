package plaintext

import (
	"unicode"
	"unicode/utf8"
)

// mostMarks is how many combining marks may follow a letter: more are drawn over the lines
// around it.
const mostMarks = 2

const blankBraille = '\u2800'

// Hidden says of a character that it is not seen for what it is: it steers a terminal, turns
// the direction of what stands beside it, is blank without being a space, or has no shape of
// its own that everybody knows.
func Hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == utf8.RuneError, unicode.Is(unicode.Zs, r):
		return false
	case !unicode.IsPrint(r), r == blankBraille:
		return true
	default:
		return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
	}
}

// Visible writes a text so that it shows nothing but itself, on one line: each hidden
// character as \u{202e}, those of ASCII as \x1b, each byte that is no UTF-8 as \xff, and a
// combining mark that has no letter, or one too many, as \u{301}. A text without any of these
// comes back as it is.
func Visible(s string) string {
	begin := 0
	for begin < len(s) && s[begin] >= ' ' && s[begin] < 0x7f {
		begin++
	}
	marks := 0
	for i, size := begin, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		if marks = countMarks(marks, i == 0, r); unseen(r, size, marks) {
			return string(AppendVisible(make([]byte, 0, len(s)+16), s))
		}
	}
	return s
}

// AppendVisible appends a text as Visible writes it.
func AppendVisible(b []byte, s string) []byte {
	marks := 0
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		if marks = countMarks(marks, i == 0, r); unseen(r, size, marks) {
			b = AppendEscape(b, r, s[i:i+size])
		} else {
			b = append(b, s[i:i+size]...)
		}
	}
	return b
}

// countMarks counts how many combining marks stand one after the other up to r. One at the
// beginning of a text, where there is nothing that it could belong to, is too many.
func countMarks(before int, first bool, r rune) int {
	switch {
	case r < 0x300 || !unicode.Is(unicode.M, r):
		return 0
	case first:
		return mostMarks + 1
	default:
		return before + 1
	}
}

func unseen(r rune, size, marks int) bool {
	return Hidden(r) || r == utf8.RuneError && size == 1 || marks > mostMarks
}

// AppendEscape writes a character as Visible does a hidden one. raw is how it stands in its
// text: a single byte for one that is no UTF-8.
func AppendEscape(b []byte, r rune, raw string) []byte {
	if len(raw) == 1 {
		return append(b, '\\', 'x', hex[raw[0]>>4], hex[raw[0]&15])
	}
	b = append(b, `\u{`...)
	shift := 0
	for r>>shift > 15 {
		shift += 4
	}
	for ; shift >= 0; shift -= 4 {
		b = append(b, hex[r>>shift&15])
	}
	return append(b, '}')
}

const hex = "0123456789abcdef"
