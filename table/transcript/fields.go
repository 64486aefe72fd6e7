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

// fields is a set of fields.
type fields uint64

// all yields the fields of the set in their order.
func (s fields) all(yield func(field) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(s.first()) {
			return
		}
	}
}

// first is the first field of a set that is not empty.
func (s fields) first() field { return field(bits.TrailingZeros64(uint64(s))) }

func (s fields) has(f field) bool { return s>>f&1 == 1 }

// vocabulary is the names of the fields that lines of one sort have.
type vocabulary struct {
	names []string
	keys  []string // as they stand before a value
	find  *named
}

// mostFields bounds a vocabulary: sets of fields are bits.
const mostFields = 64

// learn returns the place of a name, which may be new.
func (v *vocabulary) learn(name string) field {
	if at := slices.Index(v.names, name); at >= 0 {
		return field(at)
	}
	v.names = append(v.names, name)
	v.keys = append(v.keys, `"`+name+`":`)
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

func (s shape) all() fields { return s.required | s.optional | 1<<fKind }
