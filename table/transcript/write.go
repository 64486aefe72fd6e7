package transcript

import (
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"github.com/sabot-table/sabot/table/vocab"
)

// AppendInput writes an input as its line, without a newline.
func AppendInput(dst []byte, in *vocab.Input) []byte {
	return inputs.append(dst, uint8(in.Kind), in)
}

// AppendOutput writes an output as its line, without a newline.
func AppendOutput(dst []byte, out *vocab.Output) []byte {
	return outputs.append(dst, uint8(out.Kind), out)
}

func (c *codec[L]) append(b []byte, kind uint8, v *L) []byte {
	l := &c.lines[kind]
	b = appendPiece(b, &l.begins)
	b = appendFields(b, l.layout(v).steps, v)
	return append(b, '}')
}

// step is how one field is written. What is needed most stands together.
type step[L any] struct {
	how how
	// optional says that nothing is written of a text that is empty.
	optional bool
	null     bool
	field    field
	// at is where in the line the value is, and given where it says that there is one, as
	// far as they are at a place of their own there.
	at, given uintptr
	// said are fields with numbers and names by the value: comma, key and value. There may
	// be more values than are said.
	said   []piece
	begins piece // comma and key
	*vocab.Field[L]
}

// how a step finds what it writes: by the width of a number that is in the line itself, by
// a text's or a moment's place in it, or by asking the field.
type how uint8

const (
	asksField how = iota
	byteAt
	wordAt
	givenWordAt
	textAt
	momentAt
)

// piece is a short text, of fixed size so that copying it is a few moves and no call. An
// empty one is left out.
type piece struct {
	text   [47]byte
	length uint8
}

// mostSaid is how many values of a count are said beforehand: boxes, hands and totals are below it.
const mostSaid = 32

// stepOf is how a field is written; line is one with room for it.
func stepOf[L any](f *vocab.Field[L], at field, null bool, line *L) step[L] {
	s := step[L]{
		Field: f, field: at, null: null, optional: f.Need == vocab.Optional,
		begins: pieceOf(`,"` + f.Name + `":`),
	}
	if null {
		return s
	}
	s.find(line)
	s.said = said.of(sayings{
		name: f.Name, as: f.Type, names: unsafe.SliceData(f.Names), leavesOut: s.optional && f.Given == nil,
	}, f.Names)
	return s
}

// sayings say what a field's values are said as: fields of many lines have the same.
type sayings struct {
	name  string
	as    vocab.Type
	names *string
	// leavesOut says that nothing is said of the first value.
	leavesOut bool
}

// allSaid are the values that are said beforehand, once for all fields that say them alike.
type allSaid map[sayings][]piece

func (all allSaid) of(s sayings, names []string) []piece {
	if list, before := all[s]; before {
		return list
	}
	values := s.values(names)
	list := make([]piece, len(values))
	for i, value := range values {
		list[i] = pieceOf(`,"` + s.name + `":` + value)
	}
	if len(list) > 0 && s.leavesOut {
		list[0] = piece{}
	}
	all[s] = list
	return list
}

// values are those that are said beforehand, as they stand in a line.
func (s *sayings) values(names []string) (all []string) {
	switch s.as {
	case vocab.TypeNamed, vocab.TypeCard:
		all = make([]string, len(names))
		for i, name := range names {
			all[i] = `"` + name + `"`
		}
	case vocab.TypeTruth:
		all = []string{"false", "true", "false"} // the last is vocab.Denied
	case vocab.TypeAmount, vocab.TypePositive, vocab.TypeApart: // hardly any of them is small
		all = []string{"0"}
	case vocab.TypeCount:
		all = make([]string, mostSaid)
		for n := range all {
			all[n] = strconv.Itoa(n)
		}
	}
	return all
}

func pieceOf(text string) (p piece) {
	if p.length = uint8(copy(p.text[:], text)); int(p.length) < len(text) {
		panic(text + " is too long for a piece")
	}
	return p
}

func appendFields[L any](b []byte, steps []step[L], v *L) []byte {
	for i := range steps {
		s := &steps[i]
		var n uint64
		switch s.how {
		case byteAt:
			n = uint64(*(*uint8)(unsafe.Add(unsafe.Pointer(v), s.at)))
		case givenWordAt:
			if !*(*bool)(unsafe.Add(unsafe.Pointer(v), s.given)) {
				continue
			}
			fallthrough
		case wordAt:
			n = *(*uint64)(unsafe.Add(unsafe.Pointer(v), s.at))
		case textAt:
			b = s.appendText(b, *(*string)(unsafe.Add(unsafe.Pointer(v), s.at)))
			continue
		case momentAt:
			if at := *(*int64)(unsafe.Add(unsafe.Pointer(v), s.at)); at != 0 {
				b = s.appendMoment(b, at)
			}
			continue
		default:
			b = s.ask(b, v)
			continue
		}
		if n < uint64(len(s.said)) {
			b = appendPiece(b, &s.said[n])
		} else {
			b = s.appendRare(b, int64(n))
		}
	}
	return b
}

