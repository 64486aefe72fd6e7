package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
)

// wagersOf are what the rules are worth: known beforehand, or worked out now.
func wagersOf(ctx context.Context, r *rules.Rules, e env) ([]odds.Wager, error) {
	if wagers, ok := dealt.Known(r); ok {
		return wagers, nil
	}
	report, err := reportOf(ctx, r, e)
	if err != nil {
		return nil, err
	}
	return report.Wagers, nil
}

// reportOf works out what the rules are worth.
func reportOf(ctx context.Context, r *rules.Rules, e env) (*odds.Report, error) {
	progress := terminal.NewBar(terminal.Raw(e.err), false)
	report, err := workedOut(ctx, odds.Query{
		Rules: r, Shoe: odds.Full(r), Boxes: 1,
		Told: func(p odds.Progress) { progress.Show(uint64(p.Done), uint64(p.Of)) },
	}, usualRounds)
	progress.Clear()
	return report, err
}

// writeOdds writes in short what the rules are worth.
func writeOdds(ctx context.Context, name string, r *rules.Rules, e env) error {
	wagers, err := wagersOf(ctx, r, e)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "\nWhat it is worth to the house, with best play\n")
	for _, w := range wagers {
		fmt.Fprintf(table, "  %s\t%.2f %%\t%s\n", w.Name, 100*w.Edge, w.Method)
	}
	fmt.Fprintf(table, "  sabot rules odds --house %s says more.\n", name)
	return table.Flush()
}

// warnOfGifts warns of wagers of which the bettor has more than the house.
func warnOfGifts(wagers []odds.Wager, e env) {
	for _, w := range wagers {
		switch {
		case w.Edge < -4*w.Error:
			fmt.Fprintf(e.err,
				"warning: %s gives the bettor the edge, %.2f %% of each stake: is that meant? sabot rules odds has "+
					"its lines\n", w.Name, -100*w.Edge)
		case w.Method == odds.Simulated && w.Edge < w.Error:
			fmt.Fprintf(e.err,
				"warning: %s may give the bettor the edge: that of the house is %.2f %%, dealt with a standard "+
					"error of %.2f %%; sabot rules odds has its lines\n", w.Name, 100*w.Edge, 100*w.Error)
		case w.LongRun != nil && *w.LongRun < 0:
			fmt.Fprintf(e.err,
				"warning: %s gives the bettor the edge in the long run, %.2f %% of each stake, by what goes into "+
					"the jackpot: write less for jackpot.feeds\n", w.Name, -100**w.LongRun)
		}
	}
}
