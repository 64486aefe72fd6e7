package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// count is what one attack came to.
type count struct{ name, tries, through, test string }

// testEvent is a line of "go test -json", as far as it is needed.
type testEvent struct{ Action, Package, Test, Output string }

// read takes the counts out of what "go test -json" says, and what the tests that failed have said.
func read(events io.Reader) (counts []count, failures []string, err error) {
	said := map[string]*strings.Builder{}
	for lines := json.NewDecoder(events); ; {
		var e testEvent
		if err := lines.Decode(&e); errors.Is(err, io.EOF) {
			return counts, failures, nil
		} else if err != nil {
			return counts, failures, fmt.Errorf("what go test says cannot be read: %w", err)
		}
		test := e.Package + " " + e.Test
		switch e.Action {
		case "output":
			if said[test] == nil {
				said[test] = &strings.Builder{}
			}
			said[test].WriteString(e.Output)
			if one, is := parseAttack(e); is {
				counts = append(counts, one)
			}
		case "fail":
			if text := said[test]; text != nil {
				failures = append(failures, text.String())
			}
		}
	}
}

// parseAttack reads the line of one attack, which stands after the place in the test that reported it.
func parseAttack(e testEvent) (count, bool) {
	_, line, is := strings.Cut(strings.TrimSuffix(e.Output, "\n"), attack.Prefix)
	cells := strings.Split(line, "\t")
	if !is || len(cells) != 3 {
		return count{}, false
	}
	return count{cells[0], cells[1], cells[2], e.Test}, true
}

// write writes the counts as a table.
func write(to io.Writer, counts []count) error {
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "attack\ttries\tgot through\ttest")
	for _, one := range counts {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", one.name, one.tries, one.through, one.test)
	}
	return table.Flush()
}
