// Package diag says what is wrong with files that people write, each fault with its
// line, its column and what to do about it.
package diag

import (
	"cmp"
	"fmt"
	"sort"
	"strings"
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	// File is the file's name; Line and Column count from 1, Column in characters.
	File         string
	Line, Column int
	// Path names the value, such as shoe.port or boxes[2].name. It is empty when the fault concerns the whole file.
	Path string
	// What completes the sentence that Path begins: "is missing".
	What string
	// Hint says what to do about it; it may be empty.
	Hint string
}

// Error writes the fault as file:line:column: path: what; hint.
func (f Fault) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d:%d: ", f.File, f.Line, f.Column)
	if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.What)
	if f.Hint != "" {
		b.WriteString("; " + f.Hint)
	}
	return b.String()
}

// List is all the faults of a file, in the order of their lines once it is sorted.
type List []Fault

// Error writes one fault per line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, f := range l {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the faults as an error, or nil if there are none.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Sort orders the faults by line and column.
func (l List) Sort() {
	sort.SliceStable(l, func(a, b int) bool {
		return cmp.Or(cmp.Compare(l[a].Line, l[b].Line), cmp.Compare(l[a].Column, l[b].Column)) < 0
	})
}
