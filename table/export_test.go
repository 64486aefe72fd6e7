package table

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Corrected deals the round with its inputs as they are corrected, with no correction among them but those that have
// their place in the round; ok is false where the round is over, or a card lies on a hand on which it was not due,
// which no input says, or a win is big: the round would be held in its midst.
func Corrected(t *Table) (dealt *Table, ok bool, err error) {
	big := func(out vocab.Output) bool { return t.rules.Big(out.Won) }
	if len(t.history.moves) > 0 || t.phase == vocab.Idle || slices.ContainsFunc(t.decided, big) {
		return nil, false, nil
	}
	p := t.Position()
	dealt = &Table{}
	dealt.setUp(t.rules)
	dealt.kept.set(&t.history.before)
	for i, one := range t.history.inputs {
		in := t.history.input(one)
		in.Time = 0
		if in.Kind == vocab.InResolve && len(dealt.held) == 0 {
			continue // the win that it confirmed is not big any more
		}
		if in.Kind == vocab.InCorrect && paidASum(t) && holds(dealt, irregularity.PayoutMismatch) {
			return nil, false, nil // the sum was what was left to be paid then, and here all of it is
		}
		if in.Kind == vocab.InCorrect { // what held the round then does so no more
			dealt.due = dealt.nextDue()
			dealt.rejected = dealt.placed(&in)
			dealt.settleDown()
			dealt.due = dealt.nextDue()
		} else {
			dealt.Step(&in)
		}
		switch {
		case dealt.rejected == 0:
		case paidASum(t) || holds(dealt, irregularity.BigWin):
			return nil, false, nil // of what was left to be paid, and here more is; or a win is big that was not
		default:
			return nil, true, fmt.Errorf("the round's input %d, %s, is refused: %s", i+1, in.Kind, dealt.rejected)
		}
		if i == 0 {
			dealt.ahead = slices.Clone(t.history.deaths())
		}
	}
	dealt.know(&p)
	return dealt, true, nil
}

// holds says whether it is this that holds the table, before anything else.
func holds(t *Table, code irregularity.Code) bool { return len(t.held) > 0 && t.held[0].Code == code }

// paidASum says whether a payment of the round stated its sum.
func paidASum(t *Table) bool {
	for _, one := range t.history.inputs {
		if in := t.history.input(one); in.Kind == vocab.InPaid && in.Stated {
			return true
		}
	}
	return false
}

// CarriedOver are inputs of a round as the table carries them, none of those that concern no round.
func CarriedOver(in *vocab.Input) []Carried {
	if memories[in.Kind] == nothing {
		return nil
	}
	return carry(nil, in)
}

// Inputs are those that are carried.
func (c *Carried) Inputs() []vocab.Input { return c.inputs(nil) }
