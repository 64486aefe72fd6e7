package brokertest

import (
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/audit/witness"
)

// Witness is what a pit knows of a table that has heard these of its messages, in order. watched says that it was
// connected all the time.
func Witness(table topic.Table, heard []topic.Health, watched bool) *witness.Export {
	e := &witness.Export{Format: witness.Format, Site: table.Site(), Table: table.Name()}
	for i := range heard {
		if heard[i].Journal.Head != nil {
			hear(e, &heard[i], watched)
		}
	}
	if n := len(e.Journals); n > 0 {
		e.Journals[n-1].Current = true
	}
	return e
}

func hear(e *witness.Export, h *topic.Health, watched bool) {
	head := witness.Head{Record: h.Journal.Head.Record, Hash: h.Journal.Head.Hash, At: h.Time}
	j := e.Of(h.Journal.Head.ID)
	if j == nil {
		e.Journals = append(e.Journals, witness.Journal{ID: h.Journal.Head.ID})
		j = &e.Journals[len(e.Journals)-1]
	}
	// A journal that has no record yet tells one all the same.
	if n := len(j.Heads); head.Record > 0 && (n == 0 || head.Record > j.Heads[n-1].Record) {
		j.Heads = append(j.Heads, head)
	}
	start := witness.Start{
		Boot: h.Boot, At: h.Time, Record: head.Record, Acknowledged: h.Journal.LastSequence - h.Journal.Unacknowledged,
		Away: h.Journal.Away, Watched: watched,
	}
	if b := h.Journal.Began; b != nil {
		start.Began = &witness.Began{Acknowledged: b.Acknowledged, Away: b.Away}
	}
	switch n := len(j.Starts); {
	case n == 0 || start.Boot > j.Starts[n-1].Boot:
		j.Starts = append(j.Starts, start)
	case start.Boot == j.Starts[n-1].Boot:
		j.Starts[n-1] = start
	}
}
