package transcript

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// blank is what may stand between the parts of a JSON text.
const blank = " \t\r\n"

// read takes the line apart into its fields.
func (p *Parser) read(line []byte) (fields, error) {
	p.reader.Reset(line)
	p.dec.Reset(&p.reader)
	token, err := p.dec.ReadToken()
	if err != nil {
		return 0, syntax(err, line)
	}
	if token.Kind() != '{' {
		return 0, wrong(1, "the line is no JSON object")
	}
	var given fields
	for p.dec.PeekKind() != '}' {
		f, err := p.readField(line)
		if err != nil {
			return 0, err
		}
		given |= 1 << f
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return 0, syntax(err, line)
	}
	if rest := bytes.TrimLeft(line[p.dec.InputOffset():], blank); len(rest) > 0 {
		return 0, wrong(len(line)-len(rest)+1, "something follows the object: write one object a line")
	}
	return given, nil
}

func (p *Parser) readField(line []byte) (field, error) {
	name, err := p.dec.ReadValue()
	if err != nil {
		return 0, syntax(err, line)
	}
	end := int(p.dec.InputOffset())
	f, ok := namedFields.find(key(name))
	if !ok {
		return 0, wrong(end-len(name)+1, "%s is no field of a transcript", clip(string(name)))
	}
	raw, err := p.dec.ReadValue()
	if err != nil {
		return 0, syntax(err, line)
	}
	end = int(p.dec.InputOffset())
	start := end - len(raw) // the decoder's own copy does not last
	p.values[f] = value{raw: line[start:end], column: start + 1}
	return f, nil
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
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		column = int(s.ByteOffset) + 1
		if errors.Is(s.Err, jsontext.ErrDuplicateName) {
			return wrong(column, "the field %q stands in the line twice", s.JSONPointer.LastToken())
		}
		return wrong(column, "no JSON: %v", s.Err)
	}
	return wrong(column, "the line ends before its object does")
}
