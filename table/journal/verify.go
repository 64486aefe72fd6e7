package journal

import (
	"context"
	"database/sql"
	"fmt"
)

// tailLength is how many records at the end of the journal Open checks, so that
// it stays fast however long the journal is.
const tailLength = 1000

// progressStep is how many records Verify checks between two reports.
const progressStep = 4096

// Verify walks the whole journal and checks each record: its number, the numbers
// of its events, its pointers back, and the hash chain; then that the end is
// where boots, seals and cursors say. It reports the first record that is wrong as a
// *BrokenError. progress may be nil; it is called now and then, and at the end.
//
// Verify finds every change, loss and swap inside the journal. It cannot tell
// that somebody has computed the whole chain anew, or has cut the end off where
// no boot, seal or cursor stands: for that there are the seals' signatures, which
// package audit checks, and a copy of Head kept elsewhere.
func (r *Reader) Verify(ctx context.Context, progress func(done, total uint64)) error {
	return r.fault("verify", r.verify(ctx, progress))
}

func (r *Reader) verify(ctx context.Context, progress func(done, total uint64)) error {
	if progress == nil {
		progress = func(uint64, uint64) {}
	}
	total, err := r.lastSeq()
	if err != nil {
		return err
	}
	err = r.follow(ctx, func(s *Step) error {
		if s.Fault != nil {
			return s.Fault
		}
		if s.Record.Seq%progressStep == 0 {
			progress(s.Record.Seq, total)
		}
		return nil
	})
	if err == nil {
		progress(total, total)
	}
	return err
}

// checkEnd checks the last records and gives the chain's state behind them.
func (r *Reader) checkEnd() (chain, error) {
	last, err := r.lastSeq()
	if err != nil {
		return chain{}, err
	}
	from := r.start()
	if last > tailLength {
		rec, err := r.record(last - tailLength)
		if err != nil {
			return chain{}, err
		}
		from = after(&rec)
	}
	end, err := r.walkEnd(from)
	if err != nil {
		return chain{}, fmt.Errorf("%w (sabot verify checks the whole journal)", err)
	}
	return end, nil
}

// walkEnd checks the records behind the state c to the end of the journal, and gives
// the state there.
func (r *Reader) walkEnd(c chain) (chain, error) {
	known, err := witnessesIn(context.Background(), r.db) // first, as the journal may grow meanwhile
	if err != nil {
		return c, err
	}
	var h hasher
	for rec, err := range r.Records(c.seq + 1) {
		if err != nil {
			return c, err
		}
		if err := c.check(&h, &rec); err != nil {
			return c, err
		}
		c = after(&rec)
	}
	return c, known.check(&c)
}

// witnesses are what the other tables know of the journal's length.
type witnesses struct {
	boot, firstRecord uint64 // the last boot began with this record
	sealed            uint64 // the last seal stands behind this record
	cursor            string // the cursor that has come furthest
	event             uint64
}

// queryRower is a connection or a pool of them.
type queryRower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func witnessesIn(ctx context.Context, db queryRower) (w witnesses, err error) {
	err = db.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(max(number), 0) FROM boot), (SELECT coalesce(max(first_record), 0) FROM boot),
		(SELECT coalesce(max(seq), 0) FROM seal),
		coalesce((SELECT name FROM cursor ORDER BY event DESC LIMIT 1), ''), (SELECT coalesce(max(event), 0) FROM cursor)`).
		Scan(&w.boot, &w.firstRecord, &w.sealed, &w.cursor, &w.event)
	return w, err
}

// check finds that the journal's end has been cut off.
func (w *witnesses) check(end *chain) error {
	if w.firstRecord > end.seq+1 {
		return brokenf(end.seq+1, "is missing: boot %d began with record %d", w.boot, w.firstRecord)
	}
	if w.sealed > end.seq {
		return brokenf(end.seq+1, "is missing: a seal stands behind record %d", w.sealed)
	}
	if w.event > end.event {
		return brokenf(end.seq+1, "is missing: the cursor %s has come to event %d, the last is %d", w.cursor, w.event, end.event)
	}
	return nil
}

// lastBoot is the number of the last boot, and of the first record that it could
// write; both are 0 before the first boot.
func (r *Reader) lastBoot() (number, firstRecord uint64, err error) {
	err = r.db.QueryRow(`SELECT coalesce(max(number), 0), coalesce(max(first_record), 0) FROM boot`).Scan(&number, &firstRecord)
	return number, firstRecord, err
}
