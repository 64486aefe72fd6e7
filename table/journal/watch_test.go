package journal

import (
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestTampering: what others do to the files of the parts is found with the next append and
// reported once, and everything acknowledged can still be read, now and by the next start.
func TestTampering(t *testing.T) {
	const now, finished = "part-000002.jsonl", "part-000001.jsonl"
	for _, c := range []struct {
		name string
		do   func(h disktest.Hands) error
		want string
		kept bool // all of it can be read
	}{
		{"nothing", func(disktest.Hands) error { return nil }, "", true},
		{"deleted", func(h disktest.Hands) error { return h.Delete(now) }, now + " was deleted", true},
		{
			"replaced", func(h disktest.Hands) error { return h.Replace(now, []byte("other")) },
			now + " was replaced", true,
		},
		{"moved", func(h disktest.Hands) error { return h.Move(now, "elsewhere") }, now + " was deleted", true},
		{"linked", func(h disktest.Hands) error { return h.Link(now, "second") }, now + " has a second name", true},
		{
			"appended to", func(h disktest.Hands) error { return h.Append(now, make([]byte, 5000)) },
			now + " was written to", true,
		},
		{"truncated", func(h disktest.Hands) error { return h.Truncate(now, 900) }, now + " was truncated", false},
		{
			"finished deleted", func(h disktest.Hands) error { return h.Delete(finished) },
			finished + " was deleted", false,
		},
		{"finished replaced", func(h disktest.Hands) error { return h.Replace(finished, []byte("other")) }, finished +
			" was replaced", false},
		{"finished linked", func(h disktest.Hands) error { return h.Link(finished, "second") }, finished +
			" has a second name", true},
		{"finished appended to", func(h disktest.Hands) error { return h.Append(finished, []byte("x")) }, finished +
			" was written to", false},
		{"finished truncated", func(h disktest.Hands) error { return h.Truncate(finished, 700) }, finished +
			" was truncated", false},
		{"finished changed", func(h disktest.Hands) error { return h.Write(finished, 700, []byte("x")) }, finished +
			" was written to", false},
	} {
		for _, key := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				d := disktest.New(1)
				o := Options{}
				if key {
					o.Key = testKey
				}
				j := openOn(t, d, o)
				mustAppend(t, j, cardEntry(1), cardEntry(2))
				mustAppend(t, j, cardEntry(3))
				j = openOn(t, d, o)
				mustAppend(t, j, cardEntry(4))
				mustAppend(t, j, carrying(cardEntry(5), "{}"))
				must(t, c.do(d.Hands()))
				mustAppend(t, j, cardEntry(6))
				wantFound(t, j, c.want)
				mustAppend(t, j, cardEntry(7))
				wantFound(t, j, "")
				wantAll(t, j.Reader, 7, c.kept)
				again := openOn(t, d.PowerCut(2), o)
				if o := again.Opening(); o.Former != nil && c.kept {
					t.Errorf("the next start sets the journal aside: %s", o.Former.Why)
				} else if o.Former == nil {
					wantAll(t, again.Reader, 7, c.kept)
				}
				if seq, _ := again.Next(); seq != 8 {
					t.Errorf("the next start goes on with record %d", seq)
				}
			})
		}
	}
}

// wantFound takes what was found, and expects one finding that begins as given.
func wantFound(t *testing.T, j *Journal, want string) {
	t.Helper()
	found := j.Found()
	if want == "" && len(found) == 0 {
		return
	}
	if len(found) != 1 || !strings.HasPrefix(found[0], want) || want == "" {
		t.Errorf("found %q, want %q", found, want)
	}
}

// wantAll expects all of n cards to be readable if they were kept, and otherwise the last
// one, and a fault.
func wantAll(t *testing.T, r *Reader, n uint64, kept bool) {
	t.Helper()
	if err := r.Verify(t.Context(), nil); (err == nil) != kept {
		t.Errorf("kept is %v, and the check says %v", kept, err)
	}
	seen := map[uint64]bool{}
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Record != nil && s.Fault == nil {
			seen[s.Record.Seq] = true
		}
		return nil
	}))
	if kept && len(seen) != int(n) || !seen[n] || !seen[n-1] {
		t.Errorf("the records that can be read are %v of %d", seen, n)
	}
}

// TestTamperedAndFull: if the last write cannot be saved from a file that was removed, it is
// refused, and goes where the next one goes.
func TestTamperedAndFull(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	mustAppend(t, j, cardEntry(1))
	must(t, d.Hands().Delete(partName(1)))
	d.Plan(disktest.Fault{Op: disktest.Create, Err: syscall.ENOSPC, Times: -1})
	wantError(t, j.Append([]Entry{cardEntry(2)}), ErrFull, "was deleted")
	if seq, _ := j.Next(); seq != 2 {
		t.Errorf("next is record %d", seq)
	}
	wantError(t, j.Append([]Entry{cardEntry(2)}), ErrFull, "make space")
	d.Mend()
	mustAppend(t, j, cardEntry(3))
	again := openOn(t, d.PowerCut(2), Options{})
	if seq, _ := again.Next(); seq != 3 || again.Opening().Former != nil {
		t.Errorf("next is record %d; %+v", seq, again.Opening())
	}
	var last Record
	lost := ""
	must(t, again.Walk(t.Context(), func(s *Step) error {
		if s.Record != nil {
			last = s.Record.clone()
		}
		if s.Header != nil && s.Header.Lost != "" {
			lost = s.Header.Lost
		}
		return nil
	}))
	if e := cardEntry(3); last.Seq != 2 || !bytesAlike(&last.Entry, &e) || !strings.Contains(lost, "was deleted") {
		t.Errorf("the last record is %d, %s; lost is %q", last.Seq, last.Input, lost)
	}
}

// TestQuietWatch: what the journal does to its own files raises no alarm.
func TestQuietWatch(t *testing.T) {
	d := disktest.New(1)
	for range 3 {
		j := openOn(t, d, Options{PartMost: 1})
		for n := range 40 {
			if n%7 == 3 {
				d.Plan(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO, Part: disktest.Half})
			}
			mustAppend(t, j, carrying(cardEntry(n), "{}"))
			wantFound(t, j, "")
		}
		must(t, j.Verify(t.Context(), nil))
		mustClose(t, j)
	}
}

// TestNotSeen: for a file that could not be looked at there is nothing to compare it with, until it can be.
func TestNotSeen(t *testing.T) {
	d, w := disktest.New(1), watch{}
	d.Hands().Put(partName(1), []byte("a record\n"))
	d.Plan(disktest.Fault{Op: disktest.Stat, Err: syscall.EIO})
	w.add(d, partName(1))
	w.unwritten(partName(1))
	for range 2 {
		if what, err := w.changed(d, partName(1), -1); what != "" || err != nil || len(w.names) != 1 {
			t.Errorf("found %q, %v; watched are %q", what, err, w.names)
		}
	}
	must(t, d.Hands().Replace(partName(1), []byte("another\n")))
	if what, err := w.changed(d, partName(1), -1); !strings.Contains(what, "was replaced") || err != nil {
		t.Errorf("found %q, %v", what, err)
	}
}
