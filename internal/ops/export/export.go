// Package export writes the content of a journal as tables, for queries: as one SQLite file,
// or as a folder of CSV or Parquet files. The tables are for reading, and prove nothing;
// only the journal can be verified.
//
// It is apart from the tool, which has the commands: it takes a journal and a folder, and is tested without a process.
// WriteFiles is for any tables: the pit's database is exported by it, too.
package export

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/sabot-table/sabot/table/journal"
)

// Source is a journal to read from.
type Source interface {
	// Head is the number and the hash of the last record.
	Head() (seq uint64, hash [32]byte, err error)
	// Records yields the records from a number on. If they were moved away, it ends with a
	// journal.AwayError.
	Records(from uint64) iter.Seq2[journal.Record, error]
	// FirstOf is the first record of a round or of a later one, 0 for none.
	FirstOf(round uint64) (seq uint64, err error)
	// SetUp is the input of a set-up, by the number of its record, even if that was moved
	// away.
	SetUp(seq uint64) ([]byte, error)
	// Rules is the text of the rules with a fingerprint, nil if the journal does not have it.
	Rules(fingerprint string) ([]byte, error)
}

// Options say what is written.
type Options struct {
	// Format is one of Formats.
	Format string
	// From is the first record to write, 0 for all.
	From uint64
	// Rounds are the rounds to write.
	Rounds Rounds
	// Force allows an earlier export to be replaced.
	Force bool
	// Progress, if not nil, is called from time to time with how many records are done.
	Progress func(done, total uint64)
}

// Rounds are the rounds from one number to another, inclusive. The zero value is all of
// them, and what came before the first.
type Rounds struct{ First, Last uint64 }

func (r Rounds) all() bool { return r == Rounds{} }

// has reports whether a round is among them.
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

// tables are the tables of a journal.
var tables = []Table{
	TableOf[recordRow]("record"),
	TableOf[eventRow]("event"),
	TableOf[roundRow]("round"),
	TableOf[irregularityRow]("irregularity"),
	TableOf[trayRow]("tray"),
}

// indexes support the most frequent queries: a round, and a record's events.
const indexes = `
CREATE INDEX record_round ON record (round);
CREATE INDEX event_round ON event (round);
CREATE INDEX event_record ON event (record);`

// Write writes the tables of a journal to path, completely or not at all: a file for SQLite,
// a folder for the others. A table may continue to write the journal; what it writes after
// the beginning is not exported.
func Write(ctx context.Context, from Source, path string, o Options) (Counts, error) {
	var m maker
	err := WriteFiles(path, Files{
		Format: o.Format, Tables: tables, Indexes: indexes,
		Force: o.Force,
	}, func(emit func(any) error) error {
		m.emit = emit
		return m.run(ctx, from, o)
	})
	if err != nil {
		return Counts{}, err
	}
	return m.counts, nil
}

// progressStep is how many records there are between two progress reports.
const progressStep = 1024

// run goes through the journal. It begins at the first record, whatever is written: earlier
// records say who deals and which house is played.
func (m *maker) run(ctx context.Context, from Source, o Options) error {
	m.rulesOf, m.currencies = from.Rules, map[string]string{}
	g := going{maker: m, from: from, o: o}
	if err := g.choose(); err != nil {
		return err
	}
	if err := g.records(ctx); err != nil {
		return err
	}
	if m.counts.Records+len(m.round) == 0 && !o.Rounds.all() {
		return fmt.Errorf("the journal has none of the rounds %d to %d", o.Rounds.First, o.Rounds.Last)
	}
	return m.end()
}

// going is an export under way.
type going struct {
	*maker
	from Source
	o    Options
	// first is the first record that is written, and last the last that is read.
	first, last uint64
}

// choose finds which records to write.
func (g *going) choose() (err error) {
	if g.last, _, err = g.from.Head(); err != nil {
		return err
	}
	if g.first = max(g.o.From, 1); g.o.From > g.last {
		return fmt.Errorf("there is no record %d: the last is %d", g.o.From, g.last)
	}
	if !g.o.Rounds.all() {
		first, err := g.from.FirstOf(g.o.Rounds.First)
		if err != nil {
			return err
		}
		g.first = max(g.first, first)
	}
	return nil
}

// records reads the records. It restarts after records that were moved away, unless one of
// them was to be written.
func (g *going) records(ctx context.Context) error {
	for begin := uint64(1); ; {
		err := g.read(ctx, begin)
		away, moved := errors.AsType[*journal.AwayError](err)
		if !moved {
			return err
		}
		if away.Last < begin || away.Last >= g.first {
			return fmt.Errorf("%w; or export what comes after it, with --from %d", err, away.Last+1)
		}
		begin = away.Last + 1
	}
}

func (g *going) read(ctx context.Context, begin uint64) error {
	for r, err := range g.from.Records(begin) {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		if r.Seq > g.last || r.Round > g.o.Rounds.last() {
			return nil
		}
		if err := g.record(&r); err != nil {
			return err
		}
		if g.o.Progress != nil && r.Seq%progressStep == 0 {
			g.o.Progress(r.Seq, g.last)
		}
	}
	return ctx.Err()
}

func (g *going) record(r *journal.Record) error {
	if r.Seq < g.first || !g.o.Rounds.has(r.Round) {
		g.pass(r)
		return nil
	}
	if g.house == "" && r.Setup != 0 {
		// The set-up was moved away: the records that were skipped lacked it.
		input, err := g.from.SetUp(r.Setup)
		if err != nil {
			return err
		}
		if set := g.reader.Input(input).In.Setup; set != nil {
			g.house, g.currency, g.rules = set.House, set.Currency, set.Profile
		}
	}
	return g.add(*r)
}
