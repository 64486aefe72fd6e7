// Package enum gives an enumeration its names: written, parsed and listed in one way,
// without an allocation. It is a leaf of the round engine, and imports nothing that
// could do more than that.
package enum

import (
	"errors"
	"strconv"
)

// Names are the names of an enumeration's members, by their value. A value whose name
// is empty, as the zero value most often is, stands for no member: it is never parsed
// and never listed.
type Names[T ~uint8] []string

// Has says whether v is a member.
func (n Names[T]) Has(v T) bool { return int(v) < len(n) && n[v] != "" }

// Name returns the name of v, "unnamed 7" for a value that has no entry.
func (n Names[T]) Name(v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return "unnamed " + strconv.Itoa(int(v))
}

// Parse finds the member with the name s.
func (n Names[T]) Parse(s string) (T, bool) {
	for i, name := range n {
		if name == s && name != "" {
			return T(i), true
		}
	}
	return 0, false
}

// Every yields the members, in their order.
func (n Names[T]) Every(yield func(T) bool) {
	for i, name := range n {
		if name != "" && !yield(T(i)) {
			return
		}
	}
}

// Read sets v to the member with the name text. The error says that text is no such
// kind of thing, and which there are.
func (n Names[T]) Read(v *T, text []byte, kind string) error {
	member, ok := n.Parse(string(text))
	if !ok {
		return errors.New(strconv.Quote(string(text)) + " is no " + kind + ": write " + n.list())
	}
	*v = member
	return nil
}

// list writes the names as a choice: a, b or c.
func (n Names[T]) list() string {
	var list, last string
	for v := range n.Every {
		switch {
		case last == "":
		case list == "":
			list = last
		default:
			list += ", " + last
		}
		last = n[v]
	}
	if list == "" {
		return last
	}
	return list + " or " + last
}
