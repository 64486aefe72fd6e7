package store_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
)

// goesOn deals on at a journal in a folder, with mistakes, after the table was started anew.
func goesOn(t *testing.T, folder string, seed uint64, inputs int, dealers ...string) {
	t.Helper()
	j, err := journal.Open(folder, journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	n := journaltest.OnJournal(t, j, "wiesbaden", seed)
	n.Mistakes, n.Dealers = 2, dealers
	n.Deal(inputs)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

func accept(t *testing.T, s *store.Store, r *journal.Reader) (store.Accepted, error) {
	t.Helper()
	return s.Accept(t.Context(), store.Acceptance{
		Table: table(t, "bj1"), By: "anna", From: "console",
		Why: "the disk was restored",
	}, r, nil)
}

// requireFormer refuses a former branch that does not have the records of a folder, and the
// rounds of them.
func requireFormer(t *testing.T, s *store.Store, done store.Accepted, r *journal.Reader) {
	t.Helper()
	kept, err := s.Records(t.Context(), table(t, "bj1"), done.Former)
	if err != nil {
		t.Fatal(err)
	}
	want := frames(t, r, done.First-1)
	for stretch, err := range stretchesOf(r, done.First-1+uint64(len(want))) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, stretch...)
	}
	n := 0
	for frame, err := range kept.Frames(done.First) {
		if err != nil || n == len(want) || !bytes.Equal(frame, want[n]) {
			t.Fatalf("record %d of the former branch is another than it was, %v", done.First+uint64(n), err)
		}
		n++
	}
	if n != len(want) || done.Last != done.First+uint64(n)-1 {
		t.Fatalf("%d records of the former branch are kept, up to %d; it had %d from %d on", n, done.Last, len(want),
			done.First)
	}
	rounds, err := s.Rounds(t.Context(), store.RoundQuery{Limit: 1000})
	rounds = slices.DeleteFunc(rounds, func(r store.Round) bool { return r.Journal != done.Former })
	if err != nil || len(rounds) == 0 {
		t.Fatalf("the former branch has %d rounds, %v", len(rounds), err)
	}
}

// stretchesOf are the frames of a folder after a record, part by part.
func stretchesOf(r *journal.Reader, after uint64) func(func([][]byte, error) bool) {
	return func(yield func([][]byte, error) bool) {
		for {
			stretch, err := r.Stretch(after, 1<<20)
			if err == nil && len(stretch.Frames) == 0 || !yield(stretch.Frames, err) || err != nil {
				return
			}
			after += uint64(len(stretch.Frames))
		}
	}
}

// TestAccept: once a person has accepted what a journal has become, it is followed, what was
// kept of its former branch stays, and all of it is counted once.
func TestAccept(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		goesOn(t, folder, 1, 500)
		one, two := copied(t, folder), copied(t, folder)
		goesOn(t, folder, 2, 400)
		goesOn(t, one, 3, 300)
		goesOn(t, two, 4, 700)
		mine := reader(t, folder)
		if err := s.Refill(t.Context(), name, mine, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := accept(t, s, mine); !errors.Is(err, store.ErrNothingToAccept) {
			t.Errorf("a journal that is not in doubt gives %v", err)
		}
		before := mine
		for i, branch := range []string{one, two} {
			theirs := reader(t, branch)
			done, err := accept(t, s, theirs)
			if err != nil || !strings.HasPrefix(done.Former, mine.ID()) || done.First > 502 || done.First < 300 {
				t.Fatalf("branch %d: %+v, %v", i, done, err)
			}
			same(t, s, name, theirs)
			requireFormer(t, s, done, before)
			goesOn(t, branch, uint64(i)+10, 200)
			if err := s.Refill(t.Context(), name, theirs, nil); err != nil {
				t.Fatal(err)
			}
			same(t, s, name, theirs)
			if err := s.Rebuild(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			same(t, s, name, theirs)
			before = theirs
		}
		if got := kinds(t, s); got["accepted"] != 2 {
			t.Errorf("findings are %v", got)
		}
		all, err := people.New(people.Options{Store: s})
		if err != nil {
			t.Fatal(err)
		}
		log, err := all.Log(t.Context(), people.Query{Most: 10})
		if err != nil || len(log) != 2 || log[0].Who != "anna" ||
			!strings.Contains(log[0].Detail, "the disk was restored") ||
			!strings.Contains(log[0].Detail, mine.ID()+"~2") {
			t.Errorf("the log has %+v, %v", log, err)
		}
		if _, err := s.Accept(t.Context(), store.Acceptance{Table: name, By: "anna"}, before, nil); err == nil ||
			!strings.Contains(err.Error(), "give both") {
			t.Errorf("an acceptance without a reason gives %v", err)
		}
	})
}

// TestAcceptRolledBack: a journal that ends before what is kept of it, or from its beginning, is
// followed from there.
func TestAcceptRolledBack(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 1)
		n.Mistakes = 4 // so that there are irregularities that are put right rounds later
		n.Flush()
		early := []string{copied(t, folder)}
		for range tier.Times(8, 15) {
			n.Deal(60)
			early = append(early, copied(t, folder))
		}
		n.Deal(60)
		if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		for _, branch := range slices.Backward(early) {
			theirs := reader(t, branch)
			if _, err := accept(t, s, theirs); err != nil {
				t.Fatal(err)
			}
			same(t, s, name, theirs)
		}
		goesOn(t, early[0], 7, 200)
		theirs := reader(t, early[0])
		if err := s.Refill(t.Context(), name, theirs, nil); err != nil {
			t.Fatal(err)
		}
		same(t, s, name, theirs)
	})
}

// TestAcceptReplaced: a journal that replaced another is followed anyway; that a person has
// accepted it is on record.
func TestAcceptReplaced(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		var last *journal.Reader
		for i := range 2 {
			folder := filepath.Join(tabletest.FastDir(t), "journal")
			goesOn(t, folder, uint64(i), 150)
			last = reader(t, folder)
			if err := s.Refill(t.Context(), name, last, nil); err != nil {
				t.Fatal(err)
			}
		}
		done, err := accept(t, s, last)
		if err != nil || done.Former != "" {
			t.Errorf("%+v, %v", done, err)
		}
		if _, err := accept(t, s, last); !errors.Is(err, store.ErrNothingToAccept) {
			t.Errorf("a second time it gives %v", err)
		}
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		goesOn(t, folder, 3, 150)
		third := reader(t, folder)
		if _, err := accept(t, s, third); err != nil {
			t.Error(err)
		}
		same(t, s, name, third)
		if got := kinds(t, s); got["replaced"] != 2 || got["accepted"] != 2 {
			t.Errorf("findings are %v", got)
		}
	})
}
