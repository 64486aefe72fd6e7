package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/sabot-table/sabot/internal/terminal"
)

// page is what a command says of itself.
func (c command) page() terminal.Usage {
	line := strings.TrimSpace("sabot " + c.name + " " + c.args)
	return terminal.Usage{Line: line, What: c.what, Arguments: c.arguments, Examples: c.examples}
}

// explain writes what a command says of itself, and ends it. set has its name and its options.
func explain(set *flag.FlagSet, e env) error {
	c, _, _ := find(strings.Fields(set.Name()))
	return errors.Join(flag.ErrHelp, c.page().Write(e.out, set))
}

func help(w io.Writer) {
	fmt.Fprintln(w, "sabot: the tool for the bench and the auditor of a Sabot table")
	for _, s := range sections() {
		fmt.Fprintf(w, "\n%s\n\n", s.title)
		list(w, s.commands)
	}
	fmt.Fprintln(w, "\nExit status: 0 all is well, 1 something is wrong, 2 usage.")
	fmt.Fprintln(w, "sabot help COMMAND, or sabot COMMAND -h, says more and gives an example.")
}

// list writes a line for each command, which internal/release reads.
func list(w io.Writer, commands []command) {
	for _, c := range commands {
		fmt.Fprintf(w, "  sabot %-22s %s\n", c.name, c.what)
	}
}
