package store

import (
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Batch is a stretch of a table's journal, as the table sends it.
type Batch struct {
	Table topic.Table
	// Journal is its id.
	Journal string
	journal.Stretch
}

// records reads the batch's frames, which follow each other.
func (b *Batch) records() ([]journal.Record, error) {
	list := make([]journal.Record, len(b.Frames))
	for i, frame := range b.Frames {
		rec, err := journal.ParseRecord(frame)
		if err == nil && i > 0 && rec.Seq != list[0].Seq+uint64(i) {
			err = fmt.Errorf("%d comes after %d", rec.Seq, list[i-1].Seq)
		}
		if err != nil {
			return nil, fmt.Errorf("a record that table %s sent: %w", b.Table, err)
		}
		rec.Boot = b.Boot
		list[i] = rec
	}
	return list, nil
}

// begins is the first record that the batch says something about, its gap included; 0 for none.
func (b *Batch) begins(records []journal.Record) uint64 {
	switch {
	case b.Gap != nil:
		return b.Gap.First
	case len(records) > 0:
		return records[0].Seq
	}
	return 0
}
