package transcript

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// scanner takes lines of one vocabulary apart.
type scanner struct {
	*vocabulary
	kept *texts
	dues *scanner // of what is due, where that is an object of its own
	// loose passes over fields that have no name here.
	loose bool
	// outside checks texts by the rules of their fields.
	outside bool

	reader bytes.Reader
	dec    *jsontext.Decoder
	values [mostFields]value
	// follows is which field followed each field when it came last, and last of all
	// which one came first.
	follows [mostFields + 1]field
	plain   bool // no text of the line has an escape in it
	listed  []string
	written []byte
}

// value is one field of the line being read.
type value struct {
	raw    []byte // as it stands in the line
	column int
}

// null says that a field's value is null.
func (s *scanner) null(f field) bool { return string(s.values[f].raw) == "null" }

// takeApart finds the fields of a line.
func (s *scanner) takeApart(line []byte) (given fields, err error) {
	if given, s.plain = s.scan(line); s.plain {
		return given, nil
	}
	return s.read(line)
}

// scan takes a line apart that is written as most programs write JSON: texts
// without escapes, whole numbers, and at most one space between the parts. What it
// takes is what read would find, only sooner. It returns false for all else, right
// or wrong: that is for read to judge.
func (s *scanner) scan(line []byte) (given fields, ok bool) {
	if len(line) == 0 || line[0] != '{' {
		return given, false
	}
	before := field(mostFields)
	for at := 1; ; at = pastSpace(line, at+1) {
		f, start, ok := s.scanName(line, at, before)
		if !ok || given.has(f) {
			return fields{}, false
		}
		before = f
		if at = scanValue(line, start); at < 0 || at >= len(line) {
			return fields{}, false
		}
		s.values[f] = value{raw: line[start:at], column: start + 1}
		given = given.with(f)
		if line[at] != ',' {
			return given, line[at] == '}' && at == len(line)-1
		}
	}
}

// scanName reads a field's name and the colon, and says where its value starts. It
// tries first the field that followed the one before in an earlier line.
func (s *scanner) scanName(line []byte, at int, before field) (f field, start int, ok bool) {
	f = s.follows[before]
	if end := at + len(s.keys[f]); end <= len(line) && string(line[at:end]) == s.keys[f] {
		return f, pastSpace(line, end), true
	}
	if at >= len(line) || line[at] != '"' {
		return 0, 0, false
	}
	end := scanText(line, at)
	if end < 0 || end >= len(line) || line[end] != ':' {
		return 0, 0, false
	}
	n, ok := s.find.find(line[at+1 : end-1])
	f = field(n)
	s.follows[before] = f
	return f, pastSpace(line, end+1), ok
}

func pastSpace(line []byte, at int) int {
	if at < len(line) && line[at] == ' ' {
		return at + 1
	}
	return at
}

// scanValue returns where the value ends that starts there, -1 if that is not plain
// to see.
func scanValue(line []byte, at int) int {
	if at >= len(line) {
		return -1
	}
	switch c := line[at]; {
	case c == '"':
		return scanText(line, at)
	case c == '-' || '0' <= c && c <= '9':
		return scanNumber(line, at)
	case c == 't':
		return scanWord(line, at, "true")
	case c == 'f':
		return scanWord(line, at, "false")
	case c == 'n':
		return scanWord(line, at, "null")
	case c == '[':
		return scanList(line, at)
	default:
		return -1
	}
}

// scanText returns the end of a text in quotation marks that has no escapes.
func scanText(line []byte, start int) int {
	var all byte
	for at := start + 1; at < len(line); at++ {
		c := line[at]
		if c == '"' {
			if all >= utf8.RuneSelf && !utf8.Valid(line[start+1:at]) {
				return -1
			}
			return at + 1
		}
		if c < ' ' || c == '\\' {
			return -1
		}
		all |= c
	}
	return -1
}

// scanNumber returns the end of a whole number.
func scanNumber(line []byte, at int) int {
	if line[at] == '-' {
		at++
	}
	start := at
	for at < len(line) && '0' <= line[at] && line[at] <= '9' {
		at++
	}
	if at == start || line[start] == '0' && at > start+1 {
		return -1
	}
	return at
}

func scanWord(line []byte, at int, word string) int {
	if end := at + len(word); end <= len(line) && string(line[at:end]) == word {
		return end
	}
	return -1
}

// scanList returns the end of a list of texts.
func scanList(line []byte, at int) int {
	if at++; at < len(line) && line[at] == ']' {
		return at + 1
	}
	for at < len(line) && line[at] == '"' {
		at = scanText(line, at)
		if at < 0 || at >= len(line) {
			return -1
		}
		if line[at] == ']' {
			return at + 1
		}
		if line[at] != ',' {
			return -1
		}
		at = pastSpace(line, at+1)
	}
	return -1
}
