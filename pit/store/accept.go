package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// A journal that was rewritten has two branches from the first record that differs: what is
// kept, and what the table has. Once a named person has accepted the table's, what is kept from
// there on becomes a journal of its own, and the table is followed again. Nothing is removed:
// rounds of both branches were dealt, and both count.

// Acceptance is who accepts what a table's journal has become, and why.
type Acceptance struct {
	Table topic.Table
	// By is a person of the pit's, and From where they are.
	By, From string
	Why      string
}

// Accepted is what Accept has done.
type Accepted struct {
	// Former is the name of the journal that what was kept of the other branch is now, "" if
	// the journals do not differ.
	Former string
	// First is the first record of that, and Last its last one.
	First, Last uint64
}

// ErrNothingToAccept is a journal that is as it is kept, and of which nothing was found.
var ErrNothingToAccept = errors.New("nothing is in doubt: the database has the journal as it is in the folder")

// Accept follows what a journal has become, which is in the folder that a Reader reads: one that
// was rewritten or rolled back, or that replaced another. It is on record as a finding, and in
// the log of what people did.
func (s *Store) Accept(ctx context.Context, a Acceptance, r *journal.Reader,
	progress func(record, head uint64),
) (done Accepted, err error) {
	if strings.TrimSpace(a.By) == "" || strings.TrimSpace(a.Why) == "" {
		return done, errors.New("who accepts a journal, and why, must be on record: give both")
	}
	differs, err := s.differs(ctx, a.Table, r, progress)
	if err != nil {
		return done, err
	}
	err = s.do(ctx, func(w *writer) (err error) {
		done, err = w.accept(a, r.ID(), differs)
		return err
	})
	if err != nil {
		return done, err
	}
	if err := s.Refill(ctx, a.Table, r, progress); err != nil {
		return done, err
	}
	return done, s.do(ctx, func(w *writer) error { return w.accepted(a.Table, r.ID()) })
}

// accepted has the table be followed in a journal, whatever came before it.
func (w *writer) accepted(table topic.Table, name string) error {
	k, err := w.keeper(table)
	if err != nil {
		return err
	}
	j, err := w.journal(k, name)
	if err != nil || j == nil || k.current == j.id {
		return err
	}
	return w.follow(k, j)
}

// differs is the first record of a journal that is kept otherwise than the folder has it, 0 for
// none.
func (s *Store) differs(ctx context.Context, table topic.Table, r *journal.Reader,
	progress func(record, head uint64),
) (uint64, error) {
	head, _, err := r.Head()
	if err != nil {
		return 0, err
	}
	found, err := s.Check(ctx, table, r, progress)
	switch {
	case errors.Is(err, ErrUnknown):
		return 0, nil
	case err != nil:
		return 0, err
	case len(found.Differ) > 0:
		return found.Differ[0], nil
	}
	for _, extra := range found.Extra { // in order, the first hundred
		if extra > head {
			return extra, nil
		}
	}
	return 0, nil
}

func (w *writer) accept(a Acceptance, name string, differs uint64) (done Accepted, err error) {
	// What others have changed in this transaction is written before rows are moved.
	if err := w.flush(); err != nil {
		return done, err
	}
	w.changes = newChanges()
	k, err := w.keeper(a.Table)
	if err != nil {
		return done, err
	}
	j, err := w.journal(k, name)
	if err != nil {
		return done, err
	}
	doubts, err := w.doubts(k, name)
	if err != nil {
		return done, err
	}
	if differs == 0 && doubts == 0 && (k.current == 0 || j != nil && k.current == j.id) {
		return done, refusal{ErrNothingToAccept}
	}
	what := "what it has become is followed"
	if differs != 0 {
		if done, err = w.branch(k, j, differs); err != nil {
			return done, err
		}
		what = fmt.Sprintf("what was kept of it from record %d on is journal %s", done.First, done.Former)
	}
	what += ", accepted by " + a.By + ": " + a.Why
	record := done.First
	if record == 0 && j != nil {
		record = j.head
	}
	if err := w.found(k, name, "accepted", record, what); err != nil {
		return done, err
	}
	if err := w.alone(); err != nil {
		return done, err
	}
	if err := w.send(); err != nil {
		return done, err
	}
	return done, peopleTx{w.ctx, w.tx}.Note(people.Entry{
		At: time.Now().UTC().Round(0), Who: a.By, From: a.From, What: people.Acted, About: "accept " + a.Table.String(),
		Detail: "journal " + name + ": " + what,
	})
}

