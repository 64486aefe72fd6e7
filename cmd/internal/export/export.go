// Package export writes what a journal holds as tables, for people who want to ask it
// questions: as one SQLite file, or as a folder of CSV or Parquet files. The tables are
// for looking, and prove nothing; the journal alone can be verified.
package export

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/sabot-table/sabot/table/journal"
)

// Source is a journal to read from.
type Source interface {
	// Head is the number and the hash of the last record.
	Head() (seq uint64, hash [32]byte, err error)
	// Records yields the records from a number on.
	Records(from uint64) iter.Seq2[journal.Record, error]
}

// Options say what is written.
type Options struct {
	// Format is one of Formats.
	Format string
	// From is the first record that is written, 0 for all.
	From uint64
	// Rounds are those that are written.
	Rounds Rounds
	// Force lets what was exported before be replaced.
	Force bool
	// Progress, if not nil, is called now and then with how many records are done.
	Progress func(done, total uint64)
}

// Rounds are the rounds from one number to another, both included. The zero value is all
// of them, and what came before the first.
type Rounds struct{ First, Last uint64 }

func (r Rounds) all() bool { return r == Rounds{} }

// has says whether a round is among them.
func (r Rounds) has(round uint64) bool { return r.all() || r.First <= round && round <= r.Last }

// last is the number of the last of them.
func (r Rounds) last() uint64 {
	if r.all() {
		return math.MaxUint64
	}
	return r.Last
}

// Counts say how much was written.
type Counts struct{ Records, Events, Rounds, Irregularities int }

// format writes tables into a folder of its own.
type format interface {
	write(row any) error
	// close ends the writing. The files are whole only after it.
	close() error
}

// formats are how each begins in a folder, which is there.
var formats = map[string]struct {
	begin func(folder string) (format, error)
	// single says that the format has one file, not a folder of them.
	single bool
}{
	"sqlite":  {beginSQLite, true},
	"csv":     {beginCSV, false},
	"parquet": {beginParquet, false},
}

// Formats are the formats' names.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Write writes the tables of a journal to path, whole or not at all: a file for SQLite, a
// folder for the others. A table may go on writing the journal; what it writes after the
// beginning is not exported.
func Write(ctx context.Context, from Source, path string, o Options) (Counts, error) {
	f, ok := formats[o.Format]
	if !ok {
		return Counts{}, fmt.Errorf("%q is no format: there are %v", o.Format, Formats())
	}
	draft, err := newDraft(path, f.single, o.Force)
	if err != nil {
		return Counts{}, err
	}
	to, err := f.begin(draft.folder)
	if err != nil {
		return Counts{}, errors.Join(err, draft.drop())
	}
	m := maker{emit: to.write}
	err = m.run(ctx, from, o)
	if err := errors.Join(err, to.close()); err != nil {
		return Counts{}, errors.Join(err, draft.drop())
	}
	return m.counts, draft.place()
}

// progressStep is how many records lie between two reports of the progress.
const progressStep = 1024

// run goes through the journal. It begins at its first record, whatever is written: who
// deals and which house is played was said before.
func (m *maker) run(ctx context.Context, from Source, o Options) error {
	last, _, err := from.Head()
	if err != nil {
		return err
	}
	if o.From > last {
		return fmt.Errorf("there is no record %d: the last is %d", o.From, last)
	}
	rounds := uint64(0)
	for r, err := range from.Records(1) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if r.Seq > last || r.Round > o.Rounds.last() {
			break
		}
		if rounds = r.Round; r.Seq < o.From || !o.Rounds.has(r.Round) {
			m.pass(&r)
		} else if err := m.add(r); err != nil {
			return err
		}
		if o.Progress != nil && r.Seq%progressStep == 0 {
			o.Progress(r.Seq, last)
		}
	}
	if err := m.end(); err != nil {
		return err
	}
	if m.counts.Records == 0 && !o.Rounds.all() {
		return fmt.Errorf("there is nothing of the rounds %d to %d: the last one is %d", o.Rounds.First, o.Rounds.Last, rounds)
	}
	return nil
}
