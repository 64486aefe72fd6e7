package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/table/journal"
)

// mostOpen is how many records an open stretch has at most, and mostOpenText is after how many bytes it gets no more. A
// round has some twenty records, of ten thousand bytes. An open stretch is in memory, and is written whole with each
// record that comes to it.
const (
	mostOpen     = 256
	mostOpenText = 1 << 20
)

// Append keeps the records of a batch that are not kept yet, in one transaction with all that
// follows from them. It returns when they are durable, with the last record of their journal that is kept then.
// Records that are kept already are dropped if they are the same; those that were a gap are kept, and the table's
// figures recomputed.
//
// A *RewrittenError is a record that is another than the one that is kept; a *RolledBackError
// a journal that ends before the last record that is kept; a *MissingError records after
// others that are not kept yet. None of them changes what is kept. A *RewrittenError that is
// Kept is one of a record whose hash the table told otherwise before: the pit had no other, and
// has kept it. A *RolledBackError that is Kept is a journal that goes on above the records that it
// lacks: what it goes on with is kept. After any other error it is not certain whether the records are kept: repeat it.
func (s *Store) Append(ctx context.Context, b *Batch) (head uint64, err error) {
	records, err := b.records()
	if err != nil {
		return 0, err
	}
	defer s.news.tell(b.Table)
	err = s.do(ctx, func(w *writer) error {
		k, err := w.keeper(b.Table)
		if err != nil {
			return err
		}
		j, err := w.journal(k, b.Journal)
		if err != nil {
			return err
		}
		if err := w.fits(k, j, b, records); err != nil {
			return err
		}
		lacks := w.lacks(k, j, b)
		if j == nil {
			if j, err = w.begin(k, b); err != nil {
				return err
			}
		}
		err = w.append(k, j, b, records)
		head = j.head
		return cmp.Or(err, lacks)
	})
	return head, err
}

// append keeps records that fit what is kept of their journal.
func (w *writer) append(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	if err := w.becomesCurrent(k, j, b, records); err != nil {
		return err
	}
	fresh := records
	for len(fresh) > 0 && fresh[0].Seq <= j.head {
		fresh = fresh[1:]
	}
	had := j.head
	if err := w.keepRules(b); err != nil {
		return err
	}
	if len(fresh) > 0 {
		if err := w.takeRecords(k, j, b, fresh); err != nil {
			return err
		}
	}
	if len(records) > 0 && records[0].Seq <= had {
		if err := w.fill(k, j, b, records); err != nil {
			return err
		}
	}
	if err := w.keepSeals(j, b, records); err != nil {
		return err
	}
	return w.asWitnessed(k, j, b, fresh)
}

// lacks says that the table passes over numbers of records that are kept: it was given an earlier
// state of its journal, and went on above what others had heard of.
func (w *writer) lacks(k *keeper, j *kept, b *Batch) error {
	if j == nil || b.Gap == nil || b.Gap.Why != journal.GapUnused || b.Gap.First > j.head || b.Gap.Last < j.head {
		return nil
	}
	told := &RolledBackError{Table: k.table, Journal: b.Journal, Had: j.head, Has: b.Gap.First - 1, Kept: true}
	return w.finds(k, b.Journal, "rolled-back", told.Has, told)
}

// fits says why a batch does not fit what is kept.
func (w *writer) fits(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	var head uint64
	if j != nil {
		head = j.head
	}
	first := b.begins(records)
	switch {
	case b.Head < min(b.After, head): // what was asked for lies after its end
		return w.rolledBack(k, b.Journal, head, b.Head)
	case first > head+1:
		return refusal{&MissingError{b.Table, b.Journal, head, first}}
	case b.Gap != nil && len(records) > 0 && records[0].Seq != b.Gap.Last+1:
		return refusal{fmt.Errorf("the records of table %s begin with %d, after a gap up to %d", b.Table,
			records[0].Seq, b.Gap.Last)}
	}
	if j == nil || len(records) == 0 || records[0].Seq > head {
		return nil
	}
	return w.compare(k, j, b, records)
}

