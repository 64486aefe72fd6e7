// Package enum gives an enumeration its names: it writes, parses and lists them in one
// way, without an allocation. It is a leaf of the round engine and imports only what that
// needs.
package enum

import (
	"errors"
	"slices"
	"strconv"
)

// Names are the names of an enumeration's members, by value. A value whose name is
// empty, usually the zero value, is not a member: it is never parsed and never listed.
type Names[T ~uint8] []string

// Has reports whether v is a member.
func (n Names[T]) Has(v T) bool { return int(v) < len(n) && n[v] != "" }

// Name returns the name of v, "unnamed 7" for a value that has no entry.
func (n Names[T]) Name(v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return "unnamed " + strconv.Itoa(int(v))
}

// Parse finds the member called s.
func (n Names[T]) Parse(s string) (T, bool) {
	for i, name := range n {
		if name == s && name != "" {
			return T(i), true
		}
	}
	return 0, false
}

// Every yields the members in order.
func (n Names[T]) Every(yield func(T) bool) {
	for i, name := range n {
		if name != "" && !yield(T(i)) {
			return
		}
	}
}

// Read sets v to the member called text. The error says that text is not such a kind of
// thing, and lists those that are.
func (n Names[T]) Read(v *T, text []byte, kind string) error {
	member, ok := n.Parse(string(text))
	if !ok {
		article := " is not a "
		if slices.Contains([]byte("aeiou"), kind[0]) {
			article = " is not an "
		}
		return errors.New(strconv.Quote(string(text)) + article + kind + ": write " + n.list())
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
