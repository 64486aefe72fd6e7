package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/money"
)

// auditJackpots adds up what the journals of several tables say of the jackpots that they play for together.
func auditJackpots(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	meter := set.String("meter", "",
		"the `amount` that the pit shows: what was fed and put in and not paid must be that")
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() == 0 {
		return errUsage("it takes the journals of all tables that play for the jackpot")
	}
	var all audit.Linked
	for _, path := range set.Args() {
		err := withJournal(path, func(j *journal.Reader) error {
			if err := all.Add(j); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	sums := all.Sums()
	if len(sums) == 0 {
		return errors.New("no table of these journals plays for a jackpot with others: name the journals of " +
			"those that do")
	}
	if *meter != "" && len(sums) > 1 {
		return errUsage("the journals are of several jackpots: check the meter of each by its own tables' journals")
	}
	for i := range sums {
		tellJackpot(e.out, &sums[i])
	}
	if *meter == "" {
		return nil
	}
	digits := money.Digits(sums[0].Currency)
	shown, err := money.Parse(*meter, digits)
	if err != nil {
		return errUsage(err.Error())
	}
	if left := sums[0].Meter() - shown; left != 0 {
		fmt.Fprintf(e.out, "NOT WELL: the pit shows %s, which is %s less than that\n", money.Format(shown, digits),
			money.Format(left, digits))
		return errNotWell
	}
	return nil
}

// tellJackpot writes how a jackpot adds up.
func tellJackpot(out io.Writer, s *audit.LinkedSum) {
	fmt.Fprintf(out, "jackpot %s, %s: %d tables, %d rounds, won %d times\n", s.Name, s.Currency, s.Tables,
		s.Rounds, s.Wins)
	amount := func(minor int64) string { return money.Format(minor, money.Digits(s.Currency)) }
	for _, line := range []struct {
		what string
		sum  int64
	}{
		{"fed by stakes", s.Fed},
		{"put in by the house", s.Seeds},
		{"paid", -s.Paid},
		{"must be in it", s.Meter()},
	} {
		fmt.Fprintf(out, "  %-22s%18s\n", line.what, amount(line.sum))
	}
	if s.Entry > 0 {
		fmt.Fprintf(out, "  %-22s%18s by entry %d\n", "last told to a table", amount(s.Told), s.Entry)
	}
	if s.Waiting > 0 {
		fmt.Fprintf(out, "  %d tables have won and were not told yet how much\n", s.Waiting)
	}
}
