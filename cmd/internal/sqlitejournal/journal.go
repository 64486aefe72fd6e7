// Package sqlitejournal reads journals of the first format, one SQLite file. No program
// writes that format; sabot import-journal imports such a journal. README.md defines the
// format.
package sqlitejournal

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/sabot-table/sabot/table/journal"
)

// Journal is a journal of the first format, as it is at the moment of Open.
type Journal struct {
	path string
	id   string
	held *lock
	db   *sql.DB
	conn *sql.Conn
	tx   *sql.Tx // holds the moment
}

// Record is one input, and what the engine answered.
type Record struct {
	journal.Entry
	// Seq numbers the records from 1, Boot is the opening that wrote the record, and
	// FirstEvent the number of its first output.
	Seq, Boot, FirstEvent uint64
	// Setup, Shoe and Checkpoint point to the last record, this one included, that set
	// the table up, came from a shoe, and has a carry. 0 for none.
	Setup, Shoe, Checkpoint uint64
	// Hash chains the record to the one before.
	Hash [32]byte
}

// Boot is one opening of the journal for writing.
type Boot struct {
	Number      uint64
	Program     string
	FirstRecord uint64
}

// Seal is a signature under the hash of a record.
type Seal struct {
	Seq       uint64
	Hash      [32]byte
	At        int64
	Key       ed25519.PublicKey
	Signature []byte
}

// Cursor is how far a publisher had come.
type Cursor struct {
	Name  string
	Event uint64
}

// ID is the journal's own name, 32 hexadecimal digits.
func (j *Journal) ID() string { return j.id }

// Close ends the reading.
func (j *Journal) Close() error {
	return errors.Join(j.tx.Rollback(), j.conn.Close(), j.db.Close(), j.held.release())
}

// Head is the number of the last record and its hash; 0 and the chain's origin if there is
// none.
func (j *Journal) Head(ctx context.Context) (seq uint64, hash [32]byte, err error) {
	var kept []byte
	err = j.tx.QueryRowContext(ctx, `SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1`).Scan(&seq, &kept)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, origin(j.id), nil
	}
	if err != nil {
		return 0, hash, j.fault(fmt.Errorf("its last record cannot be read: %w", err))
	}
	copy(hash[:], kept)
	return seq, hash, nil
}

// Records yields the records in the order of their numbers, up to the first error.
func (j *Journal) Records(ctx context.Context) iter.Seq2[Record, error] {
	return each(ctx, j, "the records", `SELECT seq, boot, at, round, shoe_boot, shoe_seq, first_event, setup, shoe, checkpoint,
		rules, input, outputs, carry, hash FROM record ORDER BY seq`, scanRecord)
}

// Boots yields the openings in the order of their numbers.
func (j *Journal) Boots(ctx context.Context) iter.Seq2[Boot, error] {
	return each(ctx, j, "the boots", `SELECT number, program, first_record FROM boot ORDER BY number`, func(rows *sql.Rows) (b Boot, err error) {
		if err := rows.Scan(&b.Number, &b.Program, &b.FirstRecord); err != nil {
			return b, err
		}
		return b, named(b.Program, fmt.Sprintf("the program of boot %d", b.Number))
	})
}

// Seals yields the seals in the order of their records.
func (j *Journal) Seals(ctx context.Context) iter.Seq2[Seal, error] {
	return each(ctx, j, "the seals", `SELECT seq, hash, at, key, signature FROM seal ORDER BY seq`, func(rows *sql.Rows) (s Seal, err error) {
		var hash []byte
		if err := rows.Scan(&s.Seq, &hash, &s.At, &s.Key, &s.Signature); err != nil {
			return s, err
		}
		return s, whole(s.Hash[:], hash, s.Seq)
	})
}

// Cursors yields the cursors in the order of their names.
func (j *Journal) Cursors(ctx context.Context) iter.Seq2[Cursor, error] {
	return each(ctx, j, "the cursors", `SELECT name, event FROM cursor ORDER BY name`, func(rows *sql.Rows) (c Cursor, err error) {
		if err := rows.Scan(&c.Name, &c.Event); err != nil {
			return c, err
		}
		return c, named(c.Name, "a cursor")
	})
}

// each yields what a query finds, up to the first error.
func each[T any](ctx context.Context, j *Journal, what, query string, scan func(*sql.Rows) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		rows, err := j.tx.QueryContext(ctx, query)
		if err != nil {
			yield(zero, j.fault(unread(what, err)))
			return
		}
		defer rows.Close()
		for rows.Next() {
			row, err := scan(rows)
			if err != nil {
				yield(zero, j.fault(unread(what, err)))
				return
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(zero, j.fault(unread(what, err)))
		}
	}
}

func scanRecord(rows *sql.Rows) (r Record, err error) {
	var round, shoeBoot, shoeSeq int64
	var hash []byte
	err = rows.Scan(&r.Seq, &r.Boot, &r.At, &round, &shoeBoot, &shoeSeq, &r.FirstEvent, &r.Setup, &r.Shoe, &r.Checkpoint,
		&r.Rules, &r.Input, &r.Outputs, &r.Carry, &hash)
	if err != nil {
		return r, fmt.Errorf("after record %d: %w", r.Seq, err)
	}
	if round < 0 || min(shoeBoot, shoeSeq) < 0 || max(shoeBoot, shoeSeq) > math.MaxUint32 {
		return r, fmt.Errorf("record %d has an impossible round or position of the shoe", r.Seq)
	}
	r.Round, r.ShoeBoot, r.ShoeSeq = uint64(round), uint32(shoeBoot), uint32(shoeSeq)
	return r, whole(r.Hash[:], hash, r.Seq)
}

// whole takes a hash, which must have all of its bytes.
func whole(to, from []byte, seq uint64) error {
	if len(from) != len(to) {
		return fmt.Errorf("record %d has %d bytes instead of a hash", seq, len(from))
	}
	copy(to, from)
	return nil
}

// Error says what is wrong with which journal.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return "journal " + e.Path + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// fault adds, once, which journal an error concerns.
func (j *Journal) fault(err error) error {
	if err == nil {
		return nil
	}
	if _, named := errors.AsType[*Error](err); named {
		return err
	}
	return &Error{j.path, err}
}
