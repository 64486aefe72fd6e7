package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Witness keeps a head that a table told at a time of its own, and compares it with what is
// known. A *RolledBackError is a journal that ends before a record that the table told before,
// a *RewrittenError a record with another hash than it had. Both are findings, too. A head that
// is older than the last one is compared and not kept: brokers repeat messages.
func (s *Store) Witness(ctx context.Context, table topic.Table, head topic.Head, at time.Time) error {
	hash, err := hex.DecodeString(head.Hash)
	if err != nil || len(hash) != 32 || head.ID == "" {
		return fmt.Errorf("the head from table %s has no journal, or no hash: %+v", table, head)
	}
	return s.do(ctx, func(w *writer) error { return w.witness(table, head, hash, at.UnixNano()) })
}

func (w *writer) witness(table topic.Table, head topic.Head, hash []byte, at int64) error {
	k, err := w.keeper(table)
	if err != nil {
		return err
	}
	j, err := w.journal(k, head.ID)
	if err != nil {
		return err
	}
	before := j
	if j == nil {
		before = &kept{name: head.ID}
		if err := w.wasTold(k, before); err != nil {
			return err
		}
	}
	highest, heard := before.told, before.toldAt
	var had []byte
	switch {
	case head.Record == highest:
		had = before.toldHash
	case head.Record < highest:
		if _, err := w.row(`SELECT hash FROM witness WHERE place = $1 AND journal = $2 AND record = $3`,
			[]any{k.place, head.ID, head.Record}, []any{&had}); err != nil {
			return err
		}
	}
	if had == nil && j != nil && head.Record <= j.head {
		if had, err = w.hashOf(j, head.Record); err != nil {
			return err
		}
	}
	if j != nil {
		highest = max(highest, j.head)
	}
	switch {
	case had != nil && !bytes.Equal(had, hash) && head.Record < highest: // an earlier state, which was dealt on from
		return w.rolledBack(k, head.ID, highest, head.Record)
	case had != nil && !bytes.Equal(had, hash):
		return w.rewritten(k, head.ID, head.Record)
	case at <= heard:
		return nil
	case head.Record < highest:
		return w.rolledBackHead(k, j, head, hash, at, highest)
	}
	return w.keepHead(k, head, hash, at, j != nil && had != nil && head.Record <= j.head)
}

// late is how much later than a record a head before it must be told, to show that the record
// is gone: a record has the time at which its input came, and is durable after that.
const late = 10 * time.Second

// rolledBackHead tells that a journal was rolled back, if the head was not told before the last
// record was written.
func (w *writer) rolledBackHead(k *keeper, j *kept, head topic.Head, hash []byte, at int64, highest uint64) error {
	if j != nil && highest == j.head && at < j.headAt+int64(late) {
		return nil
	}
	if err := w.keepHead(k, head, hash, at, true); err != nil {
		return err
	}
	return w.rolledBack(k, head.ID, highest, head.Record)
}

// hashOf is the hash of a record that is kept, nil if it is not.
func (w *writer) hashOf(j *kept, seq uint64) ([]byte, error) {
	switch {
	case seq == j.head && len(j.hash) > 0: // after a gap it is not known
		return j.hash, nil
	case j.hashed != 0 && seq >= j.hashed && seq <= j.head && j.head-seq < remembered:
		return j.hashes[seq%remembered][:], nil
	}
	for rec, err := range w.store.records(w.ctx, w.after(), j.id, seq) {
		if err != nil || rec.Seq != seq {
			return nil, err
		}
		return rec.Hash[:], nil
	}
	return nil, nil
}

// keepHead keeps a head, and drops those of the same hour that agree with the records.
func (w *writer) keepHead(k *keeper, head topic.Head, hash []byte, at int64, agrees bool) error {
	if j := k.journals[head.ID]; j != nil {
		j.toldAt = max(j.toldAt, at)
		if head.Record > j.head {
			j.goesAhead(toldHead{head.Record, hash})
		}
		if head.Record >= j.told { // the hash of record 0 is told, too
			j.told, j.toldHash = head.Record, hash
		}
	}
	hour := int64(time.Hour)
	if err := w.exec(`DELETE FROM witness WHERE place = $1 AND journal = $2 AND agrees AND heard >= $3 AND record < $4`,
		k.place, head.ID, at/hour*hour, head.Record); err != nil {
		return err
	}
	return w.exec(`INSERT INTO witness (place, journal, record, hash, heard, agrees) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (place, journal, record) DO UPDATE SET heard = excluded.heard, agrees = excluded.agrees`, k.place, head.ID, head.Record, hash, at, agrees)
}

