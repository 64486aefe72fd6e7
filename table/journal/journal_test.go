package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// evening is a table's start: a set-up, two rounds, a card that nobody asked for.
var evening = []Entry{
	carrying(keyEntry(`{"in":"setup","house":"wiesbaden"}`), "empty table"),
	keyEntry(`{"in":"open"}`, `{"out":"opened","round":1}`),
	{At: 2, Input: []byte(`{"in":"card","card":"8S"}`), ShoeBoot: 9, ShoeSeq: 1, Round: 1, Outputs: []byte("a\nb\n")},
	{At: 3, Input: []byte(`{"in":"shoe","event":"cut-card"}`), ShoeBoot: 9, ShoeSeq: 2, Round: 1},
	carrying(keyEntry(`{"in":"paid"}`, "c"), "round 1 is over"),
	keyEntry(`{"in":"setup","house":"baden-baden"}`, `{"out":"rejected","reason":"round-running"}`),
	keyEntry(`{"in":"open"}`, "d", "e"),
}

func TestRecords(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, evening[:3]...)
	mustAppend(t, j, evening[3:]...)

	want := []struct{ firstEvent, setup, shoe, checkpoint uint64 }{
		{1, 1, 0, 1},
		{1, 1, 0, 1},
		{2, 1, 3, 1},
		{4, 1, 4, 1},
		{4, 1, 4, 5},
		{5, 1, 4, 5}, // a set-up without a Carry was not taken
		{6, 1, 4, 5},
	}
	got := records(t, j.Reader, 1)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i, r := range got {
		w := want[i]
		if r.Seq != uint64(i+1) || r.Boot != 1 || r.FirstEvent != w.firstEvent ||
			r.Setup != w.setup || r.Shoe != w.shoe || r.Checkpoint != w.checkpoint {
			t.Errorf("record %d is %+v, want %+v", i+1, r, w)
		}
		if !sameEntry(&r.Entry, &evening[i]) {
			t.Errorf("record %d holds %+v, want %+v", i+1, r.Entry, evening[i])
		}
	}
	if got := len(records(t, j.Reader, 6)); got != 2 {
		t.Errorf("%d records from 6 on, want 2", got)
	}
	if got := len(records(t, j.Reader, 8)); got != 0 {
		t.Errorf("%d records from 8 on, want none", got)
	}
	if err := j.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestRecordsStopsWhenToldTo(t *testing.T) {
	j := mustOpen(t, newPath(t))
	fill(t, j, 3*pageSize)
	n := 0
	for _, err := range j.Records(2) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == pageSize+1 {
			break
		}
	}
	if n != pageSize+1 {
		t.Errorf("%d records, want %d", n, pageSize+1)
	}
}

// TestReopen sees everything again in the next boot.
func TestReopen(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	if boot := j.Boot(); boot != 1 {
		t.Errorf("first boot is %d", boot)
	}
	if boot, seq := j.LastPosition(); boot != 0 || seq != 0 {
		t.Errorf("a new journal has the shoe's position %d/%d", boot, seq)
	}
	mustAppend(t, j, evening...)
	id := j.ID()
	mustClose(t, j)
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Close has left a log behind: %v", err)
	}

	j = mustOpen(t, path)
	if boot := j.Boot(); boot != 2 {
		t.Errorf("second boot is %d", boot)
	}
	if len(id) != 32 || j.ID() != id {
		t.Errorf("ID was %q and is %q", id, j.ID())
	}
	if boot, seq := j.LastPosition(); boot != 9 || seq != 2 {
		t.Errorf("the shoe's position is %d/%d, want 9/2", boot, seq)
	}
	if seq, event := j.Next(); seq != 8 || event != 8 {
		t.Errorf("next are record %d and event %d, want 8 and 8", seq, event)
	}
	var program string
	var first int
	must(t, j.db.QueryRow(`SELECT program, first_record FROM boot WHERE number = 2`).Scan(&program, &first))
	if program != "sabotd test" || first != 8 {
		t.Errorf("boot 2 is of %q and begins with record %d", program, first)
	}
	mustAppend(t, j, evening[2])
	if r := records(t, j.Reader, 8)[0]; r.Boot != 2 || r.FirstEvent != 8 {
		t.Errorf("first record of the second boot is %+v", r)
	}
	seq, hash, err := j.Head()
	if last := records(t, j.Reader, 8)[0]; err != nil || seq != 8 || hash != last.Hash {
		t.Errorf("head is %d %x %v, want %d %x", seq, hash, err, last.Seq, last.Hash)
	}
}

