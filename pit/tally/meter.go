package tally

import "github.com/sabot-table/sabot/table/vocab"

// Meter is what a record tells of a jackpot of several tables. First is the record that has opened its round, 0 for one
// that belongs to none.
type Meter struct {
	Record, First, Number uint64
	vocab.MeterTold
}

// meter is what an output tells of a jackpot.
func (f *Fold) meter(r *Record, out *vocab.Output) Meter {
	m := Meter{Record: r.Seq, Number: out.Round, MeterTold: *out.Meter}
	if f.round != nil {
		m.First = f.round.First
	}
	return m
}
