package transcript

// named finds values by their names, sooner than by trying one after the other.
type named [256]struct {
	name  string
	value uint8
}

// namedBy makes the table of names, by their values.
func namedBy(names []string) *named {
	var n named
	for v, name := range names {
		if name == "" {
			continue
		}
		at := place([]byte(name))
		for n[at].name != "" && n[at].name != name {
			at++
		}
		if n[at].name == "" { // the first of a name is what it means
			n[at].name, n[at].value = name, uint8(v)
		}
	}
	return &n
}

// place is where to look for a name first.
func place(name []byte) uint8 {
	return name[0]*37 + name[len(name)-1]*11 + uint8(len(name))
}

// find returns the value that has this name.
func (n *named) find(name []byte) (uint8, bool) {
	if len(name) == 0 {
		return 0, false
	}
	for at := place(name); n[at].name != ""; at++ {
		if n[at].name == string(name) {
			return n[at].value, true
		}
	}
	return 0, false
}
