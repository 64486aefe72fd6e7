package plaintext

import (
	"errors"
	"slices"
	"strconv"
)

// Enum are the names of an enumeration's members, by value: they are written, parsed and
// listed in one way, without an allocation. A value whose name is empty, usually the zero
// value, is not a member: it is never parsed and never listed.
type Enum[T ~uint8] []string

// Has reports whether v is a member.
func (n Enum[T]) Has(v T) bool { return int(v) < len(n) && n[v] != "" }

// Name returns the name of v, "unnamed 7" for a value that has no entry.
func (n Enum[T]) Name(v T) string {
	if int(v) < len(n) {
		return n[v]
	}
	return "unnamed " + strconv.Itoa(int(v))
}

// Parse finds the member called s.
func (n Enum[T]) Parse(s string) (T, bool) {
	for i, name := range n {
		if name == s && name != "" {
			return T(i), true
		}
	}
	return 0, false
}

// Every yields the members in order.
func (n Enum[T]) Every(yield func(T) bool) {
	for i, name := range n {
		if name != "" && !yield(T(i)) {
			return
		}
	}
}

// Read sets v to the member called text. The error says that text is not such a kind of
// thing, and lists those that are.
func (n Enum[T]) Read(v *T, text []byte, kind string) error {
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
func (n Enum[T]) list() string {
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
