package transcript

import (
	"math/bits"
	"slices"
	"strings"
)

// field is one field of a line, by its place among the names of a vocabulary.
type field uint8

// What a line is stands in its first field.
const fKind field = 0

// fields is a set of fields: the bits of the first 64, and those of the rest. It is no slice or map, so that reading a
// line allocates nothing for it.
type fields struct{ low, high uint64 }

// only is the set of one field.
func only(f field) fields { return fields{}.with(f) }

func (s fields) with(f field) fields {
	if f < 64 {
		s.low |= 1 << f
	} else {
		s.high |= 1 << (f - 64)
	}
	return s
}

func (s fields) has(f field) bool {
	if f < 64 {
		return s.low>>f&1 == 1
	}
	return s.high>>(f-64)&1 == 1
}

func (s fields) or(o fields) fields      { return fields{s.low | o.low, s.high | o.high} }
func (s fields) and(o fields) fields     { return fields{s.low & o.low, s.high & o.high} }
func (s fields) without(o fields) fields { return fields{s.low &^ o.low, s.high &^ o.high} }
func (s fields) empty() bool             { return s.low|s.high == 0 }

// first is the first field of a set that is not empty.
func (s fields) first() field {
	if s.low != 0 {
		return field(bits.TrailingZeros64(s.low))
	}
	return 64 + field(bits.TrailingZeros64(s.high))
}

// rest is the set without its first field.
func (s fields) rest() fields {
	if s.low != 0 {
		s.low &= s.low - 1
	} else {
		s.high &= s.high - 1
	}
	return s
}

// all yields the fields of the set in their order.
func (s fields) all(yield func(field) bool) {
	for ; !s.empty(); s = s.rest() {
		if !yield(s.first()) {
			return
		}
	}
}

// vocabulary is the names of the fields that lines of one sort have.
type vocabulary struct {
	names []string
	find  *named
}

// mostFields bounds a vocabulary: sets of fields are bits.
const mostFields = 128

// learn returns the place of a name, which may be new.
func (v *vocabulary) learn(name string) field {
	if at := slices.Index(v.names, name); at >= 0 {
		return field(at)
	}
	v.names = append(v.names, name)
	return field(len(v.names) - 1)
}

// these names a set, for error messages.
func (v *vocabulary) these(s fields) string {
	var names []string
	for f := range s.all {
		names = append(names, v.names[f])
	}
	return strings.Join(names, ", ")
}

// shape is which fields a line has.
type shape struct{ required, optional fields }

func (s shape) all() fields { return s.required.or(s.optional).with(fKind) }
