package recall_test

import (
	"encoding/json"
	"errors"
	"iter"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// recorder records inputs as the runner does.
type recorder struct {
	t       testing.TB
	journal *journal.Journal
	table   table.Table
	entries []journal.Entry
	seq     uint64
}

// start is when the records begin, in Unix nanoseconds; each record is one second later.
const start = 1_800_000_000_000_000_000

func newRecorder(t testing.TB) *recorder {
	t.Helper()
	j, err := journal.Open(filepath.Join(t.TempDir(), "journal"), journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return &recorder{t: t, journal: j}
}

// take puts an input in; the next flush records it.
func (r *recorder) take(in vocab.Input) {
	r.seq++
	in.Line = r.seq
	if in.Time == 0 {
		in.Time = start + int64(r.seq)*1e9
	}
	e := journal.Entry{At: in.Time, Input: transcript.AppendInput(nil, &in)}
	checkpoint := in.Kind == vocab.InSetup
	for _, out := range r.table.Step(&in) {
		e.Outputs = append(transcript.AppendOutput(e.Outputs, &out), '\n')
		checkpoint = checkpoint || out.Kind == vocab.Finished
	}
	e.Round = r.table.Round()
	if checkpoint && r.table.Settled() && r.table.Rejected() == 0 {
		carry, err := json.Marshal(r.table.Carry())
		if err != nil {
			r.t.Fatal(err)
		}
		e.Carry = carry
	}
	r.entries = append(r.entries, e)
}

// flush writes what was taken.
func (r *recorder) flush() {
	r.t.Helper()
	if err := r.journal.Append(r.entries); err != nil {
		r.t.Fatal(err)
	}
	r.entries = r.entries[:0]
}

// counted counts how often records are requested, and how many are returned.
type counted struct {
	*journal.Journal
	asked, given int
}

func (c *counted) Records(from uint64) iter.Seq2[journal.Record, error] {
	c.asked++
	return func(yield func(journal.Record, error) bool) {
		for rec, err := range c.Journal.Records(from) {
			c.given++
			if !yield(rec, err) {
				return
			}
		}
	}
}

var errDisk = errors.New("the disk does not read")

// broken is a journal of which only the head can be read.
type broken struct{ *journal.Journal }

func (broken) Records(uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) { yield(journal.Record{}, errDisk) }
}
