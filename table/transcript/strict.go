package transcript

import (
	"bytes"
	"errors"

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

	reader  bytes.Reader
	dec     *jsontext.Decoder
	values  [mostFields]value
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

// blank is what may stand between the parts of a JSON text.
const blank = " \t\r\n"

// decode begins to read a JSON text.
func (s *scanner) decode(text []byte) {
	if s.dec == nil {
		s.dec = jsontext.NewDecoder(&s.reader)
	}
	s.reader.Reset(text)
	s.dec.Reset(&s.reader)
}

// takeApart finds the fields of a line.
func (s *scanner) takeApart(line []byte) (fields, error) {
	s.decode(line)
	token, err := s.dec.ReadToken()
	if err != nil {
		return fields{}, syntax(err, line)
	}
	if token.Kind() != '{' {
		return fields{}, wrongAt(1, "the line is no JSON object")
	}
	var given fields
	for s.dec.PeekKind() != '}' {
		f, known, err := s.readField(line)
		switch {
		case err != nil:
			return fields{}, err
		case known:
			given = given.with(f)
		}
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return fields{}, syntax(err, line)
	}
	if rest := bytes.TrimLeft(line[s.dec.InputOffset():], blank); len(rest) > 0 {
		return fields{}, wrongAt(len(line)-len(rest)+1, "something follows the object: write one object a line")
	}
	return given, nil
}

func (s *scanner) readField(line []byte) (f field, known bool, err error) {
	name, err := s.dec.ReadValue()
	if err != nil {
		return 0, false, syntax(err, line)
	}
	end := int(s.dec.InputOffset())
	n, known := s.find.find(key(name))
	if !known && !s.loose {
		return 0, false, wrongAt(end-len(name)+1, "%s is no field of a transcript", clip(string(name)))
	}
	raw, err := s.dec.ReadValue()
	if err != nil {
		return 0, false, syntax(err, line)
	}
	end = int(s.dec.InputOffset())
	start := end - len(raw) // the decoder's own copy does not last
	if known {
		s.values[n] = value{raw: line[start:end], column: start + 1}
	}
	return field(n), known, nil
}

// key takes a field's name out of its quotation marks.
func key(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	name, _ := jsontext.AppendUnquote(nil, raw) // the decoder has found it sound
	return name
}

func syntax(err error, line []byte) error {
	column := len(line) + 1
	var e *jsontext.SyntacticError
	if errors.As(err, &e) {
		column = int(e.ByteOffset) + 1
		if errors.Is(e.Err, jsontext.ErrDuplicateName) {
			return wrongAt(column, "the field %q stands in the line twice", e.JSONPointer.LastToken())
		}
		return wrongAt(column, "no JSON: %v", e.Err)
	}
	return wrongAt(column, "the line ends before its object does")
}
