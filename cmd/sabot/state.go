package main

import (
	"context"
	"flag"
	"fmt"
	"strconv"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// printState prints where a table stood after a record, in one line, by dealing the round
// again from the record.
func printState(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() < 1 || set.NArg() > 2 {
		return errUsage("it takes a journal, and the number of a record if it is not the last")
	}
	var seq uint64
	if set.NArg() == 2 {
		var err error
		if seq, err = strconv.ParseUint(set.Arg(1), 10, 64); err != nil || seq == 0 {
			return errUsage(fmt.Sprintf("%q is not a record: write its number, from 1", set.Arg(1)))
		}
	}
	return withJournal(set.Arg(0), func(j *journal.Reader) error {
		line, err := recall.New(j, profile.Built()).State(seq)
		if err != nil {
			return fmt.Errorf("%s: %w", set.Arg(0), err)
		}
		_, err = fmt.Fprintln(e.out, terminal.Visible(line))
		return err
	})
}
