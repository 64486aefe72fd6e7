package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with a document.
type Fault struct {
	// File is the name given to Decode; Line and Column count from 1, Column in
	// characters.
	File         string
	Line, Column int
	// Path names the value, such as shoe.port or boxes[2].name. It is empty when
	// the fault concerns the document as a whole.
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

// Faults are all the faults of a document, in the order of their lines.
type Faults []Fault

// Error writes one fault a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Err returns the faults as an error, or nil if there are none.
func (fs Faults) Err() error {
	if len(fs) == 0 {
		return nil
	}
	return fs
}

func (fs Faults) sort() {
	slices.SortStableFunc(fs, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
