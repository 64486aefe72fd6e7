// Package croupier decides what the dealer of a simulated table does next, and the guests at it: who stakes what on
// which box, who insures, what is called. It sees a table and has no hands: package keysim gives it a shoe, keys and a
// display, and exercises and tests put into the engine what it decides. What differs between them is handed in.
package croupier

import (
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dice are what a Croupier decides by. A *rand.Rand of math/rand/v2 is one.
type Dice interface {
	// IntN returns a number from 0 to n-1.
	IntN(n int) int
}

// Table is what is seen of a table. A *table.Table shows it, and so does a display.
type Table interface {
	// Rules are those that are played, with the table's present limits.
	Rules() *rules.Rules
	Boxes() int
	Round() uint64
	Phase() vocab.Phase
	Due() vocab.Due
	Bank() table.Hand
	Hand(box, hand int) table.Hand
	Bettors(box int) []table.Bettor
	// Stakes yields the main stakes on a hand, the holder's first, and Decided are the round's decided wagers.
	Stakes(box, hand int) func(yield func(string, int64) bool)
	Decided() []vocab.Output
}

// Croupier decides for a dealer and the guests. The same dice at the same table always decide the same.
type Croupier struct {
	Dice Dice
	// Boxes is how many boxes are played, from box 1 on.
	Boxes int
	// Some plays as many of all boxes, wherever they are, or about two thirds of them if Boxes is 0. Most guests then
	// play alone on their box, and for little.
	Some bool
	// Most is how many guests there may be on a box, 0 for three.
	Most int
	// Sides lets the guests place side bets.
	Sides bool
	// Freely lets them do what not every table has, besides: they sit and stand as they like, and some boxes are only
	// marked as played.
	Freely bool
	// Marks leaves all amounts out.
	Marks bool
	// Name names the guests of a box, the holder as 0; nil for people of whom one may play on several boxes.
	Name func(box, nth int) string
	// Plays is how a guest plays a hand; nil is as the textbook has it.
	Plays dealt.Strategy

	// plan is what comes next in a phase in which several things may.
	plan struct {
		round  uint64
		phase  vocab.Phase
		inputs []vocab.Input
	}
}

// Next is what is put in next, while the round is not held. It is false where a card is due, and where nothing is that
// a croupier decides.
func (c *Croupier) Next(t Table) (in vocab.Input, decides bool) {
	switch due := t.Due(); due.To {
	case vocab.ToBox, vocab.ToBank, vocab.ToAside, vocab.ToHole:
		return in, false
	case vocab.ToLook:
		return vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook}, true
	case vocab.ToTurn:
		return vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned}, true
	case vocab.ToCall:
		return c.call(t, due), true
	}
	switch t.Phase() {
	case vocab.Bets:
		return c.Planned(t, c.stakes), true
	case vocab.InsuranceOffer:
		return c.Planned(t, c.insurances), true
	case vocab.Payment:
		return vocab.Input{Kind: vocab.InPaid}, true
	case vocab.Idle:
		return vocab.Input{Kind: vocab.InOpen}, true
	}
	return in, false
}

// Planned returns the next input of the phase's plan, and makes one if there is none.
func (c *Croupier) Planned(t Table, plan func(Table) []vocab.Input) vocab.Input {
	if c.plan.round != t.Round() || c.plan.phase != t.Phase() || len(c.plan.inputs) == 0 {
		c.plan.round, c.plan.phase, c.plan.inputs = t.Round(), t.Phase(), plan(t)
	}
	next := c.plan.inputs[0]
	c.plan.inputs = c.plan.inputs[1:]
	return next
}

// Again has the stake, the insurance or the end of an offer that came last come once more: nobody knows whether it was
// taken. What is put in twice replaces itself, or is refused.
func (c *Croupier) Again(in vocab.Input) {
	insures := c.plan.phase == vocab.InsuranceOffer && in.Kind == vocab.InCall
	if in.Kind == vocab.InStake || in.Kind == vocab.InClose || insures {
		c.plan.inputs = slices.Insert(c.plan.inputs, 0, in)
	}
}

// call makes the holder's call for the hand that is due. The holder surrenders with three quarters of the others, and
// so many join a double or a split.
func (c *Croupier) call(t Table, due vocab.Due) vocab.Input {
	in := vocab.Input{Kind: vocab.InCall}
	in.Call = c.plays()(t.Hand(int(due.Box), int(due.Hand)), t.Bank().Cards[0], due.Allowed)
	switch in.Call {
	case vocab.CallSurrender:
		if in.Bettors = stillIn(t, due); !t.Rules().LateSurrender() {
			in.Bettors = c.some(in.Bettors)
		}
	case vocab.CallDouble, vocab.CallSplit:
		all := stillIn(t, due)
		if join := c.some(all); len(join) < len(all) {
			in.Bettors = join
		}
		first := due.Allowed.Has(vocab.CallCard) // none doubles for less once more
		if in.Call == vocab.CallDouble && first && t.Rules().ForLess() > 0 && c.oneIn(3) {
			c.forLess(t, due, &in)
		}
	}
	return in
}

// plays is how a guest plays a hand.
func (c *Croupier) plays() dealt.Strategy {
	if c.Plays == nil {
		return dealt.Basic
	}
	return c.Plays
}

// forLess lays the least that doubles a stake, or half the holder's, where that is less than the stake and all the
// stakes of those who join are known.
func (c *Croupier) forLess(t Table, due vocab.Due, in *vocab.Input) {
	r, holders := t.Rules(), int64(0)
	for name, stake := range t.Stakes(int(due.Box), int(due.Hand)) {
		switch joins := in.Bettors == nil || slices.Contains(in.Bettors, name); {
		case joins && stake < 0:
			return
		case joins && holders == 0 && slices.Contains(stillIn(t, due), name):
			holders = stake
		}
	}
	least, half := r.ForLess(), holders/2/r.Step()*r.Step()
	if half > least && c.oneIn(2) {
		least = half
	}
	if least < holders {
		in.Amount, in.Stated = least, true
	}
}

// some are the first of the names and three quarters of the others.
func (c *Croupier) some(names []string) []string {
	var some []string
	for _, name := range names {
		if len(some) == 0 || !c.oneIn(4) {
			some = append(some, name)
		}
	}
	return some
}

// onHand says whether a decided wager is of the hand that is due. Who only sees the table does not say of which hand a
// wager is on a box that has one.
func onHand(out *vocab.Output, due vocab.Due) bool { return out.Hand == 0 || out.Hand == due.Hand }

// stillIn are the bettors of the hand that is due who have not surrendered, the holder first.
func stillIn(t Table, due vocab.Due) []string {
	left := map[string]bool{}
	for _, out := range t.Decided() {
		if out.Outcome == vocab.Surrendered && out.Box == due.Box && onHand(&out, due) {
			left[out.Bettor] = true
		}
	}
	var names []string
	for name := range t.Stakes(int(due.Box), int(due.Hand)) {
		if !left[name] {
			names = append(names, name)
		}
	}
	return names
}

func (c *Croupier) oneIn(n int) bool { return c.Dice.IntN(n) == n-1 }
