package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// MaxSize is the size in bytes of the largest document that is read.
const MaxSize = 1 << 20

// ReadFile returns the contents of an opened file, and closes it: strictyaml.ReadFile(os.Open(path)). It reads only
// enough to see that the file is too large.
func ReadFile(f io.ReadCloser, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	return data, errors.Join(err, f.Close())
}

func read(file string, data []byte, v any, fresh bool, unit string) *Document {
	target := reflect.ValueOf(v)
	if target.Kind() != reflect.Pointer || target.Elem().Kind() != reflect.Struct {
		panic(fmt.Sprintf("strictyaml: cannot read into a %T, only into a pointer to a struct", v))
	}
	d := &Document{file: file}
	d.lastLine, d.lastColumn = position(data, len(data))
	if len(data) > MaxSize {
		d.add(Fault{
			Line: 1, Column: 1, What: fmt.Sprintf("the file has %d bytes, more than the %d that are read",
				len(data), MaxSize),
			Hint: "check that this is the right file",
		})
		return d
	}
	text, bad := normal(data)
	if bad != nil {
		d.add(*bad)
		return d
	}
	d.text = linesOf(text)
	d.parse(text)
	if d.top == nil {
		return d
	}
	r := reader{doc: d, unit: unit, refused: make(map[*yaml.Node]bool), keys: make(map[*yaml.Node]*yaml.Node)}
	r.plainOnly(d.top, nil, 0)
	r.value(d.top, nil, target.Elem(), fresh)
	return d
}

// normal removes what editors add invisibly (a byte order mark, carriage returns) and refuses bytes that no editor
// shows.
func normal(data []byte) ([]byte, *Fault) {
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	line, column := 1, 1
	for rest := text; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if what := unreadable(r, size, rest[0]); what != "" {
			return nil, &Fault{
				Line: line, Column: column, What: what,
				Hint: "save the file as UTF-8 text, and retype the line if it looks right",
			}
		}
		rest = rest[size:]
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return text, nil
}

// unreadable says why a character is refused, or returns "". Line separators are refused because editors do not count
// lines by them.
func unreadable(r rune, size int, first byte) string {
	const lineSeparator, paragraphSeparator, byteOrderMark, lastInPlane = '\u2028', '\u2029', '\ufeff', '\ufffd'
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte 0x%02x is not UTF-8 text", first)
	case r == '\n' || r == '\t':
		return ""
	case unicode.IsControl(r), r == lineSeparator, r == paragraphSeparator, r == byteOrderMark,
		r > lastInPlane && r <= unicode.MaxRune && r < 0x10000:
		return fmt.Sprintf("character %U cannot be seen in an editor", r)
	}
	return ""
}

// parse sets the document's outermost value, or adds the fault that kept it from
// being read.
func (d *Document) parse(text []byte) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var first, second yaml.Node
	err := decoder.Decode(&first)
	if errors.Is(err, io.EOF) || err == nil && first.Content[0].ShortTag() == "!!null" {
		d.add(Fault{Line: 1, Column: 1, What: "the file is empty", Hint: "write at least the required keys"})
		return
	}
	if err == nil {
		err = decoder.Decode(&second)
	}
	switch {
	case errors.Is(err, io.EOF):
		d.top = first.Content[0]
	case err != nil:
		d.add(syntaxFault(text, err))
	default:
		d.add(Fault{
			Line: second.Line, Column: second.Column, What: "a second document begins here",
			Hint: "keep one document in the file, without '---' or '...' between parts",
		})
	}
}