// compare compares records with those that are kept.
func (w *writer) compare(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	first := records[0].Seq
	for have, err := range w.store.records(w.ctx, w.after(), j.id, first) {
		if err != nil {
			return err
		}
		at := have.Seq - first
		if at >= uint64(len(records)) {
			break
		}
		if !bytes.Equal(have.text, b.Frames[at]) {
			return w.rewritten(k, b.Journal, have.Seq)
		}
	}
	// The text of the last one may have been removed with its gaming day.
	if at := j.head - first; at < uint64(len(records)) && len(j.hash) > 0 && !bytes.Equal(records[at].Hash[:], j.hash) {
		return w.rewritten(k, b.Journal, j.head)
	}
	return nil
}

// becomesCurrent notes which journal the table writes.
func (w *writer) becomesCurrent(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	if k.current == j.id {
		return nil
	}
	if k.current != 0 {
		if was, err := w.wasReplaced(k, j, records); was || err != nil {
			return err
		}
		what := "the table has begun another journal"
		if b.Former != nil {
			what = b.Former.Why
		}
		if err := w.found(k, b.Journal, "replaced", b.After, what); err != nil {
			return err
		}
	}
	return w.follow(k, j)
}

func (w *writer) follow(k *keeper, j *kept) error {
	k.current = j.id
	return w.exec(`UPDATE place SET journal = $1 WHERE id = $2`, j.id, k.place)
}

// wasReplaced says whether a journal was replaced by the one that the table writes now, or by one before that, and what
// comes of it was recorded before the last record of that: it is filled in later, from the folder that was set aside.
func (w *writer) wasReplaced(k *keeper, j *kept, records []journal.Record) (bool, error) {
	at, former, err := w.endOf(k, k.current)
	if n := len(records); err != nil || n > 0 && records[n-1].At > at {
		return false, err
	}
	for seen := map[string]bool{}; former != "" && !seen[former]; {
		if former == j.name {
			return true, nil
		}
		seen[former] = true
		var id int64
		known, err := w.row(`SELECT id FROM journal WHERE place = $1 AND name = $2`, []any{k.place, former}, []any{&id})
		if err != nil || !known {
			return false, err
		}
		if _, former, err = w.endOf(k, id); err != nil {
			return false, err
		}
	}
	return false, nil
}

// endOf is when the last record of a journal was made, and which journal it has replaced, "" for none.
func (w *writer) endOf(k *keeper, id int64) (at int64, former string, err error) {
	var text string
	if _, err := w.row(`SELECT head_at, former FROM journal WHERE id = $1`, []any{id}, []any{&at, &text}); err != nil {
		return 0, "", err
	}
	for _, one := range k.journals {
		if one.id == id {
			at = one.headAt // as it is in this transaction
		}
	}
	if text == "" {
		return at, "", nil
	}
	var of journal.Former
	err = json.Unmarshal([]byte(text), &of)
	return at, of.Journal, err
}

// takeRecords keeps new records.
func (w *writer) takeRecords(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	if records[0].Seq > j.head+1 {
		if err := w.leaveOut(j, b); err != nil {
			return err
		}
	}
	if b.Boot != j.boot {
		if err := w.exec(`INSERT INTO boot (journal, first, boot, program) VALUES ($1, $2, $3, $4)`, j.id,
			records[0].Seq, b.Boot, b.Program); err != nil {
			return err
		}
		j.boot = b.Boot
	}
	from, unread := len(b.Frames)-len(records), j.unread
	for i := range records {
		rec := &records[i]
		step, err := j.count(rec)
		if err != nil {
			return err
		}
		j.open.add(b.Frames[from+i])
		j.head, j.hash, j.headAt = rec.Seq, bytes.Clone(rec.Hash[:]), rec.At
		j.hashes[rec.Seq%remembered] = rec.Hash
		j.hashed = cmp.Or(j.hashed, rec.Seq)
		w.step(k.place, j.id, &j.counter, &step)
		if step.Ended != nil || j.open.full() {
			if err := w.close(j); err != nil {
				return err
			}
		}
		if step.Ended != nil || step.SetUp {
			if err := j.knows(rec.Seq); err != nil {
				return err
			}
		}
	}
	w.tellUnread(k, j, unread)
	w.touched[j] = true
	return nil
}