// doubts is how many findings of a journal nobody has accepted.
func (w *writer) doubts(k *keeper, name string) (n int, err error) {
	_, err = w.row(`SELECT count(*) FROM finding WHERE place = $1 AND journal = $2 AND kind <> 'accepted'
		AND found > (SELECT coalesce(max(found), 0) FROM finding WHERE place = $1 AND journal = $2 AND kind = 'accepted')`, []any{k.place, name}, []any{&n})
	return n, err
}

// fork is where a journal can be divided: between two rounds, and with nothing to be put right.
type fork struct {
	last  uint64 // the last record before it
	hash  []byte // its hash, empty if that is not known
	at    int64
	state tally.Kept
	// unread is the first record of which this version cannot read everything, of those that were looked at.
	unread uint64
}

// branch makes a journal of its own of what is kept of one from about a record on.
func (w *writer) branch(k *keeper, j *kept, differs uint64) (done Accepted, err error) {
	f, err := w.forkBefore(j, differs)
	if err != nil {
		return done, err
	}
	state, err := json.Marshal(f.state)
	if err != nil {
		return done, err
	}
	id, err := w.next("journal")
	if err != nil {
		return done, err
	}
	adjusts, err := w.adjustsAfter(j, &f)
	if err != nil {
		return done, err
	}
	done = Accepted{First: f.last + 1, Last: j.head}
	if done.Former, err = w.freeName(k, j.name); err != nil {
		return done, err
	}
	if err := w.addFormer(id, k, j, &f, done.Former, string(state)); err != nil {
		return done, err
	}
	if err := w.moveTo(id, j.id, f.last+1); err != nil {
		return done, err
	}
	for _, move := range [...]string{
		`UPDATE witness SET journal = $1 WHERE place = $2 AND journal = $3 AND record >= $4`,
		`UPDATE told SET journal = $1 WHERE place = $2 AND journal = $3 AND record >= $4`,
		`UPDATE finding SET journal = $1 WHERE place = $2 AND journal = $3 AND record >= $4`,
		`UPDATE drop_count SET journal = $1 WHERE place = $2 AND journal = $3 AND record >= $4`,
	} {
		if err := w.exec(move, done.Former, k.place, j.name, f.last+1); err != nil {
			return done, err
		}
	}
	err = w.exec(`UPDATE journal SET head = $1, hash = $2, head_at = $3, closed = $1, kept = $4, kept_at = $1,
		unread = CASE WHEN unread <= $1 THEN unread ELSE 0 END WHERE id = $5`,
		f.last, f.hash, f.at, string(state), j.id)
	delete(k.journals, j.name)
	if err == nil && adjusts { // rounds before the fork have been counted with them
		err = w.rebuild(k.table)
	}
	return done, err
}

