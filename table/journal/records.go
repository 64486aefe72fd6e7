package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"
)

// pageSize is how many records are read at once. Between pages no read
// transaction is open, so that a slow reader does not keep SQLite from emptying
// the write-ahead log.
const pageSize = 256

// Records streams the records from number from on, in order, up to the one that
// is the last when the iteration begins. It stops at the first error, which it
// yields with a zero Record; a missing record is a *BrokenError. The record's
// slices belong to the caller.
func (r *Reader) Records(from uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		last, err := r.lastSeq()
		if err != nil {
			yield(Record{}, r.fault("read records", err))
			return
		}
		for next := max(from, 1); next <= last; {
			page, err := r.readPage(next, min(pageSize, last-next+1))
			for _, rec := range page {
				if !yield(rec, nil) {
					return
				}
			}
			if err != nil {
				yield(Record{}, r.fault("read records", err))
				return
			}
			next += uint64(len(page))
		}
	}
}

// FirstOf is the first record that belongs to a round or to a later one, 0 where there
// is none. It takes for granted that the rounds' numbers rise.
func (r *Reader) FirstOf(round uint64) (seq uint64, err error) {
	seq, err = r.firstOf(round)
	return seq, r.fault(fmt.Sprintf("find round %d", round), err)
}

func (r *Reader) firstOf(round uint64) (uint64, error) {
	last, err := r.lastSeq()
	if err != nil {
		return 0, err
	}
	low, high := uint64(1), last+1
	for low < high {
		middle := low + (high-low)/2
		rec, err := r.record(middle)
		switch {
		case err != nil:
			return 0, err
		case rec.Round < round:
			low = middle + 1
		default:
			high = middle
		}
	}
	if low > last {
		return 0, nil
	}
	return low, nil
}

// Head is the number and the hash of the last record; 0 and the chain's origin
// when there is none. Written down elsewhere, it shows later whether the end of
// the journal has been cut off, which the chain alone cannot.
func (r *Reader) Head() (seq uint64, hash [32]byte, err error) {
	c, err := r.end()
	return c.seq, c.hash, r.fault("read the last record", err)
}

// Checkpoint is the last record with a Carry, and the Input of the set-up in
// force there: what a restart begins with, before it takes the records behind
// seq. All are zero when there is none.
func (r *Reader) Checkpoint() (seq uint64, carry, setup []byte, err error) {
	seq, carry, setup, err = r.checkpoint()
	return seq, carry, setup, r.fault("read the checkpoint", err)
}

func (r *Reader) checkpoint() (seq uint64, carry, setup []byte, err error) {
	end, err := r.end()
	if err != nil || end.checkpoint == 0 {
		return 0, nil, nil, err
	}
	rec, err := r.record(end.checkpoint)
	if err != nil {
		return 0, nil, nil, err
	}
	if rec.Setup == 0 {
		return rec.Seq, rec.Carry, nil, nil
	}
	by, err := r.record(rec.Setup)
	return rec.Seq, rec.Carry, by.Input, err
}

// end is the chain's state behind the last record.
func (r *Reader) end() (chain, error) {
	last, err := r.lastSeq()
	if err != nil || last == 0 {
		return r.start(), err
	}
	rec, err := r.record(last)
	return after(&rec), err
}

// start is the chain's state before the first record.
func (r *Reader) start() chain { return chain{hash: origin(r.id)} }

func (r *Reader) lastSeq() (seq uint64, err error) {
	return seq, r.last.QueryRow().Scan(&seq)
}

// record reads the record with the given number, which must be there.
func (r *Reader) record(seq uint64) (Record, error) {
	page, err := r.readPage(seq, 1)
	if err != nil {
		return Record{}, err
	}
	return page[0], nil
}

// readPage reads n records from number from on, which must all be there. With an
// error it gives those before the first that is missing or broken.
func (r *Reader) readPage(from, n uint64) ([]Record, error) {
	rows, err := r.page.Query(int64(from), int64(n))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	page := make([]Record, 0, n)
	for rows.Next() {
		rec, err := scan(rows)
		if err != nil {
			return page, err
		}
		if next := from + uint64(len(page)); rec.Seq != next {
			return page, &BrokenError{Seq: next, What: "is missing"}
		}
		page = append(page, rec)
	}
	next := from + uint64(len(page))
	if err := rows.Err(); err != nil {
		return page, fmt.Errorf("record %d: %w", next, err)
	}
	if uint64(len(page)) < n {
		return page, &BrokenError{Seq: next, What: "is missing"}
	}
	return page, nil
}

// scan takes a row of columns.
func scan(rows *sql.Rows) (Record, error) {
	var r Record
	var boot, round, shoeBoot, shoeSeq, event, setup, shoe, checkpoint int64
	var hash sql.RawBytes
	err := rows.Scan(&r.Seq, &boot, &r.At, &round, &shoeBoot, &shoeSeq, &event, &setup, &shoe, &checkpoint,
		&r.Rules, &r.Input, &r.Outputs, &r.Carry, &hash)
	if err != nil {
		return Record{}, err
	}
	if min(shoeBoot, shoeSeq) < 0 || max(shoeBoot, shoeSeq) > math.MaxUint32 {
		return Record{}, &BrokenError{Seq: r.Seq, What: "has an impossible position of the shoe"}
	}
	if len(hash) != len(r.Hash) {
		return Record{}, &BrokenError{Seq: r.Seq, What: "has no whole hash"}
	}
	r.Boot, r.Round, r.FirstEvent = uint64(boot), uint64(round), uint64(event)
	r.ShoeBoot, r.ShoeSeq = uint32(shoeBoot), uint32(shoeSeq)
	r.Setup, r.Shoe, r.Checkpoint = uint64(setup), uint64(shoe), uint64(checkpoint)
	copy(r.Hash[:], hash)
	return r, nil
}

// Cursor is how far the named publisher has come: the number of the last event
// that it need not send again, 0 for a name that has never been set.
func (r *Reader) Cursor(name string) (event uint64, err error) {
	err = r.cursor.QueryRow(name).Scan(&event)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return event, r.fault("read the cursor "+name, err)
}
