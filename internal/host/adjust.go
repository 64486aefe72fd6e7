package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/internal/totals"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// adjust puts in what a proven supervisor pays or takes of a past round. The engine knows the last round alone; of what
// wagers there were in the others, and in which gaming day, the record knows.
func (d *Daemon) adjust(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	in.Role = vocab.Supervisor
	if err := d.vouch(ctx, &in, in.Role); err != nil {
		return runner.Answer{}, err
	}
	if why, err := d.adjustable(&in); err != nil {
		return runner.Answer{Rejected: why}, err
	}
	return d.runner.SubmitIf(ctx, in, still)
}

// adjustable says why there is nothing that an adjustment could mean.
func (d *Daemon) adjustable(in *vocab.Input) (vocab.Reason, error) {
	if in.PastRound < 1 {
		return vocab.NoSuchRound, history.NoRound(uint64(max(0, in.PastRound)), 0)
	}
	round, err := d.kept.recorded.Round(uint64(in.PastRound))
	switch {
	case errors.Is(err, history.ErrNoRound):
		return vocab.NoSuchRound, err
	case err != nil:
		return 0, fmt.Errorf("the round cannot be read from the journal: %w", err)
	case !round.Finished():
		return vocab.RoundRunning, fmt.Errorf("round %d is not over: pay it as it is due, or take a payment back",
			in.PastRound)
	}
	if began := totals.DayOf(d.given.outside.now()(),
		time.Duration(d.config.Journal.DayBegins)); round.Began.Before(began) {
		return vocab.NoSuchRound,
			fmt.Errorf("round %d is not of this gaming day, which began at %s: adjust it in the books of the house",
				in.PastRound, began.Format("15:04"))
	}
	if now, _ := d.Board.Look(); round.Table.Currency != "" && round.Table.Currency != now.Currency {
		return vocab.NoSuchRound, fmt.Errorf("round %d was played in %s, and the table's chips are in %s: adjust it "+
			"in the books of the house, or once the table is set up in %[2]s again", in.PastRound, round.Table.Currency,
			now.Currency)
	}
	return wagerOf(&round, in)
}

// wagerOf says why a round has no wager of which an adjustment speaks.
func wagerOf(round *history.Round, in *vocab.Input) (why vocab.Reason, err error) {
	for i := range round.Boxes {
		b := &round.Boxes[i]
		if b.Number != in.Box {
			continue
		}
		for k := range b.Settled {
			out := &b.Settled[k].Out
			if out.Bettor != in.Bettor {
				continue
			}
			if why = vocab.NotDecided; out.Wager == in.Wager && (in.Hand == 0 || max(1, out.Hand) == in.Hand) {
				return 0, nil
			}
		}
	}
	if why == 0 {
		return vocab.UnknownBettor, fmt.Errorf("in round %d nobody named %s had a wager on box %d", in.PastRound,
			in.Bettor, in.Box)
	}
	return why, fmt.Errorf("in round %d, %s had no such wager on box %d: %s", in.PastRound, in.Bettor, in.Box, in.Wager)
}
