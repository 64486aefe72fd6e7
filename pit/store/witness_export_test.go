package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/audit/witness"
)

// TestWitnessOf: an auditor gets what both databases keep of a table, and reads it back.
func TestWitnessOf(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		if _, err := s.WitnessOf(t.Context(), name); !errors.Is(err, store.ErrUnknown) {
			t.Errorf("a table that nobody knows gives %v", err)
		}
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		dealt(t, folder, "wiesbaden", 1, 100)
		r := reader(t, folder)
		head := headOf(t, r)
		if err := s.Witness(t.Context(), name, head, time.Unix(5, 0)); err != nil {
			t.Fatal(err)
		}
		if err := s.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		for _, told := range []store.Told{
			{Boot: 1, Head: topic.Head{Record: 90}, Acknowledged: 7, Heard: 6, At: time.Unix(3, 0)},
			{
				Boot: 2, Head: topic.Head{Record: head.Record}, Acknowledged: 9, Heard: 8, Away: 2,
				Began: &topic.Began{Acknowledged: 8}, At: time.Unix(5, 0), Watched: true,
			},
		} {
			told.Head.ID = r.ID()
			if err := s.Told(t.Context(), name, told); err != nil {
				t.Fatal(err)
			}
		}
		known, err := s.WitnessOf(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := witness.Write(&text, known); err != nil {
			t.Fatal(err)
		}
		read, err := witness.Parse(text.Bytes())
		if err != nil || len(read.Journals) != 1 || read.Table != "bj1" || read.Site != "wiesbaden" {
			t.Fatalf("%v: %s", err, text.String())
		}
		j := read.Of(r.ID())
		if j == nil || !j.Current || j.Kept.Record != head.Record || j.Kept.Hash != head.Hash || len(j.Heads) != 1 ||
			j.Heads[0].Hash != head.Hash || len(j.Starts) != 2 {
			t.Fatalf("%s", text.String())
		}
		one, two := j.Starts[0], j.Starts[1]
		if !one.Watched || one.Began != nil || one.Sent() != 8 || two.Watched || two.Away != 2 ||
			*two.Began != (witness.Began{Acknowledged: 8}) || !two.At.Equal(time.Unix(5, 0)) {
			t.Errorf("%s", text.String())
		}
	})
}

// TestBranchKeepsItsWitness: what starts told of a branch that was given up goes with it, so that the starts of the one
// that is followed are not compared with them, and may have the same numbers.
func TestBranchKeepsItsWitness(t *testing.T) {
	s, name := open(t, filepath.Join(tabletest.FastDir(t), "pit.db")), table(t, "bj1")
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	goesOn(t, folder, 1, 300)
	other := copied(t, folder)
	before, _, err := reader(t, folder).Head()
	if err != nil {
		t.Fatal(err)
	}
	goesOn(t, folder, 2, 300)
	goesOn(t, other, 3, 300)
	mine, theirs := reader(t, folder), reader(t, other)
	if err := s.Refill(t.Context(), name, mine, nil); err != nil {
		t.Fatal(err)
	}
	tell := func(boot, record uint64) {
		told := store.Told{
			Head: topic.Head{ID: mine.ID(), Record: record}, Boot: boot, Acknowledged: 7,
			At: time.Unix(int64(record), 0),
		}
		if err := s.Told(t.Context(), name, told); err != nil {
			t.Fatal(err)
		}
	}
	tell(1, 2)
	tell(2, before+100)
	tell(3, before+200)
	done, err := accept(t, s, theirs)
	if err != nil || done.Former == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	tell(2, before+50)
	known, err := s.WitnessOf(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	now, former := known.Of(theirs.ID()), known.Of(done.Former)
	if len(now.Starts) != 2 || now.Starts[1].Record != before+50 || len(former.Starts) != 2 ||
		former.Starts[1].Record != before+200 {
		t.Errorf("now %+v, before %+v", now.Starts, former.Starts)
	}
}

// TestLost: records that the folder lacks are lost behind its end, and before its beginning if the table has not told
// that they are away.
func TestLost(t *testing.T) {
	s, name := open(t, filepath.Join(tabletest.FastDir(t), "pit.db")), table(t, "bj1")
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	dealt(t, folder, "wiesbaden", 1, 100)
	old := copied(t, folder)
	dealt(t, folder, "wiesbaden", 2, 100)
	now := reader(t, folder)
	if err := s.Refill(t.Context(), name, now, nil); err != nil {
		t.Fatal(err)
	}
	lost := func(folder string) []uint64 {
		c, err := s.Check(t.Context(), name, reader(t, folder), nil)
		if err != nil || !c.Same() {
			t.Fatalf("%+v, %v", c, err)
		}
		return c.Lost
	}
	if got := lost(folder); len(got) > 0 {
		t.Errorf("the whole folder lacks %v", got)
	}
	if got := lost(old); len(got) != 100 || got[0] != 102 {
		t.Errorf("yesterday's lacks %v", got)
	}
	without := copied(t, folder)
	removeFirst(t, without)
	for i, away := range []uint64{0, 101} {
		told := store.Told{
			Head: topic.Head{ID: now.ID()}, Boot: uint64(i) + 1, Away: away, Began: &topic.Began{},
			At: time.Unix(int64(i), 0),
		}
		if err := s.Told(t.Context(), name, told); err != nil {
			t.Fatal(err)
		}
		if got := lost(without); (len(got) == 0) != (away > 0) {
			t.Errorf("with %d records away, the folder without its first part lacks %v", away, got)
		}
	}
}

// removeFirst removes the first part of a journal.
func removeFirst(t *testing.T, folder string) {
	t.Helper()
	if err := os.Remove(filepath.Join(folder, "part-000001.jsonl")); err != nil {
		t.Fatal(err)
	}
}
