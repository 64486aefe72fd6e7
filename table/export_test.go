package table

import "github.com/sabot-table/sabot/table/vocab"

// Corrected places a table on which the round is dealt with its inputs as they are
// corrected, with no correction among them; ok is false where the round is over, or a card lies on a hand on which
// it was not due, which no input says.
func Corrected(t *Table) (placed *Table, ok bool, err error) {
	p := t.Position()
	p.Before, p.Inputs = t.history.before, nil
	for _, one := range t.history.inputs {
		in := t.history.input(one)
		in.Time = 0
		p.Inputs = append(p.Inputs, in)
	}
	if len(t.history.moves) > 0 || t.phase == vocab.Idle {
		return nil, false, nil
	}
	placed, err = Place(t.rules, p)
	return placed, true, err
}
