package tabletest

import (
	"fmt"
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
			(in.Wager == "" || in.Wager == c.Wager) && (in.Hand == 0 || in.Hand == c.Hand) &&
			(in.Why == "" || in.Why == c.Why)
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

// Cash is a table at which the dealer pays boxes and bettors, a third of them wrongly, payments are taken back after
// the last, rounds are held and voided, and past rounds adjusted. The Tray follows.
type Cash struct {
	Player
	Tray
	// Adjusted is what was paid by adjustments, and Adjustments how many there were.
	Adjusted    int64
	Adjustments int
	// Float says that the tray is counted, filled and sold from, and now and then stolen from. Moved is what that has
	// laid into it, Stolen what is missing since it was counted last, and Counts, Thefts and Slips how many there were.
	// Wrong is what the table said otherwise.
	Float                 bool
	Moved, Stolen         int64
	Counts, Thefts, Slips int
	Wrong                 []string
	between, known        bool
	// lay are the adjustments that can be made.
	lay []vocab.Input
}

// Held is what lies in the tray.
func (c *Cash) Held() int64 { return c.Chips - c.Adjusted + c.Moved }

// Count counts what lies in the tray. The first time that is what the house lays into it.
func (c *Cash) Count(event vocab.CountEvent) vocab.Input {
	if !c.known {
		c.Moved = 10_000_000 - c.Chips + c.Adjusted
	}
	return vocab.Input{
		Kind: vocab.InCount, By: "s1",
		Tray: &vocab.Tray{Count: event, Dealer: "d1", Chips: InValues(c.Held())},
	}
}

// NextStep is the next step of a slip under way.
func NextStep(s *vocab.Slip) vocab.Input {
	in := vocab.Input{Kind: s.Kind(), By: "s1", Tray: &vocab.Tray{Step: s.Step + 1, Slip: s.Number, Chips: s.Chips}}
	if in.Tray.Step == vocab.SlipApproved {
		in.Tray.Chips = nil
	}
	return in
}

// move is what is done with the tray beside the rounds. A theft nobody puts in.
func (c *Cash) move(t *table.Table) vocab.Input {
	slips := t.Tray().Slips
	switch n := c.Dice.IntN(12); {
	case n == 0 && c.known:
		c.Moved, c.Stolen, c.Thefts = c.Moved-10_000, c.Stolen+10_000, c.Thefts+1
		fallthrough
	case n < 3:
		return c.Count(vocab.CountInterim)
	case n < 8 && len(slips) > 0:
		return NextStep(&slips[c.Dice.IntN(len(slips))])
	case n < 8:
		return vocab.Input{
			Kind: anyOf(&c.Player, vocab.InFill, vocab.InCredit), By: "d1",
			Tray: &vocab.Tray{Step: vocab.SlipAsked, Chips: c.someChips()},
		}
	case n < 10:
		return vocab.Input{
			Kind:   anyOf(&c.Player, vocab.InBuyIn, vocab.InTips),
			Amount: anyOf[int64](&c.Player, 5000, 20_000, -5000), By: "s1",
		}
	case n == 10:
		return vocab.Input{Kind: vocab.InDrop, By: "s1"}
	}
	chips := c.someChips()
	return vocab.Input{
		Kind: vocab.InChange, By: "d1",
		Tray: &vocab.Tray{Chips: chips, For: []vocab.Chips{{Value: 50, Pieces: sumOf(chips) / 50}}},
	}
}

func (c *Cash) someChips() []vocab.Chips {
	return []vocab.Chips{
		{Value: 500, Pieces: int64(1 + c.Dice.IntN(40))},
		{Value: 10_000, Pieces: int64(1 + c.Dice.IntN(9))},
	}
}

// seeTray moves what an input has moved that is of the tray, and compares what must be in it with what lies there.
func (c *Cash) seeTray(in *vocab.Input, out *vocab.Output) {
	y := in.InTray()
	switch {
	case out.Kind == vocab.Counted:
		if must := c.Held() + c.Stolen; c.known &&
			(!out.InTray.Known || out.InTray.Amount != must || out.Tray.Difference != -c.Stolen) {
			c.Wrong = append(c.Wrong, fmt.Sprintf("count in line %d: %d had to be there, %d are stolen; told: %d, %d",
				in.Line, must, c.Stolen, out.InTray.Amount, out.Tray.Difference))
		}
		c.known, c.Stolen, c.Counts = true, 0, c.Counts+1
		return
	case in.Kind == vocab.InFill && y.Step == vocab.SlipReceived, in.Kind == vocab.InTips:
		c.Moved += in.Amount + sumOf(y.Chips)
	case in.Kind == vocab.InCredit && y.Step == vocab.SlipSent, in.Kind == vocab.InBuyIn:
		c.Moved -= in.Amount + sumOf(y.Chips)
	}
	if y.Step == vocab.SlipReceived {
		c.Slips++
	}
	if must := c.Held() + c.Stolen; c.known && c.between && (!out.InTray.Known || out.InTray.Amount != must) {
		c.Wrong = append(c.Wrong, fmt.Sprintf("%s in line %d: %d must be in the tray; told: %d, %t", out.Kind, in.Line,
			must, out.InTray.Amount, out.InTray.Known))
	}
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
	case c.Float && c.Dice.IntN(12) == 0:
		return c.move(t)
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
		case vocab.Opened:
			c.between = false
		case vocab.Undone:
			c.between = c.between && outs[i].Round == 0
		case vocab.Counted, vocab.TrayMoved:
			c.seeTray(in, &outs[i])
		case vocab.Adjusted:
			c.Adjusted, c.Adjustments = c.Adjusted+outs[i].Adjusted, c.Adjustments+1
			c.seeTray(in, &outs[i])
		case vocab.Finished:
			c.Rest()
			c.between = true
			c.seeTray(&vocab.Input{Line: in.Line}, &outs[i])
			for k := range c.lines {
				one := &c.lines[k]
				c.lay = append(c.lay, vocab.Input{
					Kind: vocab.InAdjust, PastRound: int(outs[i].Round), Box: int(one.Box), Bettor: one.Bettor,
					Wager: one.Wager, Hand: one.Hand,
					By: "s1", Because: "dispute",
				})
			}
		}
	}
}
