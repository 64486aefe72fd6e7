package transcript

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/shoe/card"
)

// The parts of a line. A key is given as it is written, with the comma before it:
// the first field, which says what the line is, is written with the brace. So a
// part is one or two copies, and lines are made as fast as memory can be filled.

// appendName writes a text that needs no escaping. Its key ends in the text's
// quotation mark.
func appendName(b []byte, key, s string) []byte {
	b = append(b, key...)
	b = append(b, s...)
	return append(b, '"')
}

func appendText(b []byte, key, s string) []byte {
	return appendQuoted(append(b, key...), s)
}

// appendOptional writes a text that is left out where it is empty.
func appendOptional(b []byte, key, s string) []byte {
	if s == "" {
		return b
	}
	return appendText(b, key, s)
}

func appendNumber(b []byte, key string, n int64) []byte {
	return appendInt(append(b, key...), n)
}

func appendInt(b []byte, n int64) []byte {
	switch {
	case 0 <= n && n < 10:
		return append(b, '0'+byte(n))
	case 10 <= n && n < 100:
		return append(b, '0'+byte(n/10), '0'+byte(n%10))
	}
	return strconv.AppendInt(b, n, 10)
}

// appendCount writes a number that is left out where it is 0.
func appendCount(b []byte, key string, n int64) []byte {
	if n == 0 {
		return b
	}
	return appendNumber(b, key, n)
}

// appendAmount writes an amount, null where nobody knows it.
func appendAmount(b []byte, key string, n int64, unknown bool) []byte {
	if unknown {
		return append(append(b, key...), "null"...)
	}
	return appendNumber(b, key, n)
}

func appendTruth(b []byte, key string, v bool) []byte {
	return strconv.AppendBool(append(b, key...), v)
}

// appendItem writes one name of a list.
func appendItem(b []byte, name string) []byte {
	if b[len(b)-1] != '[' {
		b = append(b, ',')
	}
	return appendName(b, `"`, name)
}

func appendCards(b []byte, key string, cards []card.Card) []byte {
	b = append(b, key...)
	b = append(b, '[')
	for _, c := range cards {
		b = appendItem(b, c.String())
	}
	return append(b, ']')
}

// appendQuoted writes a JSON string. Bytes that are no UTF-8 become U+FFFD: the
// parser lets none in.
func appendQuoted(dst []byte, s string) []byte {
	if !plain(s) {
		dst, _ = jsontext.AppendQuote(dst, s)
		return dst
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// plain says whether a text is ASCII that stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
