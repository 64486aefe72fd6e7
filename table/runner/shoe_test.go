package runner_test

import (
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

const (
	gapInput  = `{"in":"shoe","event":"gap","missing":0}`
	gapAsNote = `{"in":"shoe","event":"note","code":"gap between rounds"}`
)

// TestUnsureGap: a gap that may contain a card holds the table in every phase of a round,
// from its opening to its payment, and between rounds is only noted. Whether a round is
// running is decided when the gap's turn comes, not when it was reported.
func TestUnsureGap(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	unsure := shoe.Event{Kind: shoe.Gap, Unsure: true}
	putRight := vocab.Input{Kind: vocab.InResolve, With: irregularity.NoneDrawn, By: "s"}
	holds := func(want bool) {
		t.Helper()
		r.tell(m, unsure)
		answer, err := r.Submit(t.Context(), putRight)
		if err != nil || (answer.Rejected == 0) != want {
			t.Errorf("none-drawn is answered with %q, %v; want the table held: %t", answer.Rejected, err, want)
		}
	}
	holds(false)
	r.put(kind(vocab.InOpen))
	holds(true)
	r.put(stake(1000), kind(vocab.InClose))
	holds(true)
	r.tell(m, unsure)
	r.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.VoidRound, By: "s"})
	holds(true) // the payment is due
	r.put(kind(vocab.InPaid))
	holds(false)
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, in := range m.inputs() {
		if strings.HasPrefix(in, `{"in":"shoe"`) {
			told = append(told, in)
		}
	}
	if want := []string{gapAsNote, gapInput, gapInput, gapInput, gapInput, gapAsNote}; !slices.Equal(told, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

// TestSureGapBetweenRounds: if the shoe's numbers show that events are lost, the table is
// held between rounds too.
func TestSureGapBetweenRounds(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.tell(m, shoe.Event{Kind: shoe.Gap, Missing: 1})
	r.put(vocab.Input{Kind: vocab.InResolve, With: irregularity.NoneDrawn, By: "s"})
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
}

// TestReportOnRecord: the report of a card goes on record with the card, in one append, so that a start knows its
// copies again: neither is ever there alone. Other notes are no reports.
func TestReportOnRecord(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.tell(m, shoe.Event{Kind: shoe.Other, Code: "stand-by"})
	r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Of(8, card.Spades), Report: "\x051D\x81\xB8\x034F"})
	r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Unread, Report: "\x052D\x82\x80\x03"})
	r.put(vocab.Input{Kind: vocab.InNote, Code: "report 05", By: "s"})
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"in":"shoe","event":"note","code":"report 05 31 44 81 B8 03 34 46"}`, `{"in":"card","card":"8S"}`,
		`{"in":"shoe","event":"note","code":"report 05 32 44 82 80 03"}`, `{"in":"card","card":"??"}`,
	}
	inputs := m.inputs()
	if got := inputs[2:6]; !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	next, _ := m.Next()
	reports, err := runner.Reports(m, next, runner.FacesKey{}, "")
	if err != nil || len(reports) != 2 || reports[0].Bytes != "\x051D\x81\xB8\x034F" ||
		reports[1].Bytes != "\x052D\x82\x80\x03" {
		t.Errorf("read back as %q, %v", reports, err)
	}
	if len(reports) > 0 && time.Since(reports[0].At) > time.Minute {
		t.Errorf("the report was taken at %v", reports[0].At)
	}
	written := 0
	for _, n := range m.appends {
		if written += n; written == 3 || written == 5 {
			t.Errorf("a report and its card are in two appends: %v", m.appends)
		}
	}
	// Of a long journal only the end is read.
	for len(m.records) < 1000 {
		m.records = append(m.records, m.records[0])
	}
	if reports, err := runner.Reports(m, 1001, runner.FacesKey{}, ""); err != nil || len(reports) != 0 {
		t.Errorf("long after: %q, %v", reports, err)
	}
}

// archived is a journal of which the oldest records were moved away.
type archived struct {
	*memory
	last uint64
	err  error
}

func (a archived) Records(from uint64) iter.Seq2[journal.Record, error] {
	if from > a.last {
		return a.memory.Records(from)
	}
	return func(yield func(journal.Record, error) bool) { yield(journal.Record{}, a.err) }
}

// TestReportsOfWhatIsLeft: records in an archive do not keep a table from starting; damage is told.
func TestReportsOfWhatIsLeft(t *testing.T) {
	m := &memory{}
	r := run(t, options(t, m, wiesbaden(0)))
	r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Of(8, card.Spades), Report: "one"})
	r.tell(m, shoe.Event{Kind: shoe.Drawn, Card: card.Of(9, card.Spades), Report: "two"})
	r.look(func(*table.Table) {}) // both were taken
	if err := r.end(); err != nil {
		t.Fatal(err)
	}
	next, _ := m.Next()
	for name, c := range map[string]struct {
		from  archived
		want  string
		fails bool
	}{
		"archive": {archived{m, 3, &journal.AwayError{Part: 1, Last: 3}}, "two", false},
		"damage":  {archived{m, 3, &journal.BrokenError{Seq: 2}}, "", true},
	} {
		var got string
		reports, err := runner.Reports(c.from, next, runner.FacesKey{}, "")
		for _, r := range reports {
			got += r.Bytes
		}
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