// leaveOut notes that records are missing, and that the round under way cannot be counted.
func (w *writer) leaveOut(j *kept, b *Batch) error {
	if err := w.close(j); err != nil {
		return err
	}
	var setUp []byte
	if b.SetUp != nil {
		setUp = b.SetUp.Input
	}
	if err := j.passOver(setUp, b.InForce); err != nil {
		return err
	}
	if err := j.knows(b.Gap.Last); err != nil {
		return err
	}
	j.closed, j.hashed = b.Gap.Last, 0
	return w.exec(`INSERT INTO gap (journal, first, last, why, what, setup, rules) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		j.id, j.head+1, b.Gap.Last, b.Gap.Why, b.Gap.Text, string(setUp), b.InForce)
}

// close ends the open stretch.
func (w *writer) close(j *kept) error {
	if j.open.frames == 0 {
		return nil
	}
	if err := w.stretch(j, j.open.closed()); err != nil {
		return err
	}
	j.closed, j.open = j.head, packing{}
	return nil
}

// stretch writes the open stretch.
func (w *writer) stretch(j *kept, frames []byte) error {
	return w.exec(`INSERT INTO stretch (journal, first, last, frames) VALUES ($1, $2, $3, $4)
		ON CONFLICT (journal, first) DO UPDATE SET last = excluded.last, frames = excluded.frames`,
		j.id, j.closed+1, j.head, frames)
}

// errMoved is a journal to which somebody else has written.
var errMoved = errors.New("another program writes to the same store: run only one sabot-pit")

// save writes how far a journal is.
func (w *writer) save(j *kept) error {
	if j.open.frames > 0 {
		if err := w.stretch(j, j.open.open()); err != nil {
			return err
		}
	}
	err := w.expect(`UPDATE journal SET head = $1, hash = $2, head_at = $3, closed = $4, kept = $5, kept_at = $6,
		unread = $7 WHERE id = $8 AND head = $9`, errMoved,
		j.head, j.hash, j.headAt, j.closed, j.state, j.stateAt, j.unread, j.id, j.was)
	if err != nil {
		return err
	}
	j.was = j.head
	return nil
}

// keepRules keeps the texts of rules.
func (w *writer) keepRules(b *Batch) error {
	for fingerprint, text := range b.Rules {
		_, err := remember(w.rules, func(string) (bool, error) {
			return true, w.keepRule(fingerprint, text)
		})(fingerprint)
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) keepRule(fingerprint string, text []byte) error {
	var there int
	known, err := w.row(`SELECT 1 FROM rules WHERE fingerprint = $1`, []any{fingerprint}, []any{&there})
	if err != nil || known {
		return err
	}
	if err := w.alone(); err != nil {
		return err
	}
	return w.exec(`INSERT INTO rules (fingerprint, content) VALUES ($1, $2) ON CONFLICT DO NOTHING`, fingerprint, text)
}

// keepSeals keeps seals. One that comes again is dropped.
func (w *writer) keepSeals(j *kept, b *Batch, records []journal.Record) error {
	for i := range b.Seals {
		seal := &b.Seals[i]
		signer, err := remember(w.signers, func(key string) (int64, error) {
			return w.number("signer", "public_key", []byte(key))
		})(string(seal.Key))
		if err != nil {
			return err
		}
		var hash any = seal.Hash[:]
		if n := len(records); n > 0 && seal.Seq >= records[0].Seq && seal.Seq <= records[n-1].Seq &&
			records[seal.Seq-records[0].Seq].Hash == seal.Hash {
			hash = nil
		}
		err = w.exec(`INSERT INTO seal (journal, record, signed, signer, hash, signature)
			VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
			j.id, seal.Seq, seal.At, signer, hash, seal.Signature)
		if err != nil {
			return err
		}
	}
	return nil
}

// found notes what is wrong with a journal, once.
func (w *writer) found(k *keeper, journal, kind string, record uint64, what string) error {
	return w.exec(`INSERT INTO finding (place, journal, kind, record, what, found)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		k.place, journal, kind, record, what, time.Now().UnixNano())
}

// finds notes what is wrong with a journal, and declines with it.
func (w *writer) finds(k *keeper, journal, kind string, record uint64, what error) error {
	return cmp.Or(w.found(k, journal, kind, record, what.Error()), error(refusal{what}))
}

func (w *writer) rewritten(k *keeper, journal string, record uint64) error {
	return w.finds(k, journal, "rewritten", record, &RewrittenError{Table: k.table, Journal: journal, Record: record})
}

func (w *writer) rolledBack(k *keeper, journal string, had, has uint64) error {
	return w.finds(k, journal, "rolled-back", has,
		&RolledBackError{Table: k.table, Journal: journal, Had: had, Has: has})
}
