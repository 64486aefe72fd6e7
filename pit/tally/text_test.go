package tally_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/rules"
)

// TestRounds tells rounds as a croupier would, and what they come to. A line "wait 5s" lets
// time pass; each input takes a second.
func TestRounds(t *testing.T) {
	datadriven.RunTest(t, "testdata/rounds.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "play" || len(d.CmdArgs) != 1 {
			d.Fatalf(t, "a case begins with play and the house")
		}
		s := newScene(t)
		s.take(*tabletest.SetUp(rules.Setup{House: d.CmdArgs[0].Key}))
		var text strings.Builder
		for line := range strings.Lines(d.Input) {
			if wait, ok := strings.CutPrefix(strings.TrimSpace(line), "wait "); ok {
				pause, err := time.ParseDuration(wait)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				s.at = s.at.Add(pause)
				continue
			}
			inputs, err := tabletest.Inputs(line)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			for _, in := range inputs {
				step := s.take(in)
				if w := step.Waited; w != nil {
					fmt.Fprintf(&text, "opened %s after the round before, of which %s are dealt\n", s.at.Sub(w.Opened),
						w.Dealt+w.More)
				}
				if step.Ended != nil {
					describe(&text, step.Ended)
				}
			}
		}
		return text.String()
	})
}

func describe(text *strings.Builder, r *tally.Round) {
	fmt.Fprintf(text, "round %d: %s at %s in %s", r.Number, r.Game, r.House, r.Currency)
	if r.Dealer != "" {
		fmt.Fprintf(text, ", dealt by %s", r.Dealer)
	}
	if r.Void {
		text.WriteString(", void")
	}
	fmt.Fprintf(text, "\nrecords %d to %d, %s; boxes %d of %d, hands %d, bettors %d, cards %d; calls %+v\n",
		r.First, r.Last, r.Ended.Sub(r.Opened), r.Boxes, r.Places, r.Hands, r.Bettors, r.Cards, r.Calls)
	for _, w := range r.Wagers {
		fmt.Fprintf(text, "%s: %d, staked %d, returned %d", w.Wager, w.Count, w.Staked, w.Returned)
		if w.Unknown > 0 {
			fmt.Fprintf(text, ", unknown %d", w.Unknown)
		}
		if w.Dead > 0 {
			fmt.Fprintf(text, ", of which %d and %d are dead", w.Dead, w.DeadReturned)
		}
		if w.BoxSquares > 0 {
			fmt.Fprintf(text, ", squares %.0f", w.BoxSquares)
		}
		text.WriteString("\n")
	}
	for _, on := range r.Lays {
		fmt.Fprintf(text, "on %d: staked %d, returned %d, %v\n", on.Box, on.Staked, on.Returned, on.Cards)
	}
	for _, i := range r.Irregularities {
		fmt.Fprintf(text, "%s in record %d", i.Code, i.Record)
		if i.Righted.IsZero() {
			text.WriteString(", open\n")
			continue
		}
		fmt.Fprintf(text, ", put right with %s by %q after %s\n", i.With, i.By, i.Righted.Sub(i.Raised))
	}
}