// toldHead is a record of which a table has told the hash.
type toldHead struct {
	record uint64
	hash   []byte
}

// mostAhead is how many heads of a journal are remembered whose records have not come yet.
const mostAhead = 64

func (j *kept) goesAhead(head toldHead) {
	if j.ahead = append(j.ahead, head); j.manyAhead || len(j.ahead) > mostAhead {
		j.ahead, j.manyAhead = nil, true
	}
}

// wasTold finds out of which record of a journal the table has told the hash last, and when it told one.
func (w *writer) wasTold(k *keeper, j *kept) error {
	_, err := w.row(`SELECT record, hash, (SELECT max(heard) FROM witness WHERE place = $1 AND journal = $2)
		FROM witness WHERE place = $1 AND journal = $2 ORDER BY record DESC LIMIT 1`,
		[]any{k.place, j.name}, []any{&j.told, &j.toldHash, &j.toldAt})
	j.manyAhead = j.told > j.head
	return err
}

// toldOf are the heads that a table has told of records of a journal that come now, in one piece.
func (w *writer) toldOf(k *keeper, j *kept, first, last uint64) (heads []toldHead, err error) {
	if j.manyAhead && first <= j.told {
		return rowsAs(w.ctx, w.after(), func(s scan) (h toldHead, err error) {
			err = s(&h.record, &h.hash)
			return h, err
		}, `SELECT record, hash FROM witness WHERE place = $1 AND journal = $2 AND record >= $3 AND record <= $4`,
			k.place, j.name, first, last)
	}
	j.manyAhead = false
	j.ahead = slices.DeleteFunc(j.ahead, func(h toldHead) bool {
		if h.record >= first && h.record <= last {
			heads = append(heads, h)
		}
		return h.record <= last
	})
	return heads, nil
}

// asWitnessed compares new records with the heads that were told before they came.
func (w *writer) asWitnessed(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	if len(records) == 0 {
		return nil
	}
	first, last := records[0].Seq, records[len(records)-1].Seq
	heads, err := w.toldOf(k, j, first, last)
	if err != nil || len(heads) == 0 {
		return err
	}
	var wrong uint64
	for _, told := range heads {
		if !bytes.Equal(told.hash, records[told.record-first].Hash[:]) {
			wrong = told.record
		}
	}
	err = w.exec(`UPDATE witness SET agrees = $1 WHERE place = $2 AND journal = $3 AND record >= $4 AND record <= $5`,
		true, k.place, b.Journal, first, last)
	if err != nil || wrong == 0 {
		return err
	}
	return w.finds(k, b.Journal, "rewritten", wrong,
		&RewrittenError{Table: k.table, Journal: b.Journal, Record: wrong, Kept: true})
}

// Finding is something that is wrong with a table's journal.
type Finding struct {
	Table   topic.Table
	Journal string
	// Kind is "rewritten", "rolled-back" or "replaced"; or "accepted", by a named person.
	Kind   string
	Record uint64
	Text   string
	Found  time.Time
}

// Findings are what was found to be wrong with tables' journals, latest first.
func (s *Store) Findings(ctx context.Context) (list []Finding, err error) {
	tables, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	return rowsAs(ctx, s.read, func(s scan) (f Finding, err error) {
		var place, found int64
		err = s(&place, &f.Journal, &f.Kind, &f.Record, &f.Text, &found)
		f.Table, f.Found = tables[place], time.Unix(0, found)
		return f, err
	}, `SELECT place, journal, kind, record, what, found FROM finding ORDER BY found DESC, record DESC`)
}

// places are the tables by their ids.
func (s *Store) places(ctx context.Context) (map[int64]topic.Table, error) {
	places := map[int64]topic.Table{}
	err := eachRow(ctx, s.fixed, `SELECT id, site, name FROM place`, nil, func(s scan) error {
		var id int64
		table, err := readTable(s, &id)
		places[id] = table
		return err
	})
	return places, err
}

// readTable reads a row that ends with the site and the name of a table.
func readTable(s scan, before ...any) (topic.Table, error) {
	var site, name string
	if err := s(append(before, &site, &name)...); err != nil {
		return topic.Table{}, err
	}
	return topic.NewTable(site, name)
}

// Tables are those of which something is kept, by site and name.
func (s *Store) Tables(ctx context.Context) ([]topic.Table, error) {
	return rowsAs(ctx, s.fixed, func(s scan) (topic.Table, error) { return readTable(s) },
		`SELECT site, name FROM place ORDER BY site, name`)
}
