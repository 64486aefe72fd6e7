package secondbook

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/table/vocab"
)

// mostPast is how many rounds the book leafs back for an adjustment: more than a gaming day has.
const mostPast = 1024

// pastRound are the wagers of a round that was finished.
type pastRound struct {
	number uint64
	wagers []pastWager
}

// pastWager is one of them.
type pastWager struct {
	place
	name  string
	wager vocab.Wager
}

// finish keeps the wagers of a round, in the place of one that is long past. A round that was at payment again takes
// its own place.
func (b *Book) finish(number uint64) {
	if len(b.past) < mostPast {
		b.past = append(b.past, make([]pastRound, mostPast-len(b.past))...)
	}
	r := &b.past[number%mostPast]
	b.last, r.number, r.wagers = number, number, r.wagers[:0]
	for i := range b.page.lines {
		l := &b.page.lines[i]
		r.wagers = append(r.wagers, pastWager{l.place, l.name, l.wager})
	}
}

// lay reports whether a wager lay on the table in a past round; one that the book has not followed may have.
func (b *Book) lay(out *vocab.Output) bool {
	if len(b.past) == 0 {
		return true
	}
	r := &b.past[out.Round%mostPast]
	if r.number != out.Round {
		return true
	}
	for _, w := range r.wagers {
		if w.box == out.Box && w.name == out.Bettor && w.wager == out.Wager &&
			(out.Hand == 0 || max(1, w.hand) == out.Hand) {
			return true
		}
	}
	return false
}

// adjusted: what a supervisor pays or takes of a past round's wager is told as it was put in, and the wager lay there.
// No round changes by it.
func (b *Book) adjusted(in *vocab.Input, outs []vocab.Output) error {
	if len(outs) == 0 || outs[0].Kind != vocab.Adjusted || outs[0].Trouble == nil {
		return errors.New("an adjustment was taken, and it is not told")
	}
	out := &outs[0]
	if b.tray.counted {
		b.tray.move(-in.Amount)
		b.tray.since.adjusted++
	}
	if err := b.tray.told(out); err != nil {
		return err
	}
	switch {
	case in.Role != vocab.Supervisor:
		return errors.New("an adjustment was taken from somebody who is no supervisor")
	case out.By != in.By || out.Because != in.Because:
		return fmt.Errorf("%q has made an adjustment, %q; told: %q, %q", in.By, in.Because, out.By, out.Because)
	case out.Round != uint64(in.PastRound) || int(out.Box) != in.Box || out.Hand != in.Hand ||
		out.Bettor != in.Bettor || out.Wager != in.Wager:
		return fmt.Errorf("round %d, box %d, %s, %s is adjusted; told: round %d, %s, %s, %s", in.PastRound, in.Box,
			in.Bettor, in.Wager,
			out.Round, place{out.Box, out.Hand}, out.Bettor, out.Wager)
	case out.Adjusted != in.Amount:
		return fmt.Errorf("round %d, %s, %s, %s is adjusted by %s; told: %s", out.Round, place{out.Box, out.Hand},
			out.Bettor, out.Wager, amount(in.Amount), amount(out.Adjusted))
	case !b.lay(out):
		return fmt.Errorf("round %d is adjusted: %s, %s, %s, and no such wager was decided in it", out.Round,
			place{out.Box, out.Hand}, out.Bettor, out.Wager)
	}
	if !b.page.underWay && out.Round == b.last {
		b.presses = 0 // what was paid in the last round stays so
		b.leave()
	}
	return nil
}
