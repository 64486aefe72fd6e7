package beetek

import "bytes"

// textLimit is the longest mode or word. The longest known has 22 characters.
const textLimit = 64

// text is a piece of what the shoe writes.
type text struct {
	at  [textLimit]byte
	n   int
	bad bool // it was too long, or contains characters that do not occur in text
}

func (t *text) clear() { t.n, t.bad = 0, false }

func (t *text) add(b byte) {
	if b < ' ' || b > '~' {
		t.bad = true
	}
	if t.n == len(t.at) {
		t.bad = true
		return
	}
	t.at[t.n] = b
	t.n++
}

func (t *text) bytes() []byte { return t.at[:t.n] }

// trimmed returns the text without spaces around it.
func (t *text) trimmed() []byte { return bytes.Trim(t.bytes(), " ") }

// A pattern is text in capitals in which two characters are wildcards: any rank and any suit.
const (
	anyRank = '#'
	anySuit = '@'
)

// fits says whether a character matches the pattern's.
func fits(b, pattern byte) bool {
	switch b = capital(b); pattern {
	case anyRank:
		return rankOf(b) != 0
	case anySuit:
		return isSuit(b)
	default:
		return b == pattern
	}
}

func capital(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// is says whether a text matches the pattern, in capitals or not.
func is(b []byte, pattern string) bool {
	return len(b) == len(pattern) && commonPrefix(b, pattern) == len(b)
}

func hasPrefix(b []byte, pattern string) bool {
	return len(b) >= len(pattern) && is(b[:len(pattern)], pattern)
}

func contains(b []byte, pattern string) bool {
	for i := range b {
		if hasPrefix(b[i:], pattern) {
			return true
		}
	}
	return false
}

func commonPrefix(b []byte, pattern string) int {
	n := 0
	for n < len(b) && n < len(pattern) && fits(b[n], pattern[n]) {
		n++
	}
	return n
}

func commonSuffix(b []byte, pattern string) int {
	n := 0
	for n < len(b) && n < len(pattern) && fits(b[len(b)-1-n], pattern[len(pattern)-1-n]) {
		n++
	}
	return n
}

// turned says whether a text is the pattern with a few characters changed into others, as by bit errors.
func turned(b []byte, pattern string) bool {
	if len(b) != len(pattern) {
		return false
	}
	wrong := 0
	for i := range b {
		if !fits(b[i], pattern[i]) {
			wrong++
		}
	}
	return wrong <= min(3, len(pattern)/2)
}

// remains says whether a text may be what is left of one of the patterns, or of two, after characters were changed,
// lost, repeated or mixed with others: the beginning of one and the end of another with hardly anything between them,
// or most of a card.
func remains(b []byte, patterns []string) bool {
	head, tail := 0, 0
	for _, p := range patterns {
		if turned(b, p) {
			return true
		}
		head, tail = max(head, commonPrefix(b, p)), max(tail, commonSuffix(b, p))
	}
	const most = 5
	between := 0
	if len(b) >= most {
		between = 1
	}
	return head+tail+between >= len(b) || head+tail >= most
}
