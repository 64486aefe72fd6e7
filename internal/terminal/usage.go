// Package terminal is what a program says at a terminal: what a command says of itself with -h, which version of Sabot
// it is, how far it is, and what it did not make itself, so that nothing in that steers the terminal or passes for a
// line of the program's own.
//
// A text goes through Visible before it gets into a line: a line break in it is no line break any more. What is printed
// goes through a Writer, which leaves the program's own line breaks and tabs. JSON keeps its values, with what is
// hidden in them as JSON's own escapes.
package terminal

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// Usage is what a command says of itself.
type Usage struct {
	// Line is the command with its arguments, such as "sabot journal verify JOURNAL".
	Line string
	// What it does, as the end of a list of commands: without a capital and a full stop.
	What string
	// Arguments explain the words in capitals of Line: "JOURNAL: the folder of a journal".
	Arguments []string
	// Examples are whole lines for a shell.
	Examples []string
}

// Write writes the page, with the options of a set of flags; nil for none.
func (u Usage) Write(w io.Writer, set *flag.FlagSet) error {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s\n\n%s.\n", u.Line, sentence(u.What))
	if len(u.Arguments) > 0 {
		b.WriteByte('\n')
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, one := range u.Arguments {
			name, what, _ := strings.Cut(one, ": ")
			fmt.Fprintf(table, "  %s\t%s\n", name, what)
		}
		table.Flush()
	}
	if options(set) {
		b.WriteString("\nOptions:\n")
		set.SetOutput(&b)
		set.PrintDefaults()
		set.SetOutput(io.Discard)
	}
	if len(u.Examples) > 0 {
		fmt.Fprintf(&b, "\nFor example:\n\n    %s\n", strings.Join(u.Examples, "\n    "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Quiet lets a set of flags say nothing by itself: neither its faults, which the caller
// reports, nor what -h asks for.
func Quiet(set *flag.FlagSet) {
	set.SetOutput(io.Discard)
	set.Usage = func() {}
}

func options(set *flag.FlagSet) (any bool) {
	if set != nil {
		set.VisitAll(func(*flag.Flag) { any = true })
	}
	return any
}

func sentence(what string) string {
	first, size := utf8.DecodeRuneInString(what)
	return string(unicode.ToUpper(first)) + what[size:]
}
