package strictyaml

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"
)

// Measured is a value whose text is read in a unit that the document has elsewhere, such as the currency of an amount.
// DecodeIn and OverlayIn give it; it is "" to others.
type Measured interface {
	UnmarshalIn(unit string, text []byte) error
}

var (
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	durationType = reflect.TypeFor[time.Duration]()
	// wholeNumber excludes 010, 0x10, 1_000 and +5, each of which may be read as something else.
	wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
)

// isScalar says whether a single word or number fills a t.
func isScalar(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(textType) && t.Kind() != reflect.Pointer {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

func (r *reader) scalar(n *yaml.Node, p *place, target reflect.Value) {
	text, isText := target.Addr().Interface().(encoding.TextUnmarshaler)
	switch {
	case isText:
		r.text(n, p, text)
	case target.Type() == durationType:
		r.duration(n, p, target)
	case target.Kind() == reflect.String:
		if n.ShortTag() != "!!str" {
			r.refuse(n, p, describe(n), textHint(n))
			return
		}
		target.SetString(n.Value)
	case target.Kind() == reflect.Bool:
		if n.ShortTag() != "!!bool" {
			r.refuse(n, p, describe(n), "write true or false")
			return
		}
		target.SetBool(strings.EqualFold(n.Value, "true"))
	default:
		r.number(n, p, target)
	}
}

// mapKey reads a key of a map. Unlike a value it is text whatever it looks like.
func (r *reader) mapKey(key *yaml.Node, p *place, target reflect.Value) {
	if text, ok := target.Addr().Interface().(encoding.TextUnmarshaler); ok {
		r.text(key, p, text)
		return
	}
	if target.Kind() != reflect.String {
		panic(fmt.Sprintf("strictyaml: %s: cannot fill a map whose keys are %s", p, target.Type()))
	}
	target.SetString(key.Value)
}

func (r *reader) text(n *yaml.Node, p *place, target encoding.TextUnmarshaler) {
	if !r.want(n, p, yaml.ScalarNode, "write a single value") {
		return
	}
	read := target.UnmarshalText
	if m, measured := target.(Measured); measured {
		read = func(text []byte) error { return m.UnmarshalIn(r.unit, text) }
	}
	if err := read([]byte(n.Value)); err != nil {
		what := err.Error()
		if !strings.Contains(what, n.Value) {
			what = fmt.Sprintf("%q is refused: %s", excerpt(n.Value), what)
		}
		r.refuse(n, p, what)
	}
}

func (r *reader) duration(n *yaml.Node, p *place, target reflect.Value) {
	const hint = "write a number with its unit, such as 500ms, 2s or 1m30s"
	if !r.want(n, p, yaml.ScalarNode, hint) {
		return
	}
	d, err := time.ParseDuration(n.Value)
	if err != nil {
		r.refuse(n, p, fmt.Sprintf("%q is not a duration", excerpt(n.Value)), hint)
		return
	}
	target.SetInt(int64(d))
}

func (r *reader) number(n *yaml.Node, p *place, target reflect.Value) {
	const hint = "write a whole number such as 9600"
	plain := n.Kind == yaml.ScalarNode &&
		n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case plain && wholeNumber.MatchString(n.Value):
		r.sized(n, p, target)
	case n.ShortTag() == "!!int":
		r.refuse(n, p, fmt.Sprintf("%s can be read in more than one way", excerpt(n.Value)),
			"write the number in plain digits, such as 9600")
	default:
		r.refuse(n, p, describe(n), hint)
	}
}

// sized sets an int or uint, which may be too small for the number.
func (r *reader) sized(n *yaml.Node, p *place, target reflect.Value) {
	bits := target.Type().Bits()
	if target.CanInt() {
		i, err := strconv.ParseInt(n.Value, 10, bits)
		if err != nil {
			lowest := int64(-1) << (bits - 1)
			r.refuse(n, p, excerpt(n.Value)+" is out of range",
				fmt.Sprintf("write a number from %d to %d", lowest, -(lowest+1)))
			return
		}
		target.SetInt(i)
		return
	}
	u, err := strconv.ParseUint(n.Value, 10, bits)
	if err != nil {
		r.refuse(n, p, excerpt(n.Value)+" is out of range",
			fmt.Sprintf("write a number from 0 to %d", ^uint64(0)>>(64-bits)))
		return
	}
	target.SetUint(u)
}

// describe says in plain words what is at n.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "is a group of keys"
	case yaml.SequenceNode:
		return "is a list"
	}
	switch n.ShortTag() {
	case "!!int":
		return "is a whole number"
	case "!!float":
		return "is not a whole number"
	case "!!bool":
		return "is true or false"
	case "!!timestamp":
		return "is a date"
	}
	return "is text"
}

// textHint says how to write text in place of n.
func textHint(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		return "write a single line of text"
	}
	return fmt.Sprintf("to mean text, write it in quotes: %q", excerpt(n.Value))
}
