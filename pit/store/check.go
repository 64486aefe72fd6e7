package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// stretchSize is how much of a journal is read at once, in bytes.
const stretchSize = 128 << 10

// stretches yields a journal from after a record on, as its table would send it.
func stretches(r *journal.Reader, after uint64) iter.Seq2[journal.Stretch, error] {
	return func(yield func(journal.Stretch, error) bool) {
		for {
			stretch, err := r.Stretch(after, stretchSize)
			if !yield(stretch, err) || err != nil || len(stretch.Frames) == 0 {
				return
			}
			last, err := journal.ParseRecord(stretch.Frames[len(stretch.Frames)-1])
			if err != nil {
				yield(stretch, err)
				return
			}
			after = last.Seq
		}
	}
}

// Refill keeps what it lacks of a table's journal, gaps included, from the folder that a Reader reads. Progress,
// if not nil, is called from time to time with the last record that is kept.
func (s *Store) Refill(ctx context.Context, table topic.Table, r *journal.Reader,
	progress func(record, head uint64),
) error {
	var after uint64
	j, err := s.Records(ctx, table, r.ID())
	if err == nil {
		after, _, err = j.Head()
	}
	if err != nil && !errors.Is(err, ErrUnknown) {
		return err
	}
	if err := s.refillGaps(ctx, table, r); err != nil {
		return fmt.Errorf("refill the pit's store with table %s: %w", table, err)
	}
	for stretch, err := range stretches(r, after) {
		if err != nil {
			return fmt.Errorf("refill the pit's store with table %s: %w", table, err)
		}
		if _, err := s.Append(ctx, &Batch{Table: table, Journal: r.ID(), Stretch: stretch}); err != nil {
			return err
		}
		if progress != nil && len(stretch.Frames) > 0 {
			progress(stretch.After+uint64(len(stretch.Frames)), stretch.Head)
		}
	}
	return nil
}

// Checked is what Check has found. Lists have at most the first hundred records.
type Checked struct {
	// Records is how many are in the folder and kept, byte for byte the same.
	Records uint64
	// Missing are records of the folder that are not kept, and Differ those that are kept with
	// other bytes.
	Missing, Differ []uint64
	// AllMissing and AllDiffer count them, however many there are.
	AllMissing, AllDiffer uint64
	// Extra are records that are kept, and are not in the folder: it was rolled back, or its
	// older parts were moved to an archive.
	Extra []uint64
	// Lost are those of Extra that are behind the folder's end, or of which the table has not told that they are away.
	Lost []uint64
	// Pruned is the last record that the store has removed by its retention; those up to it are
	// not compared.
	Pruned uint64
}

// Same says whether all of the folder is kept as it is.
func (c *Checked) Same() bool { return len(c.Missing) == 0 && len(c.Differ) == 0 }

// mostListed is how many records a list of Checked has at most.
const mostListed = 100

func list(into []uint64, seq uint64) []uint64 {
	if len(into) < mostListed {
		into = append(into, seq)
	}
	return into
}

// Check compares every record of a journal's folder with those that are kept of it, byte for
// byte.
func (s *Store) Check(ctx context.Context, table topic.Table, r *journal.Reader,
	progress func(record, head uint64),
) (c Checked, err error) {
	kept, err := s.Records(ctx, table, r.ID())
	if err != nil {
		return c, err
	}
	if err := s.read.QueryRowContext(ctx, `SELECT pruned FROM journal WHERE id = $1`,
		kept.id).Scan(&c.Pruned); err != nil {
		return c, err
	}
	lost, err := s.lost(ctx, kept.id, r)
	if err != nil {
		return c, err
	}
	extra := func(seq uint64) {
		if c.Extra = list(c.Extra, seq); lost(seq) {
			c.Lost = list(c.Lost, seq)
		}
	}
	next, stop := iter.Pull2(s.records(ctx, s.read, kept.id, c.Pruned+1))
	defer stop()
	have, err, more := next()
	for stretch, wrong := range stretches(r, c.Pruned) {
		if err := errors.Join(wrong, err, ctx.Err()); err != nil {
			return c, err
		}
		for _, frame := range stretch.Frames {
			rec, wrong := journal.ParseRecord(frame)
			if wrong != nil {
				return c, wrong
			}
			for more && err == nil && have.Seq < rec.Seq {
				extra(have.Seq)
				have, err, more = next()
			}
			switch {
			case err != nil:
				return c, err
			case !more || have.Seq > rec.Seq:
				c.Missing = list(c.Missing, rec.Seq)
				c.AllMissing++
				continue
			case !bytes.Equal(have.text, frame):
				c.Differ = list(c.Differ, rec.Seq)
				c.AllDiffer++
			default:
				c.Records++
			}
			have, err, more = next()
		}
		if progress != nil {
			progress(stretch.After+uint64(len(stretch.Frames)), stretch.Head)
		}
	}
	for more && err == nil {
		extra(have.Seq)
		have, err, more = next()
	}
	return c, err
}

// lost says of records that are kept and not in the folder whether they should be there: the folder ends before them,
// or they are before its beginning, and the table has not told that they were moved away.
func (s *Store) lost(ctx context.Context, id int64, r *journal.Reader) (func(seq uint64) bool, error) {
	begins, err := r.Begins()
	if err != nil {
		return nil, err
	}
	head, _, err := r.Head()
	if err != nil {
		return nil, err
	}
	away := begins
	err = eachRow(ctx, s.read, `SELECT t.away FROM told t JOIN journal j ON j.place = t.place AND j.name = t.journal
		WHERE j.id = $1 AND t.began_away >= 0 ORDER BY t.boot DESC LIMIT 1`,
		[]any{id}, func(scan scan) error { return scan(&away) })
	return func(seq uint64) bool { return seq > head || seq > away && seq <= begins }, err
}
