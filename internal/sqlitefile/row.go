package sqlitefile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

var (
	errCut  = errors.New("damaged: it goes on behind the end of its page")
	errLong = errors.New("damaged: it is longer than a row can be")
)

// maxPayload bounds a row, in bytes, as SQLite does.
const maxPayload = 1 << 30

// row takes the cell at an offset of a leaf. A row that does not fit into its page
// goes on in a chain of others.
func (w *Walk) row(page []byte, at int) (Row, error) {
	if at >= len(page) {
		return Row{}, errCut
	}
	size, n := varint(page[at:])
	at += n
	id, m := varint(page[at:])
	at += m
	if n == 0 || m == 0 {
		return Row{}, errCut
	}
	if size > maxPayload {
		return Row{}, errLong
	}
	here := w.local(int(size))
	switch {
	case here > len(page)-at:
		return Row{}, errCut
	case here == int(size):
		return Row{ID: int64(id), payload: page[at : at+here]}, nil
	case at+here+4 > len(page):
		return Row{}, errCut
	}
	payload, err := w.follow(page[at:at+here], int(size), binary.BigEndian.Uint32(page[at+here:]))
	return Row{ID: int64(id), payload: payload}, err
}

// local is how much of a payload lies in the leaf itself.
func (w *Walk) local(size int) int {
	most := w.usable - 35
	if size <= most {
		return size
	}
	least := (w.usable-12)*32/255 - 23
	if k := least + (size-least)%(w.usable-4); k <= most {
		return k
	}
	return least
}

// follow puts a payload together that goes on in the overflow page next.
func (w *Walk) follow(first []byte, size int, next uint32) ([]byte, error) {
	if int64(size/w.usable) > w.left {
		return nil, errLong // than all that is left of the file
	}
	payload := append(make([]byte, 0, size), first...)
	page := make([]byte, w.size)
	for len(payload) < size {
		if next == 0 {
			return nil, errors.New("damaged: the chain of its pages ends too early")
		}
		if err := w.pages.Page(next, page); err != nil {
			return nil, &PageError{next, err}
		}
		w.left--
		part := page[4:w.usable]
		payload = append(payload, part[:min(len(part), size-len(payload))]...)
		next = binary.BigEndian.Uint32(page)
	}
	return payload, nil
}

// varint reads an integer of 1 to 9 bytes, and says how many it took, 0 if they are
// not there.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	if n == 8 && n < len(b) {
		return v<<8 | uint64(b[n]), 9
	}
	return 0, 0
}

// Kind says what a value is.
type Kind uint8

// The kinds of value.
const (
	Null Kind = iota
	Integer
	Float // its value is not read
	Text
	Blob
)

// Value is one column of a row.
type Value struct {
	Kind Kind
	Int  int64
	// Bytes are those of a text or a blob, in the memory of the row's batch.
	Bytes []byte
}

// Columns takes a row apart, into a slice that is used again. The column that is the
// row's number is Null.
func (r Row) Columns(into []Value) ([]Value, error) {
	into = into[:0]
	size, at := varint(r.payload)
	if at == 0 || size < uint64(at) || size > uint64(len(r.payload)) {
		return into, r.damaged(errCut)
	}
	kinds, rest := r.payload[at:size], r.payload[size:]
	for len(kinds) > 0 {
		kind, n := uint64(kinds[0]), 1
		if kind >= 0x80 {
			if kind, n = varint(kinds); n == 0 {
				return into, r.damaged(errCut)
			}
		}
		kinds = kinds[n:]
		length := lengthOf(kind)
		if length > uint64(len(rest)) {
			return into, r.damaged(fmt.Errorf("damaged: column %d goes on behind its end", len(into)+1))
		}
		if len(into) == cap(into) {
			into = append(into, Value{})
		} else {
			into = into[:len(into)+1]
		}
		into[len(into)-1].set(kind, rest[:length])
		rest = rest[length:]
	}
	return into, nil
}

func (r Row) damaged(err error) error { return &PageError{r.page, fmt.Errorf("row %d: %w", r.ID, err)} }

var lengths = [12]uint64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}

// lengthOf is how many bytes a value of a serial type has.
func lengthOf(serial uint64) uint64 {
	if serial >= 12 {
		return (serial - 12) / 2
	}
	return lengths[serial]
}

// set makes the value that bytes are as a serial type.
func (v *Value) set(serial uint64, b []byte) {
	v.Bytes = nil
	switch {
	case serial >= 12:
		v.Kind, v.Bytes = Text, b
		if serial%2 == 0 {
			v.Kind = Blob
		}
	case serial >= 1 && serial <= 6:
		v.Kind, v.Int = Integer, integer(b)
	case serial == 8 || serial == 9:
		v.Kind, v.Int = Integer, int64(serial-8)
	case serial == 7:
		v.Kind = Float
	default:
		v.Kind = Null
	}
}

// integer reads a big-endian integer in two's complement.
func integer(b []byte) int64 {
	v := int64(int8(b[0]))
	for _, one := range b[1:] {
		v = v<<8 | int64(one)
	}
	return v
}
