// Package enum gives an enumeration its names: written, parsed and listed in one way,
// without an allocation. It is a leaf of the round engine, and imports nothing that
// could do more than that.
package enum

import "strconv"

// Names are the names of an enumeration's members, by their value. The zero member is
// the absence of one: it is written as its entry, most often "", but never parsed and
// never listed. So is a member whose name is empty.
type Names[T ~uint8] []string

// Name returns the name of v, "unnamed 7" for a value that has no entry.
func (n Names[T]) Name(v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return "unnamed " + strconv.Itoa(int(v))
}

// Parse finds the member with the name s.
func (n Names[T]) Parse(s string) (T, bool) {
	for i := 1; i < len(n); i++ {
		if n[i] == s && s != "" {
			return T(i), true
		}
	}
	return 0, false
}

// Every yields the members that have names, in their order.
func (n Names[T]) Every(yield func(T) bool) {
	for i := 1; i < len(n); i++ {
		if n[i] != "" && !yield(T(i)) {
			return
		}
	}
}
