package terminal

import (
	"io"
	"unicode/utf16"

	"github.com/sabot-table/sabot/table/plaintext"
)

// JSONWriter returns a Writer of lines of JSON. What is hidden in a text of JSON becomes \u202e and
// the like: another spelling of the same value, so that a program that reads it gets what it
// would have got without. Bytes that are no UTF-8 become U+FFFD, as which JSON's readers take
// them. What is hidden outside of texts is no JSON, and is written as NewWriter does it.
func JSONWriter(to io.Writer) *Writer {
	var j spelling
	return &Writer{to: to, escape: j.spell}
}

// spelling knows whether the next character is in a text of JSON.
type spelling struct{ inText, escaped bool }

func (j *spelling) spell(b []byte, r rune, raw string) []byte {
	inText := j.inText
	switch {
	case r == '\n':
		*j = spelling{} // no text goes over the end of a line
		return append(b, '\n')
	case j.escaped:
		j.escaped = false
	case r == '"':
		j.inText = !inText
	case r == '\\':
		j.escaped = inText
	}
	switch {
	case !inText && (r == '\t' || r == '\r'):
		return append(b, ' ')
	case !hidden(r, raw):
		return append(b, raw...)
	case !inText:
		return plaintext.AppendEscape(b, r, raw)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		return unit(unit(b, high), low)
	}
	return unit(b, r)
}

func unit(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}
