package table

import "github.com/sabot-table/sabot/table/vocab"

// Try returns the table as it would be after an input, and what would follow from it. The
// table itself does not change.
func (t *Table) Try(in vocab.Input) (after *Table, outs []vocab.Output, err error) {
	after, err = Place(t.rules, t.Position())
	if err != nil {
		return nil, nil, err
	}
	return after, after.Step(&in), nil
}