// find looks where in a line the value is. Asking the field each time for what is always
// at the same place would take longer than writing it.
func (s *step[L]) find(line *L) {
	var value any
	switch {
	case s.At != nil:
		value = s.At(line)
	case s.Text != nil:
		value = s.Text(line)
	default:
		return
	}
	inside := false
	if s.at, inside = within(line, value); !inside {
		return
	}
	switch size := reflect.TypeOf(value).Elem().Size(); {
	case s.Text != nil:
		s.how = textAt
	case s.Type == vocab.TypeCalls:
	case s.Type == vocab.TypeMoment:
		s.how = momentAt
	case s.Given != nil && size == 8:
		if s.given, inside = within(line, s.Given(line)); inside {
			s.how = givenWordAt
		}
	case s.Given == nil && size == 8:
		s.how = wordAt
	case s.Given == nil && size == 1:
		s.how = byteAt
	}
}

// within says where in a line a value is, and whether it is there at all and not in a part
// of its own.
func within[L any](line *L, value any) (at uintptr, inside bool) {
	v := reflect.ValueOf(value)
	at = v.Pointer() - uintptr(unsafe.Pointer(line))
	return at, at < unsafe.Sizeof(*line) && at+v.Elem().Type().Size() <= unsafe.Sizeof(*line) // before it, at wraps
}

// ask writes what only the field itself can find.
func (s *step[L]) ask(b []byte, v *L) []byte {
	switch {
	case s.null:
		return append(appendPiece(b, &s.begins), "null"...)
	case s.Given != nil && !*s.Given(v):
		return b
	case len(s.said) == 0:
		return s.append(b, v)
	}
	n := s.Number(v)
	if uint64(n) < uint64(len(s.said)) {
		return appendPiece(b, &s.said[n])
	}
	return s.appendRare(b, n)
}

func appendPiece(b []byte, p *piece) []byte {
	end := len(b)
	if cap(b)-end < len(p.text) {
		return append(b, p.text[:p.length]...)
	}
	b = b[:end+len(p.text)]
	*(*[len(p.text)]byte)(b[end:]) = p.text
	return b[:end+int(p.length)]
}

// appendRare writes a value that is not said beforehand.
func (s *step[L]) appendRare(b []byte, n int64) []byte {
	b = appendPiece(b, &s.begins)
	if s.Names != nil {
		return append(strconv.AppendInt(append(b, `"unnamed `...), n, 10), '"')
	}
	return strconv.AppendInt(b, n, 10)
}

// append writes a value that is no number.
func (s *step[L]) append(b []byte, v *L) []byte {
	switch s.Type {
	case vocab.TypeText, vocab.TypeName, vocab.TypeWord:
		return s.appendText(b, *s.Text(v))
	case vocab.TypeMoment:
		if at := s.Number(v); at != 0 {
			return s.appendMoment(b, at)
		}
		return b
	case vocab.TypeRatio:
		ratio := *s.Ratio(v)
		if ratio.Den == 0 {
			return b
		}
		b = strconv.AppendInt(append(appendPiece(b, &s.begins), '"'), ratio.Num, 10)
		return append(strconv.AppendInt(append(b, ':'), ratio.Den, 10), '"')
	case vocab.TypeDue:
		b = appendPiece(b, &s.begins)
		start := len(b)
		due := s.Due(v)
		b = appendFields(b, dues.lines[0].layout(due).steps, due)
		b[start] = '{'
		return append(b, '}')
	default:
		return s.appendList(b, v)
	}
}

func (s *step[L]) appendText(b []byte, text string) []byte {
	if text == "" && s.optional {
		return b
	}
	return appendQuoted(appendPiece(b, &s.begins), text)
}

func (s *step[L]) appendMoment(b []byte, at int64) []byte {
	b = append(appendPiece(b, &s.begins), '"')
	b = time.Unix(0, at).UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

func (s *step[L]) appendList(b []byte, v *L) []byte {
	before := len(b)
	b = append(appendPiece(b, &s.begins), '[')
	switch s.Type {
	case vocab.TypeTexts:
		texts := *s.Texts(v)
		if texts == nil {
			return b[:before]
		}
		for i, text := range texts {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendQuoted(b, text)
		}
	case vocab.TypeCalls:
		calls := vocab.Calls(s.Number(v))
		if calls == 0 && s.Need == vocab.Optional {
			return b[:before]
		}
		for c := range calls.All {
			b = appendItem(b, c.String())
		}
	case vocab.TypeChoices:
		for c := range s.Choices(v).All {
			b = appendItem(b, c.String())
		}
	case vocab.TypeChips:
		chips := *s.Chips(v)
		if len(chips) == 0 && s.Need == vocab.Optional {
			return b[:before]
		}
		for _, c := range chips {
			b = appendItem(b, c.String())
		}
	case vocab.TypeCards:
		for _, c := range *s.Cards(v) {
			b = appendItem(b, c.String())
		}
	}
	return append(b, ']')
}
