package table

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Corrected places a table on which the round is dealt with its inputs as they are
// corrected, with no correction among them but those that have their place in the round; ok is false where the round is
// over, or a card lies on a hand on which it was not due, which no input says, or a win is big: the round would be held in
// its midst.
func Corrected(t *Table) (placed *Table, ok bool, err error) {
	p := t.Position()
	p.Before, p.Inputs = t.history.before, nil
	big := func(out vocab.Output) bool { return t.rules.Big(out.Won) }
	if len(t.history.moves) > 0 || t.phase == vocab.Idle || slices.ContainsFunc(t.decided, big) {
		return nil, false, nil
	}
	dealt := &Table{}
	dealt.setUp(t.rules)
	dealt.kept.set(&p.Before)
	for i, one := range t.history.inputs {
		in := t.history.input(one)
		in.Time = 0
		if in.Kind == vocab.InResolve && len(dealt.held) == 0 {
			continue // the win that it confirmed is not big any more
		}
		with := []vocab.Input{in}
		if in.Kind == vocab.InCorrect && len(dealt.held) == 0 { // what held the round then does so no more
			with = []vocab.Input{{Kind: vocab.InHold}, in, {Kind: vocab.InResolve, With: irregularity.Continue}}
		}
		for _, in := range with {
			if dealt.Step(&in); dealt.rejected != 0 && (paidASum(t) || heldBig(dealt)) {
				return nil, false, nil // of what was left to be paid, and here more is; or a win is big that was not
			}
			if dealt.rejected != 0 {
				return nil, true, fmt.Errorf("the round's input %d, %s, is refused: %s", i+1, in.Kind, dealt.rejected)
			}
			p.Inputs = append(p.Inputs, in)
		}
	}
	placed, err = Place(t.rules, p)
	return placed, true, err
}

// heldBig says whether a big win holds the table.
func heldBig(t *Table) bool { return len(t.held) > 0 && t.held[0].Code == irregularity.BigWin }

// paidASum says whether a payment of the round stated its sum.
func paidASum(t *Table) bool {
	for _, one := range t.history.inputs {
		if in := t.history.input(one); in.Kind == vocab.InPaid && in.Stated {
			return true
		}
	}
	return false
}
