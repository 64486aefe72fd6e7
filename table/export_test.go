package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// Corrected places a table on which the round is dealt with its inputs as they are
// corrected, with no correction among them; ok is false where the round is over, or a card lies on a hand on which
// it was not due, which no input says, or a win is big: the round would be held in its midst.
func Corrected(t *Table) (placed *Table, ok bool, err error) {
	p := t.Position()
	p.Before, p.Inputs = t.history.before, nil
	for _, one := range t.history.inputs {
		in := t.history.input(one)
		in.Time = 0
		p.Inputs = append(p.Inputs, in)
	}
	big := func(out vocab.Output) bool { return t.rules.Big(out.Won) }
	if len(t.history.moves) > 0 || t.phase == vocab.Idle || slices.ContainsFunc(t.decided, big) {
		return nil, false, nil
	}
	placed, err = Place(t.rules, p)
	return placed, true, err
}
