package transcript

import "github.com/go-json-experiment/json/jsontext"

// appendItem writes one name of a list.
func appendItem(b []byte, name string) []byte {
	if b[len(b)-1] != '[' {
		b = append(b, ',')
	}
	b = append(append(b, '"'), name...)
	return append(b, '"')
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
