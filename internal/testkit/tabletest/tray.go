package tabletest

import (
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Tray is what lies in a table's tray, by a dealer who moves chips as the payments say, right or wrong.
type Tray struct {
	// Chips is how much more lies in it than at the beginning, and Over how much more was paid than was due.
	Chips, Over int64

	lines []chip
	claim vocab.Input // the payment that did not agree
	// before is what lay in it before each payment of the round that can be taken back.
	before []Tray
}

// chip is a decided wager or a bonus whose chips lie on the table.
type chip struct {
	vocab.Output
	moved bool
}

// See moves the chips that an input and its answer move.
func (y *Tray) See(in *vocab.Input, outs []vocab.Output) {
	refused, held, right := false, false, irregularity.Choice(0)
	for i := range outs {
		switch out := &outs[i]; {
		case out.Kind == vocab.Opened:
			y.lines, y.before = nil, nil
		case out.Kind == vocab.Undone && out.Input == vocab.InPaid:
			*y = y.before[len(y.before)-1]
			return
		case out.Kind == vocab.Rejected:
			refused = true
		case out.Kind == vocab.Settled || out.Kind == vocab.Bonus:
			y.lines = append(y.lines, chip{Output: *out})
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
func (y *Tray) pay(in *vocab.Input, asSaid bool) {
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
			y.Chips += c.Stake - c.Returned
		}
	}
	if asSaid {
		y.Over += in.Amount - due
		due = in.Amount
	}
	y.Chips -= due
}

// Rest moves what no payment has named, since nothing is paid on it.
func (y *Tray) Rest() { y.pay(&vocab.Input{}, false) }

// PayWrongly is what a dealer says who pays boxes and bettors, a third of them wrongly.
func PayWrongly(dice Dice, t *table.Table) vocab.Input {
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

// Cash is a table at which the dealer pays boxes and bettors, a third of them wrongly, payments are taken back after the
// last, rounds are held and voided, and past rounds adjusted. The Tray follows.
type Cash struct {
	Player
	Tray
	// Adjusted is what was paid by adjustments, and Adjustments how many there were.
	Adjusted    int64
	Adjustments int
	// lay are the adjustments that can be made.
	lay []vocab.Input
}

// Next is what comes next. Every stake has its amount.
func (c *Cash) Next(t *table.Table) vocab.Input {
	_, holding := t.Held()
	switch phase := t.Phase(); {
	case phase == vocab.Payment && !holding:
		return PayWrongly(c.Dice, t)
	case phase != vocab.Idle && phase != vocab.Bets && c.Dice.IntN(120) == 0:
		return vocab.Input{Kind: vocab.InHold}
	case phase == vocab.Idle && t.Round() > 0 && c.Dice.IntN(3) == 0:
		return vocab.Input{Kind: vocab.InUndo}
	case len(c.lay) > 0 && c.Dice.IntN(20) == 0:
		in := c.lay[c.Dice.IntN(len(c.lay))]
		in.Amount = 500 * int64(c.Dice.IntN(9)-4)
		return in
	}
	in := c.Player.Next(t)
	if in.Kind == vocab.InStake && !in.Stated {
		in.Amount, in.Stated = t.Rules().Table.Min, true
		if bet, side := in.Wager.Side(); side {
			in.Amount = t.Rules().Offer(bet).Least
		}
	}
	return in
}

// See moves the chips that an input and its answer move.
func (c *Cash) See(in *vocab.Input, outs []vocab.Output) {
	c.Tray.See(in, outs)
	for i := range outs {
		switch outs[i].Kind {
		case vocab.Adjusted:
			c.Adjusted, c.Adjustments = c.Adjusted+outs[i].More, c.Adjustments+1
		case vocab.Finished:
			c.Rest()
			for k := range c.lines {
				one := &c.lines[k]
				c.lay = append(c.lay, vocab.Input{
					Kind: vocab.InAdjust, Nth: int(outs[i].Round), Box: int(one.Box), Bettor: one.Bettor, Wager: one.Wager, Hand: one.Hand,
					By: "s1", Because: "dispute",
				})
			}
		}
	}
}
