package topic

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/plaintext"
)

const (
	// deepest is how deep a message's lists and objects lie in one another.
	deepest = 64
	// longestText is how many characters one of its texts has.
	longestText = 2048
	// mostMarks is how many combining marks follow a letter: more are drawn over other lines.
	mostMarks = 2
)

// Plainly is a message whose texts show nothing but themselves: tables pass on names that guests gave, and another's
// program may write anything. What a reader cannot see, or what steers a terminal or turns a line around, becomes
// U+FFFD, and texts that are too long are cut. It says what is nested deeper than any message of a table; anything else
// that is no JSON is for whoever decodes it. A message without any of this is returned as it is.
func Plainly(payload []byte) ([]byte, error) {
	var b []byte // the message with other texts, as far as it was copied
	depth, copied := 0, 0
	for at := 0; at < len(payload); at++ {
		switch payload[at] {
		case '{', '[':
			if depth++; depth > deepest {
				return nil, fmt.Errorf("a message has lists and objects more than %d deep", deepest)
			}
		case '}', ']':
			depth--
		case '"':
			var s shown
			for at++; at < len(payload) && payload[at] != '"'; {
				r, size := character(payload[at:])
				if !s.may(r) {
					b = append(b, payload[copied:at]...)
					if s.length < longestText {
						b = append(b, "\uFFFD"...)
					}
					copied = at + size
				}
				at += size
			}
		}
	}
	if copied == 0 {
		return payload, nil
	}
	return append(b, payload[copied:]...), nil
}

// shown says which characters of a text may be shown.
type shown struct{ length, marks int }

func (s *shown) may(r rune) bool {
	s.length++
	if r >= 0x300 && unicode.Is(unicode.M, r) {
		s.marks++
	} else {
		s.marks = 0
	}
	return s.length <= longestText && s.marks <= mostMarks && r >= 0 && !plaintext.Hidden(r)
}

// character is the first of a JSON text, escaped or not; -1 for what is none, such as a lone half of a pair.
func character(b []byte) (r rune, size int) {
	if b[0] != '\\' {
		r, size = utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			return -1, 1
		}
		return r, size
	}
	if len(b) < 2 {
		return -1, 1
	}
	switch b[1] {
	case 'n', 't', 'r', 'b', 'f':
		return -1, 2
	case 'u':
	default:
		return rune(b[1]), 2
	}
	r, ok := hexOf(b)
	switch {
	case !ok:
		return -1, 2
	case r < 0xd800 || r > 0xdfff:
		return r, 6
	}
	low, ok := hexOf(b[min(6, len(b)):])
	if r >= 0xdc00 || !ok || low < 0xdc00 || low > 0xdfff {
		return -1, 6
	}
	return 0x10000 + (r-0xd800)<<10 + (low - 0xdc00), 12
}

// hexOf reads \uXXXX.
func hexOf(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 + rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 + rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return r, true
}
