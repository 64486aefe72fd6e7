package recall

import (
	"encoding/json"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// adjustedSince are the adjustments after a record, the latest first. Each names the one before, and the last
// checkpoint the last up to there: no more is read, however long the journal is.
func (r *Recall) adjustedSince(seq uint64) (list []history.Adjustment, err error) {
	last, _, err := r.from.Head()
	if err != nil || last <= seq {
		return nil, err
	}
	newest, err := r.one(last)
	if err != nil {
		return nil, err
	}
	var reader history.Reader
	running, err := r.between(max(seq, newest.Checkpoint)+1, last)
	if err != nil {
		return nil, err
	}
	before := uint64(0)
	for i := len(running) - 1; i >= 0 && len(list) == 0; i-- {
		list, before = adjustments(list, &reader, &running[i])
	}
	if len(list) == 0 && newest.Checkpoint > seq {
		at, err := r.one(newest.Checkpoint)
		var carried table.Carry
		if err != nil || json.Unmarshal(at.Carry, &carried) != nil {
			return nil, err
		}
		before = carried.Adjusted
	}
	for before > seq {
		rec, err := r.one(before)
		if err != nil {
			return list, err
		}
		n := len(list)
		if list, before = adjustments(list, &reader, &rec); len(list) == n {
			break // the chain of what is on record is broken: the audit says so
		}
	}
	return list, nil
}

// adjustments adds those that a record tells of to a list, and gives the number of the record of the one before.
func adjustments(list []history.Adjustment, reader *history.Reader, rec *journal.Record) (all []history.Adjustment,
	before uint64,
) {
	for line := range rec.Lines() {
		one := reader.Output(line)
		if one.Out.Kind == vocab.Adjusted && one.Out.Trouble != nil {
			list = append(list, history.NewAdjustment(rec.Seq, rec.At, rec.Round, one))
			before = one.Out.Line
		}
	}
	return list, before
}
