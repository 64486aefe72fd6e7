package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// counted identifies a line of the table: an irregularity in one dealer's shift.
type counted struct{ dealer, shift, code string }

// tally says how often an irregularity occurred, and how it was put right.
type tally struct {
	times int
	with  map[string]int
}

// printIrregularities counts a journal's irregularities by dealer, shift and code.
func printIrregularities(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	counts := map[counted]*tally{}
	var at counted
	var read history.Reader
	return readRecords(path, e.out, func(_ *bufio.Writer, r journal.Record) {
		for line := range r.Lines() {
			at.count(&read, line, counts)
		}
	}, func(out *bufio.Writer) error { return writeCounts(out, counts) })
}

// count counts one output; most are of other kinds.
func (at *counted) count(read *history.Reader, line []byte, counts map[counted]*tally) {
	if !bytes.Contains(line, []byte(`"out":"irregular"`)) && !bytes.Contains(line, []byte(`"out":"resolved"`)) &&
		!bytes.Contains(line, []byte(`"out":"dealer"`)) {
		return
	}
	out := read.Output(line).Out
	if out.Kind == vocab.DealerChanged {
		at.dealer, at.shift = out.By, out.Dealer.Shift
		return
	}
	key := counted{at.dealer, at.shift, out.Code.String()}
	if counts[key] == nil {
		counts[key] = &tally{with: map[string]int{}}
	}
	if out.Kind == vocab.Resolved {
		counts[key].with[out.With.String()]++
	} else {
		counts[key].times++
	}
}

func writeCounts(out *bufio.Writer, counts map[counted]*tally) error {
	if len(counts) == 0 {
		_, err := fmt.Fprintln(out, "no irregularities")
		return err
	}
	order := func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.dealer, b.dealer), cmp.Compare(a.shift, b.shift), cmp.Compare(a.code, b.code))
	}
	table := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "dealer\tshift\tirregularity\ttimes\tput right with")
	for _, key := range slices.SortedFunc(maps.Keys(counts), order) {
		one := counts[key]
		fmt.Fprintf(table, "%s\t%s\t%s\t%d\t", cmp.Or(terminal.Visible(key.dealer), "-"),
			cmp.Or(terminal.Visible(key.shift), "-"), key.code, one.times)
		for i, with := range slices.Sorted(maps.Keys(one.with)) {
			if i > 0 {
				fmt.Fprint(table, ", ")
			}
			fmt.Fprintf(table, "%s %d", with, one.with[with])
		}
		fmt.Fprintln(table)
	}
	return table.Flush()
}
