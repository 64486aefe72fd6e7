package transcript

import (
	"math"
	"math/bits"
)

// named finds values by their names, sooner than by trying one after the other.
type named struct {
	names []string
	// places have the number of a name, from 1 on, or 0. There is a power of two of them, most of which are free.
	places []uint8
}

// namedBy makes the table of names, by their values.
func namedBy(names []string) *named {
	if len(names) > math.MaxUint8 {
		panic("transcript: more than 255 names in one table: make the places of named uint16")
	}
	n := &named{names, make([]uint8, 4<<bits.Len(uint(len(names))))}
	for v, name := range names {
		if name == "" {
			continue
		}
		if at := n.place([]byte(name)); n.places[at] == 0 { // the first of a name is what it means
			n.places[at] = uint8(v) + 1
		}
	}
	return n
}

// allTables are the tables of names, which many fields share.
type allTables map[*string]*named

// of finds values by these names.
func (all allTables) of(names []string) *named {
	if len(names) == 0 {
		return nil
	}
	if all[&names[0]] == nil {
		all[&names[0]] = namedBy(names)
	}
	return all[&names[0]]
}

// place is where a name is, or the free place where it would be.
func (n *named) place(name []byte) int {
	last := len(n.places) - 1
	at := int(name[0])*37 + int(name[len(name)-1])*11 + len(name)
	for at &= last; ; at = (at + 1) & last {
		if number := n.places[at]; number == 0 || n.names[number-1] == string(name) {
			return at
		}
	}
}

// find returns the value that has this name.
func (n *named) find(name []byte) (uint8, bool) {
	if len(name) == 0 {
		return 0, false
	}
	number := n.places[n.place(name)]
	return number - 1, number != 0
}
