package store

import (
	"fmt"

	"github.com/sabot-table/sabot/pit/tally"
)

// A table may run a newer version than the pit, and say what this one cannot read: an event that it does not know, or
// the rules of a house that has what it does not know. The records are kept all the same, byte for byte, and nothing
// follows from what cannot be read. Which is the first of them is kept, too, so that a version that reads it counts
// anew.

// cannotRead notes that a record says what this version cannot read.
func (c *counter) cannotRead(record uint64) {
	if c.unread == 0 {
		c.unread = record
	}
}

// readAgain counts a table anew, if this version reads what the one that has kept it could not.
func (w *writer) readAgain(k *keeper) error {
	reads := false
	var names []string
	unread := map[int64]uint64{}
	err := eachRow(w.ctx, w.after(), `SELECT id, name, unread FROM journal WHERE place = $1 ORDER BY id`, []any{k.place},
		func(scan scan) error {
			var id int64
			var name string
			var first uint64
			err := scan(&id, &name, &first)
			names = append(names, name)
			if first > 0 {
				unread[id] = first
			}
			return err
		})
	for id, first := range unread {
		if err == nil && !reads {
			reads, err = w.canRead(id, first)
		}
	}
	if err != nil || !reads {
		return err
	}
	for _, name := range names {
		j, err := w.journal(k, name)
		if err == nil {
			err = w.refold(j)
		}
		if err != nil {
			return err
		}
	}
	w.store.log.Info("a table is counted anew: an earlier version could not read all that it has said",
		"table", k.table)
	return w.rebuild(k.table)
}

// canRead says whether this version reads all that a record says. One that was removed with its gaming day is none that
// can be counted.
func (w *writer) canRead(journal int64, seq uint64) (bool, error) {
	c := counter{fold: tally.Resume(tally.Kept{})}
	c.houses.text = w.rulesText
	for rec, err := range w.store.records(w.ctx, w.after(), journal, seq) {
		if err == nil {
			_, err = c.count(&rec.Record)
		}
		return c.unread == 0, err
	}
	return true, nil
}

// tellUnread says once of a table what this version cannot do for it.
func (w *writer) tellUnread(k *keeper, j *kept, was uint64) {
	if was == 0 && j.unread != 0 {
		w.store.log.Warn("A TABLE SAYS WHAT THIS VERSION OF SABOT-PIT CANNOT READ: its records are kept, and figures "+
			"lack what follows from them until sabot-pit is upgraded, which then counts the table anew",
			"table", k.table, "record", fmt.Sprint(j.unread))
	}
}
