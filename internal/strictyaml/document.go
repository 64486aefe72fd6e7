// Package strictyaml reads YAML documents that people write by hand, and reports everything that is wrong at once, each
// fault with its line and column.
//
// It accepts a subset of YAML in which nothing can be misread: no unknown, duplicate or missing keys, no values left
// empty, no anchors, aliases, merge keys or tags, one document per file, whole numbers in plain digits, and text only
// where text is meant ("12" in quotes, never 12).
//
// The fields of the Go struct define the keys: `yaml:"port"`, `yaml:"port,required"`, or `yaml:"-"` for a field that
// the document does not have; `yaml:"*"` is for a Keyed map[string]T, whose keys are next to those of the fields. A
// field may be a string, a bool, an int or uint of any size, a time.Duration (500ms), a type that implements
// encoding.TextUnmarshaler, or a struct, pointer, slice or map of such types.
package strictyaml

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Document is a document that has been read: its faults, and the positions of its values, so that checks of meaning can
// be reported like those of form.
type Document struct {
	file string
	// top is the document's outermost value; nil if it could not be read.
	top    *yaml.Node
	faults Faults
	text   lines
	// lastLine and lastColumn are where the text ends.
	lastLine, lastColumn int
}

// Decode reads data into the struct that v points to. The file's name is only for the faults. A field whose key is
// absent keeps its value, so defaults are set beforehand; a list or map in the document replaces the default entirely.
// After faults v holds what could be read: good only for finding more faults. Decode panics if v's type has a field
// that it cannot fill.
func Decode(file string, data []byte, v any) *Document {
	return DecodeIn("", file, data, v)
}

// DecodeIn reads like Decode, Measured values in a unit.
func DecodeIn(unit, file string, data []byte, v any) *Document {
	return read(file, data, v, true, unit)
}

// OverlayIn reads like DecodeIn, but into a v that another document has already filled: required keys may be absent,
// except in parts that v did not have.
func OverlayIn(unit, file string, data []byte, v any) *Document {
	return read(file, data, v, false, unit)
}

// Err returns the document's faults, sorted, as Faults; nil if there are none.
func (d *Document) Err() error { return d.Faults().Err() }

// Faults returns the document's faults, sorted by line and column.
func (d *Document) Faults() Faults {
	d.faults.Sort()
	return d.faults
}

// Refuse adds a fault found by a check of meaning. It is placed at the value or, if the value is absent, at its parent.
// It is dropped if the value, or something in it or around it, already has a fault.
func (d *Document) Refuse(path, what, hint string) {
	if !d.Sound(path) {
		return
	}
	line, column := d.Position(path)
	d.add(Fault{Line: line, Column: column, Path: path, What: what, Hint: hint})
}

// Absolute says whether a file's name begins with /, on whatever system it is asked: a configuration names files of the
// computer that it is for, and may be checked on another.
func Absolute(file string) bool { return strings.HasPrefix(file, "/") }

// Relative refuses the name of a file at path unless it is absolute, and reports whether it did.
func (d *Document) Relative(path, file string) bool {
	if Absolute(file) {
		return false
	}
	d.Refuse(path, fmt.Sprintf("%q is not an absolute path", file), "begin it with /")
	return true
}

// OneOf refuses the value at path unless it is one of those known.
func (d *Document) OneOf(path, value string, known ...string) {
	if slices.Contains(known, value) {
		return
	}
	hint, last := "write ", len(known)-1
	if last > 0 {
		hint += strings.Join(known[:last], ", ") + " or "
	}
	d.Refuse(path, fmt.Sprintf("%q is not known", value), hint+known[last])
}

// Within refuses the number at path outside of a range.
func (d *Document) Within(path string, n, low, high int) {
	if n < low || n > high {
		d.Refuse(path, fmt.Sprintf("%d is out of range", n),
			fmt.Sprintf("write a whole number from %d to %d", low, high))
	}
}

// Sound says whether the value at path can be judged: neither it, nor anything
// in it or around it, has a fault.
func (d *Document) Sound(path string) bool {
	return !slices.ContainsFunc(d.faults, func(f Fault) bool { return within(path, f.Path) || within(f.Path, path) })
}

// Has says whether the document itself has a value at path.
func (d *Document) Has(path string) bool {
	_, _, found := d.find(path)
	return found
}

// Position returns the line and column, from 1, of the value at path; of its key
// if the value is a block of its own lines; of the nearest value around it if
// there is none.
func (d *Document) Position(path string) (line, column int) {
	line, column, _ = d.find(path)
	return line, column
}

// Comment returns the comment at the end of the line of the value at path, without its '#'. A value without a comment
// has that of the nearest group around it: of a group in brackets or, for a block, of the line of its key. It is empty
// if there is no comment, or no value.
func (d *Document) Comment(path string) string {
	if d.top == nil {
		return ""
	}
	comment := d.top.LineComment
	for at, node := "", d.top; at != path; {
		next := nextEntry(node, at, path)
		if next == nil {
			return ""
		}
		at, node = next.path, next.value
		if own := next.comment(); own != "" {
			comment = own
		}
	}
	return strings.TrimSpace(strings.TrimLeft(comment, "#"))
}

func (d *Document) find(path string) (line, column int, found bool) {
	if d.top == nil {
		return 1, 1, false
	}
	at, node, line, column := "", d.top, d.top.Line, d.top.Column
	for at != path {
		next := nextEntry(node, at, path)
		if next == nil {
			return line, column, false
		}
		at, node = next.path, next.value
		line, column = next.position()
	}
	return line, column, true
}

// entry is a value with the key that names it; a list's items have no key.
type entry struct {
	path       string
	key, value *yaml.Node
}

// nextEntry returns the entry of node on the way to path, or nil.
func nextEntry(node *yaml.Node, at, path string) *entry {
	for i := 0; i < len(node.Content); i++ {
		e := &entry{value: node.Content[i]}
		switch node.Kind {
		case yaml.MappingNode:
			e.key, e.value = node.Content[i], node.Content[i+1]
			e.path = join(at, keyStep(e.key.Value))
			i++
		case yaml.SequenceNode:
			e.path = join(at, itemStep(i))
		default:
			return nil
		}
		if within(path, e.path) {
			return e
		}
	}
	return nil
}

func (e *entry) position() (line, column int) {
	block := e.value.Kind != yaml.ScalarNode && e.value.Style&yaml.FlowStyle == 0
	if block && e.key != nil {
		return e.key.Line, e.key.Column
	}
	return e.value.Line, e.value.Column
}

func (e *entry) comment() string {
	if e.key != nil && e.key.LineComment != "" {
		return e.key.LineComment
	}
	return e.value.LineComment
}

func (d *Document) add(f Fault) {
	f.File = d.file
	if f.Line > d.lastLine {
		// The parser places a missing value after the end.
		f.Line, f.Column = d.lastLine, d.lastColumn
	}
	d.faults = append(d.faults, f)
}

func (d *Document) fault(n *yaml.Node, p *place, what string, hint ...string) {
	d.add(Fault{Line: n.Line, Column: n.Column, Path: p.String(), What: what, Hint: strings.Join(hint, "")})
}
