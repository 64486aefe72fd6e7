package tally_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// tray is what lies in a table's tray, by a dealer who moves chips as the payments say, right or wrong.
type tray struct {
	chips, over int64
	lines       []chip
	known       bool
	claim       vocab.Input // the payment that did not agree
	// before is what lay in it before each payment of the round that can be taken back.
	before []tray
}

// chip is a decided wager or a bonus whose chips lie on the table.
type chip struct {
	vocab.Output
	moved bool
}

// see moves the chips that an input and its answer move.
func (y *tray) see(in *vocab.Input, outs []vocab.Output) {
	refused, held, right := false, false, irregularity.Choice(0)
	for i := range outs {
		switch out := &outs[i]; {
		case out.Kind == vocab.Opened:
			y.lines, y.known, y.before = nil, true, nil
		case out.Kind == vocab.Undone && out.Input == vocab.InPaid:
			*y = y.before[len(y.before)-1]
			return
		case out.Kind == vocab.Rejected:
			refused = true
		case out.Kind == vocab.Settled || out.Kind == vocab.Bonus:
			y.lines = append(y.lines, chip{Output: *out})
			y.known = y.known && !out.Unstated
		case out.Code == irregularity.PayoutMismatch && out.Kind == vocab.Irregular:
			held, y.claim = true, *in
		case out.Code == irregularity.PayoutMismatch && out.Kind == vocab.Resolved:
			right = out.With
		}
	}
	switch {
	case refused || held:
	case in.Kind == vocab.InPaid:
		was := *y
		was.lines = slices.Clone(y.lines)
		y.before = append(y.before, was)
		y.pay(in, false)
	case right != 0:
		y.pay(&y.claim, right == irregularity.Accept)
	}
}

// pay moves the chips of a payment: what was taken, what is due or, by mistake, what was said.
func (y *tray) pay(in *vocab.Input, asSaid bool) {
	due := int64(0)
	for i := range y.lines {
		c := &y.lines[i]
		meant := (in.Box == 0 || in.Box == int(c.Box)) && (in.Bettor == "" || in.Bettor == c.Bettor) &&
			(in.Wager == 0 || in.Wager == c.Wager) && (in.Hand == 0 || in.Hand == c.Hand) && (in.Why == 0 || in.Why == c.Why)
		if c.moved || !meant {
			continue
		}
		c.moved = true
		due += c.Won
		if c.Kind == vocab.Settled {
			y.chips += c.Stake - c.Returned
		}
	}
	if asSaid {
		y.over += in.Amount - due
		due = in.Amount
	}
	y.chips -= due
}

// rest moves what no payment has named, since nothing is paid on it.
func (y *tray) rest() { y.pay(&vocab.Input{}, false) }

// wrongly is what a dealer says who pays boxes and bettors, a third of them wrongly.
func wrongly(dice *rand.Rand, t *table.Table) vocab.Input {
	var open []vocab.Output
	for nth, out := range t.Decided() {
		if !t.Paid(int(out.Box)) && !t.PaidAtOnce(nth) {
			open = append(open, out)
		}
	}
	if len(open) == 0 || dice.IntN(6) == 0 {
		return vocab.Input{Kind: vocab.InPaid}
	}
	one := open[dice.IntN(len(open))]
	in := vocab.Input{Kind: vocab.InPaid, Box: int(one.Box)}
	if dice.IntN(2) == 0 {
		in.Bettor = one.Bettor
	}
	if dice.IntN(3) > 0 {
		in.Stated = true
		for _, out := range open {
			if out.Box == one.Box && (in.Bettor == "" || in.Bettor == out.Bettor) {
				in.Amount += out.Won
			}
		}
		if dice.IntN(3) == 0 {
			in.Amount = max(0, in.Amount+50*int64(dice.IntN(200)-100))
		}
	}
	return in
}

// TestTray: whatever is paid, rightly or wrongly, alone or together, in rounds that are voided or not, the opening
// tray, all that was taken and all that was paid come to the closing tray, and the rounds as they are counted, and the
// second book, say the same to the cent.
func TestTray(t *testing.T) {
	var rounds, void, kept, other, back, later int
	houses := tabletest.Book().Names()
	dice := rand.New(rand.NewPCG(31, 1))
	for rounds < tier.Times(600, 100_000) {
		s := newScene(t)
		player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true}
		s.take(*tabletest.SetUp(rules.Setup{House: houses[dice.IntN(len(houses))]}))
		var y tray
		sum, over, known := int64(0), int64(0), true
		var lay []vocab.Input // adjustments that can be made
		adjusted := int64(0)
		for range 3000 {
			in := player.Next(&s.table)
			_, holding := s.table.Held()
			switch {
			case s.table.Phase() == vocab.Payment && !holding:
				in = wrongly(dice, &s.table)
			case s.table.Phase() != vocab.Idle && s.table.Phase() != vocab.Bets && dice.IntN(120) == 0:
				in = vocab.Input{Kind: vocab.InHold}
			case s.table.Phase() == vocab.Idle && rounds > 0 && dice.IntN(3) == 0:
				in = vocab.Input{Kind: vocab.InUndo}
			case len(lay) > 0 && dice.IntN(20) == 0:
				in = lay[dice.IntN(len(lay))]
				in.Amount = 500 * int64(dice.IntN(9)-4)
			}
			outs := s.answer(&in)
			y.see(&in, outs)
			step := s.last
			if a := step.Adjusted; a != nil {
				adjusted += in.Amount
				sum, over, later = sum-a.Amount, over+a.Amount, later+1
			}
			if dice.IntN(9) == 0 {
				s.resume()
			}
			if again := step.Reopened; again != nil {
				back++
				for _, w := range again.Wagers {
					sum, over = sum-w.Staked+w.Returned, over-w.Returned+w.Due
				}
			}
			if step.Ended == nil {
				continue
			}
			y.rest()
			rounds++
			one := step.Ended
			for i := range y.lines {
				c := &y.lines[i]
				lay = append(lay, vocab.Input{
					Kind: vocab.InAdjust, Nth: int(one.Number), Box: int(c.Box), Bettor: c.Bettor, Wager: c.Wager, Hand: c.Hand, By: "s1", Because: "dispute",
				})
			}
			for _, w := range one.Wagers {
				sum, over = sum+w.Staked-w.Returned, over+w.Returned-w.Due
				if w.Kept != 0 {
					kept++
				}
			}
			if one.Void {
				void++
			}
			if known = known && y.known; !known {
				break // nobody knows what lies in the tray
			}
			if y.chips-adjusted != sum || y.over+adjusted != over {
				t.Fatalf("round %d: the tray has %d more than at the beginning, %d of it wrongly; by what was counted %d and %d",
					one.Number, y.chips-adjusted, -y.over-adjusted, sum, -over)
			}
			if y.over != 0 {
				other++
			}
		}
	}
	if void == 0 || kept == 0 || other < 50 || back < 50 || later < 50 {
		t.Errorf("%d rounds, %d void, %d of them kept something, %d with wrong payments behind them, %d payments taken back after the last, %d adjustments: the test shows too little",
			rounds, void, kept, other, back, later)
	}
}
