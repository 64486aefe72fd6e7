package transcript

import "math/bits"

// named finds values by their names, sooner than by trying one after the other. Its length is a power of two, and most
// of its places are free.
type named []struct {
	name  string
	value uint8
}

// namedBy makes the table of names, by their values.
func namedBy(names []string) named {
	n := make(named, 4<<bits.Len(uint(len(names))))
	for v, name := range names {
		if name == "" {
			continue
		}
		if at := n.place([]byte(name)); n[at].name == "" { // the first of a name is what it means
			n[at].name, n[at].value = name, uint8(v)
		}
	}
	return n
}

// allTables are the tables of names, which many fields share.
type allTables map[*string]named

// of finds values by these names.
func (all allTables) of(names []string) named {
	if len(names) == 0 {
		return nil
	}
	if all[&names[0]] == nil {
		all[&names[0]] = namedBy(names)
	}
	return all[&names[0]]
}

// place is where a name is, or the free place where it would be.
func (n named) place(name []byte) int {
	last := len(n) - 1
	at := int(name[0])*37 + int(name[len(name)-1])*11 + len(name)
	for at &= last; n[at].name != "" && n[at].name != string(name); {
		at = (at + 1) & last
	}
	return at
}

// find returns the value that has this name.
func (n named) find(name []byte) (uint8, bool) {
	if len(name) == 0 {
		return 0, false
	}
	one := &n[n.place(name)]
	return one.value, one.name != ""
}