func TestCheckpoint(t *testing.T) {
	j := mustOpen(t, newPath(t))
	for _, step := range []struct {
		entry Entry
		seq   uint64
		carry string
		setup string
	}{
		{keyEntry(`{"in":"open"}`), 0, "", ""},
		{carrying(keyEntry(`no line of ours`), "bare"), 2, "bare", ""},
		{carrying(keyEntry(`{"t":"2026-11-21T20:15:04Z","in":"setup"}`), "one"), 3, "one", `{"t":"2026-11-21T20:15:04Z","in":"setup"}`},
		{cardEntry(1), 3, "one", `{"t":"2026-11-21T20:15:04Z","in":"setup"}`},
		{carrying(keyEntry(`{"in":"paid"}`), "two"), 5, "two", `{"t":"2026-11-21T20:15:04Z","in":"setup"}`},
		{keyEntry(`{"in":"setup","house":"refused"}`), 5, "two", `{"t":"2026-11-21T20:15:04Z","in":"setup"}`},
		{carrying(keyEntry(`{"in":"setup"}`), "three"), 7, "three", `{"in":"setup"}`},
	} {
		mustAppend(t, j, step.entry)
		seq, carry, setup, err := j.Checkpoint()
		if err != nil || seq != step.seq || string(carry) != step.carry || string(setup) != step.setup {
			t.Errorf("after %s the checkpoint is %d %q %q %v, want %d %q %q",
				step.entry.Input, seq, carry, setup, err, step.seq, step.carry, step.setup)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	good := keyEntry(`{"in":"open"}`, "a")
	for _, c := range []struct {
		name  string
		entry Entry
		want  string
	}{
		{"no input", Entry{}, "the input is empty"},
		{"input of two lines", Entry{Input: []byte("a\nb")}, "an input is one line"},
		{"input with its newline", Entry{Input: []byte("a\n")}, "an input is one line"},
		{"open line", Entry{Input: []byte("a"), Outputs: []byte("b\nc")}, "does not end with a newline"},
		{"empty first output", Entry{Input: []byte("a"), Outputs: []byte("\nb\n")}, "an output is empty"},
		{"empty output", Entry{Input: []byte("a"), Outputs: []byte("b\n\n")}, "an output is empty"},
		{"input no text", Entry{Input: []byte("a\xff")}, "not valid UTF-8"},
		{"output no text", Entry{Input: []byte("a"), Outputs: []byte("\xc0\n")}, "not valid UTF-8"},
		{"NUL", Entry{Input: []byte("a\x00b")}, "byte 1 is NUL"},
		{"rules of a strange length", Entry{Input: []byte("a"), Rules: make([]byte, 31)}, "it is a SHA-256, or empty"},
		{"round", Entry{Input: []byte("a"), Round: math.MaxInt64 + 1}, "too large"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := mustOpen(t, newPath(t))
			err := j.Append([]Entry{good, c.entry})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "entry 2 of 2") {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
			if seq, event := j.Next(); seq != 1 || event != 1 {
				t.Errorf("after a refusal next are %d and %d", seq, event)
			}
			mustAppend(t, j, good)
			if got := lines(t, j.Reader, 0, 9); got != "1:1:a" {
				t.Errorf("events are %q", got)
			}
		})
	}
}

func TestAppendOfNothing(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j)
	if seq, _ := j.Next(); seq != 1 {
		t.Errorf("next record is %d", seq)
	}
}

// TestAppendKeepsExtremes stores the largest values of each field.
func TestAppendKeepsExtremes(t *testing.T) {
	j := mustOpen(t, newPath(t))
	e := Entry{
		At: math.MinInt64, Input: []byte("ä♠🂡"), Outputs: []byte(strings.Repeat("x", 1<<20) + "\n"),
		ShoeBoot: math.MaxUint32, ShoeSeq: math.MaxUint32, Round: math.MaxInt64, Carry: []byte{0, 255, 0},
	}
	mustAppend(t, j, e)
	if got := records(t, j.Reader, 1)[0]; !sameEntry(&got.Entry, &e) {
		t.Errorf("read %+v", got)
	}
	if boot, seq := j.LastPosition(); boot != math.MaxUint32 || seq != math.MaxUint32 {
		t.Errorf("position %d/%d", boot, seq)
	}
}

func TestEvents(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j,
		keyEntry("1"),
		keyEntry("2", "a", "b", "c"),
		keyEntry("3"), keyEntry("4"), keyEntry("5"),
		keyEntry("6", "d"),
		keyEntry("7", "e", "f"),
		keyEntry("8"))
	for _, c := range []struct {
		after uint64
		limit int
		want  string
	}{
		{0, 100, "1:2:a 2:2:b 3:2:c 4:6:d 5:7:e 6:7:f"},
		{0, 1, "1:2:a"},
		{1, 1, "2:2:b"},
		{1, 3, "2:2:b 3:2:c 4:6:d"},
		{3, 1, "4:6:d"},
		{4, 1, "5:7:e"},
		{5, 9, "6:7:f"},
		{6, 9, ""},
		{7, 9, ""},
		{math.MaxUint64, 9, ""},
		{0, 0, ""},
		{0, -1, ""},
	} {
		if got := lines(t, j.Reader, c.after, c.limit); got != c.want {
			t.Errorf("%d events after %d are %q, want %q", c.limit, c.after, got, c.want)
		}
	}
}