// addFormer adds the journal that keeps what comes after a fork, with its name and the boot in which it begins.
func (w *writer) addFormer(id int64, k *keeper, j *kept, f *fork, name, state string) error {
	unread := j.unread
	if unread != 0 {
		unread = max(unread, f.last+1)
	}
	kept, keptAt := j.state, j.stateAt
	if keptAt < f.last {
		kept, keptAt = state, f.last
	}
	err := w.exec(`INSERT INTO journal
		(id, place, name, former, head, hash, head_at, closed, kept, kept_at, pruned, before, unread)
		VALUES ($1, $2, $3, '', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		id, k.place, name, j.head, j.hash, j.headAt, max(j.closed, f.last), kept, keptAt, f.last, state, unread)
	if err != nil {
		return err
	}
	return w.exec(`INSERT INTO boot (journal, first, boot, program)
		SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), boot, program FROM boot
		WHERE journal = $3 AND first < $2 ORDER BY first DESC LIMIT 1`, id, f.last+1, j.id)
}

// adjustsAfter says whether a journal adjusts past rounds behind a place.
func (w *writer) adjustsAfter(j *kept, f *fork) (bool, error) {
	c := counter{fold: tally.Resume(f.state), houses: j.houses}
	for rec, err := range w.store.records(w.ctx, w.after(), j.id, f.last+1) {
		if err != nil {
			return false, err
		}
		if step, err := c.count(&rec.Record); err != nil || step.Adjusted != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// moveTo gives what is kept of a journal from a record on to another one.
func (w *writer) moveTo(to, from int64, first uint64) error {
	for _, move := range [...]string{
		`DELETE FROM boot WHERE journal = $1 AND first = $3 AND EXISTS (SELECT 1 FROM boot b WHERE b.journal = $2 AND b.first = $3)`,
		`UPDATE boot SET journal = $1 WHERE journal = $2 AND first >= $3`,
		`UPDATE stretch SET journal = $1 WHERE journal = $2 AND first >= $3`,
		`UPDATE gap SET journal = $1 WHERE journal = $2 AND first >= $3`,
		`UPDATE seal SET journal = $1 WHERE journal = $2 AND record >= $3`,
		`UPDATE round SET journal = $1 WHERE journal = $2 AND first >= $3`,
		`UPDATE irregularity SET journal = $1 WHERE journal = $2 AND record >= $3`,
		`UPDATE tray_event SET journal = $1 WHERE journal = $2 AND record >= $3`,
		`UPDATE tray_round SET journal = $1 WHERE journal = $2 AND first >= $3`,
		`UPDATE tray_gone SET journal = $1 WHERE journal = $2 AND record >= $3`,
		`UPDATE adjusted SET journal = $1 WHERE journal = $2 AND record >= $3`,
	} {
		if err := w.exec(move, to, from, first); err != nil {
			return err
		}
	}
	return nil
}

// freeName is a name for a former branch of a journal.
func (w *writer) freeName(k *keeper, name string) (string, error) {
	for n := 1; ; n++ {
		former, id := fmt.Sprintf("%s~%d", name, n), int64(0)
		known, err := w.row(`SELECT id FROM journal WHERE place = $1 AND name = $2`, []any{k.place, former}, []any{&id})
		if err != nil || !known {
			return former, err
		}
	}
}

// forkBefore finds the last place before a record at which a journal can be divided.
func (w *writer) forkBefore(j *kept, before uint64) (f fork, err error) {
	var was string
	if _, err := w.row(`SELECT pruned, before FROM journal WHERE id = $1`, []any{j.id},
		[]any{&f.last, &was}); err != nil {
		return f, err
	}
	c := counter{houses: j.houses}
	if c.fold, err = resumed(was); err != nil {
		return f, err
	}
	f.state, _ = c.fold.Kept()
	f.hash = []byte{}
	ends, err := w.setOf(`SELECT last FROM stretch WHERE journal = $1 AND last < $2`, j.id, before)
	if err != nil {
		return f, err
	}
	gaps, err := gapsOf(w.ctx, w.after(), j.id)
	if err != nil {
		return f, err
	}
	begins := f.last
	var maybe *fork // where the payment of the last round may still have been taken back
	for rec, err := range w.store.records(w.ctx, w.after(), j.id, begins+1) {
		if err != nil {
			return f, err
		}
		if rec.Seq >= before && maybe == nil {
			return f, nil
		}
		left := len(gaps)
		if gaps, err = c.passGaps(gaps, begins, rec.Seq); err != nil {
			return f, err
		}
		if state, _ := c.fold.Kept(); len(gaps) < left && rec.Seq-1 > f.last && !unsettled(state) {
			f, maybe = fork{last: rec.Seq - 1, hash: []byte{}, at: rec.At, state: state}, nil
		}
		step, err := c.count(&rec.Record)
		if err != nil {
			return f, err
		}
		state, between := c.fold.Kept()
		switch {
		case step.Reopened != nil:
			maybe = nil
		case !between && maybe != nil: // the next round is open
			f, maybe = *maybe, nil
		case between && ends[rec.Seq] && !unsettled(state):
			maybe = &fork{last: rec.Seq, hash: bytes.Clone(rec.Hash[:]), at: rec.At, state: state}
			if state.Ended == nil {
				f, maybe = *maybe, nil
			}
		}
	}
	if maybe != nil {
		f = *maybe
	}
	f.unread = c.unread
	return f, nil
}

// unsettled says whether there are irregularities that are not put right.
func unsettled(state tally.Kept) bool {
	return slices.ContainsFunc(slices.Concat(state.Open, state.Since), func(one tally.Irregularity) bool {
		return one.Righted.IsZero()
	})
}
