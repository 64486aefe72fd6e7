package journal

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// A journal that is open is compared with what the pit says, which may come late.
func TestCompare(t *testing.T) {
	j := mustOpen(t, newPath(t))
	hashes := map[uint64][32]byte{}
	for n := range uint64(3) {
		mustAppend(t, j, cardEntry(int(n)+1))
		seq, hash, err := j.Head()
		if err != nil {
			t.Fatal(err)
		}
		hashes[seq] = hash
	}
	id := j.ID()
	for _, c := range []struct {
		what  string
		heard Heard
		found string
	}{
		{"nothing", Heard{}, ""},
		{"the last record", Heard{id, 3, hashes[3], 9}, ""},
		{"an earlier one", Heard{id, 2, hashes[2], 6}, ""},
		{"no record yet", Heard{ID: id}, ""},
		{"more", Heard{id, 4, hashes[3], 12}, "the pit has heard up to record 4"},
		{"another one", Heard{id, 2, hashes[3], 6}, "the journal was rewritten"},
		{"another journal", Heard{strings.Repeat("0", 32), 2, hashes[2], 6}, "but this is the journal " + id[:8]},
	} {
		if found, err := j.Compare(c.heard); err != nil || !strings.Contains(found, c.found) ||
			(found == "") != (c.found == "") {
			t.Errorf("%s: %q, %v", c.what, found, err)
		}
	}
}

// Numbers go on above what the pit has heard, once, and after a restart, too.
func TestLift(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, cardEntry(1), cardEntry(2), cardEntry(3))
	next := func(j *Journal, what string, seq, event uint64) {
		t.Helper()
		if s, e := j.Next(); s != seq || e != event {
			t.Errorf("%s: next are record %d and event %d, not %d and %d", what, s, e, seq, event)
		}
	}
	lift := func(what string, record, event uint64) {
		t.Helper()
		if err := j.Lift(record, event); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	lift("what the journal has", 3, 9)
	next(j, "what the journal has", 4, 10)
	for _, far := range [][2]uint64{{3 + mostLift + 1, 0}, {0, 9 + mostLift + 1}, {math.MaxUint64, math.MaxUint64}} {
		if err := j.Lift(far[0], far[1]); !errors.Is(err, ErrDamaged) {
			t.Errorf("what nobody can have heard: %v", err)
		}
	}
	next(j, "what nobody can have heard", 4, 10)

	lift("more", 50, 90)
	next(j, "more", 50+heardRoom+1, 90+heardRoom+1)
	lift("the same again", 50, 90)
	mustAppend(t, j, cardEntry(4))
	next(j, "and on", 50+heardRoom+2, 90+heardRoom+4)
	// A publisher that was behind is told of the gap as well as one that was not.
	for _, c := range []struct {
		after, number uint64
		above         bool
	}{{8, 9, false}, {9, 90 + heardRoom + 1, true}, {90 + heardRoom + 1, 90 + heardRoom + 2, false}} {
		events, err := j.Events(c.after, 3)
		if err != nil || len(events) == 0 || events[0].Number != c.number || events[0].Above != c.above {
			t.Errorf("after event %d: %+v, %v", c.after, events, err)
		}
		for i := 1; i < len(events); i++ {
			if events[i].Number != events[i-1].Number+1 && !events[i].Above {
				t.Errorf("after event %d event %d follows %d", c.after, events[i].Number, events[i-1].Number)
			}
		}
	}
	lift("more events alone", 50+heardRoom+1, 90+2*heardRoom)
	next(j, "more events alone", 50+2*heardRoom+2, 90+3*heardRoom+1)
	if err := j.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	mustClose(t, j)
	if err := j.Lift(math.MaxInt32, math.MaxInt32); !errors.Is(err, ErrClosed) {
		t.Errorf("once it is closed: %v", err)
	}
	next(mustOpen(t, path), "after a restart", 50+2*heardRoom+2, 90+3*heardRoom+1)
}

// TestReplacedIsAbove: the first event of a journal that replaces a damaged one is said to follow a gap, and those
// after it and after a further start are not.
func TestReplacedIsAbove(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 5)
	mustClose(t, j)
	edit(t, path, 1, func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
	j = mustOpen(t, path)
	former := j.Opening().Former
	if former == nil {
		t.Fatal("the damaged journal is continued")
	}
	_, event := j.Next()
	fill(t, j, 2)
	mustClose(t, j)
	j = mustOpen(t, path)
	fill(t, j, 1)
	events, err := j.Events(former.Event, 100)
	if err != nil || len(events) != 9 || events[0].Number != event {
		t.Fatalf("from event %d on: %+v, %v", event, events, err)
	}
	for i := range events {
		if events[i].Above != (i == 0) {
			t.Errorf("event %d follows a gap: %t", events[i].Number, events[i].Above)
		}
	}
}