func TestEventHasItsRecordsFields(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, Entry{At: 5, Input: []byte("a"), Outputs: []byte("b\n"), Round: 17})
	events, err := j.Events(0, 1)
	if err != nil || len(events) != 1 {
		t.Fatalf("%v, %v", events, err)
	}
	if e := events[0]; e.Number != 1 || e.RecordSeq != 1 || e.Boot != 1 || e.At != 5 || e.Round != 17 || string(e.Line) != "b" {
		t.Errorf("event is %+v", e)
	}
}

// TestChanged wakes a publisher for each append, and when the journal closes.
func TestChanged(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	seen := make(chan uint64)
	go func() {
		defer close(seen)
		for after := uint64(0); ; {
			changed := j.Changed()
			events, err := j.Events(after, 1)
			if err != nil {
				return
			}
			if len(events) == 0 {
				<-changed
				continue
			}
			after = events[0].Number
			seen <- after
		}
	}()
	for n := uint64(1); n <= 20; n++ {
		mustAppend(t, j, keyEntry("a", "b"))
		if got := <-seen; got != n {
			t.Fatalf("publisher saw event %d, want %d", got, n)
		}
	}
	mustClose(t, j)
	if n, open := <-seen; open {
		t.Errorf("publisher saw event %d in a closed journal", n)
	}
}

func TestCursor(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	mustAppend(t, j, keyEntry("a", "b", "c", "d"))
	for _, n := range []uint64{0, 2, 3, 1} {
		if err := j.SetCursor("mqtt", n); err != nil {
			t.Fatal(err)
		}
		if got, err := j.Cursor("mqtt"); err != nil || got != n {
			t.Errorf("cursor is %d (%v), want %d", got, err, n)
		}
	}
	if err := j.SetCursor("mqtt", 4); err == nil || !strings.Contains(err.Error(), "event 4 is not in the journal") {
		t.Errorf("a cursor beyond the end: %v", err)
	}
	if got, err := j.Cursor("other"); err != nil || got != 0 {
		t.Errorf("a cursor never set is %d (%v)", got, err)
	}
	mustClose(t, j)
	j = mustOpen(t, path)
	if got, err := j.Cursor("mqtt"); err != nil || got != 1 {
		t.Errorf("after reopening the cursor is %d (%v), want 1", got, err)
	}
}

func TestClosed(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, evening...)
	mustClose(t, j)
	mustClose(t, j)
	_, _, _, checkpoint := j.Checkpoint()
	_, events := j.Events(0, 1)
	_, cursor := j.Cursor("a")
	for name, err := range map[string]error{
		"Append":     j.Append(evening),
		"SetCursor":  j.SetCursor("a", 1),
		"Cursor":     cursor,
		"Events":     events,
		"Checkpoint": checkpoint,
		"Verify":     j.Verify(t.Context(), nil),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s on a closed journal: %v", name, err)
		}
	}
}

// TestReadersBesideTheWriter sees what is appended after it was opened, also
// through another name of the file.
func TestReadersBesideTheWriter(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	r, err := OpenReadOnly(link)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	mustAppend(t, j, evening...)
	if got := len(records(t, r, 1)); got != len(evening) {
		t.Errorf("%d records, want %d", got, len(evening))
	}
	if r.Path() != path {
		t.Errorf("path is %s, want %s", r.Path(), path)
	}
	if _, err := Open(link, Options{}); !errors.Is(err, ErrInUse) {
		t.Errorf("a second writer through a link: %v", err)
	}
}

// TestOddPaths opens files whose names mean something in a URI.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "50%", "a?mode=ro", "a#b", "ä&c=d"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			mustAppend(t, mustOpen(t, path), evening...)
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHash pins the hash of README.md's example: other programs compute it too.
func TestHash(t *testing.T) {
	rules := sha256.Sum256([]byte("rules"))
	r := Record{
		Entry: Entry{
			At: 1000, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n"),
			ShoeBoot: 2, ShoeSeq: 3, Round: 1, Rules: rules[:], Carry: []byte{1, 2},
		},
		Seq: 1, Boot: 1, FirstEvent: 1, Shoe: 1, Checkpoint: 1,
	}
	var h hasher
	sum := h.sum(origin("00112233445566778899aabbccddeeff"), &r)
	const want = "32f1a72b5eaf28764977021f556dcd39454f40619cc10ff132544a2d959e91f8"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("hash is %s, want %s", got, want)
	}
}
