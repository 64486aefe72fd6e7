package journal

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// Outputs that say nothing.
const (
	outA = `{"out":"a"}` + "\n"
	outB = `{"out":"b"}` + "\n"
)

// evening is a table's start: a set-up, two rounds, a card that nobody asked for.
var evening = []Entry{
	carrying(keyEntry(`{"in":"setup","house":"wiesbaden"}`), `{"table":"empty"}`),
	keyEntry(`{"in":"open"}`, `{"out":"opened","round":1}`),
	{
		At: 2, Input: []byte(`{"in":"card","card":"8S"}`), ShoeBoot: 9, ShoeSeq: 1, Round: 1,
		Outputs: []byte(outA + outB),
	},
	{At: 3, Input: []byte(`{"in":"shoe","event":"cut-card"}`), ShoeBoot: 9, ShoeSeq: 2, Round: 1},
	carrying(keyEntry(`{"in":"paid"}`, `{"out":"c"}`), `{"round":1}`),
	keyEntry(`{"in":"setup","house":"baden-baden"}`, `{"out":"rejected","reason":"round-running"}`),
	keyEntry(`{"in":"open"}`, `{"out":"d"}`, `{"out":"e"}`),
}

func TestRecords(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, evening[:3]...)
	mustAppend(t, j, evening[3:]...)

	want := []struct{ firstEvent, setup, checkpoint uint64 }{
		{1, 1, 1},
		{1, 1, 1},
		{2, 1, 1},
		{4, 1, 1},
		{4, 1, 5},
		{5, 1, 5}, // a set-up without a Carry was not taken
		{6, 1, 5},
	}
	got := records(t, j.Reader, 1)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i, r := range got {
		w := want[i]
		if r.Seq != uint64(i+1) || r.Boot != 1 || r.FirstEvent != w.firstEvent ||
			r.Setup != w.setup || r.Checkpoint != w.checkpoint {
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
	fill(t, j, 3*1000)
	n := 0
	for _, err := range j.Records(2) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1000+1 {
			break
		}
	}
	if n != 1000+1 {
		t.Errorf("%d records, want %d", n, 1000+1)
	}
}

// TestReopen sees everything again in the next boot.
func TestReopen(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	if boot := j.Boot(); boot != 1 {
		t.Errorf("first boot is %d", boot)
	}
	if got := j.Positions(); len(got) != 0 {
		t.Errorf("a new journal has the shoe's positions %v", got)
	}
	mustAppend(t, j, evening...)
	id := j.ID()
	mustClose(t, j)
	j = mustOpen(t, path)
	if boot := j.Boot(); boot != 2 {
		t.Errorf("second boot is %d", boot)
	}
	if len(id) != 32 || j.ID() != id {
		t.Errorf("ID was %q and is %q", id, j.ID())
	}
	if got := j.Positions(); !slices.Equal(got, []Position{{9, 2}}) {
		t.Errorf("the shoe's positions are %v, want 9/2", got)
	}
	if seq, event := j.Next(); seq != 8 || event != 8 {
		t.Errorf("next are record %d and event %d, want 8 and 8", seq, event)
	}
	boots, err := j.Boots(t.Context())
	must(t, err)
	if len(boots) != 2 || boots[1] != (Boot{2, "sabotd test", 8}) {
		t.Errorf("the boots are %+v", boots)
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
		{carrying(keyEntry(`{"in":"paid"}`), `{"n":0}`), 2, `{"n":0}`, ""},
		{
			carrying(keyEntry(`{"in":"setup","t":"2026-11-21T20:15:04Z"}`), `{"n":1}`), 3, `{"n":1}`,
			`{"in":"setup","t":"2026-11-21T20:15:04Z"}`,
		},
		{cardEntry(1), 3, `{"n":1}`, `{"in":"setup","t":"2026-11-21T20:15:04Z"}`},
		{carrying(keyEntry(`{"in":"paid"}`), `{"n":2}`), 5, `{"n":2}`, `{"in":"setup","t":"2026-11-21T20:15:04Z"}`},
		{keyEntry(`{"in":"setup","house":"refused"}`), 5, `{"n":2}`, `{"in":"setup","t":"2026-11-21T20:15:04Z"}`},
		{carrying(keyEntry(`{"in":"setup"}`), `{"n":3}`), 7, `{"n":3}`, `{"in":"setup"}`},
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
	good := keyEntry(`{"in":"open"}`, `{"out":"a"}`)
	in := []byte(`{"in":"open"}`)
	text := func(text string) Entry {
		sum := sha256.Sum256([]byte(text))
		return Entry{Input: in, Rules: sum[:], RulesText: []byte(text)}
	}
	for _, c := range []struct {
		name  string
		entry Entry
		want  string
	}{
		{"no input", Entry{}, "the input is not one line"},
		{"no JSON", Entry{Input: []byte(`{"in":open}`)}, "the input is not one line"},
		{"another object", Entry{Input: []byte(`{"out":"a"}`)}, "the input is not one line"},
		{"input of two lines", Entry{Input: []byte("{\"in\":\n1}")}, "the input is not one line"},
		{"open line", Entry{Input: in, Outputs: []byte(outA + `{"out":"b"}`)}, "an output is not one line"},
		{"empty output", Entry{Input: in, Outputs: []byte(outA + "\n")}, "an output is not one line"},
		{
			"an input among outputs",
			Entry{Input: in, Outputs: []byte(outA + `{"in":"a"}` + "\n")},
			"an output is not one line",
		},
		{"input no text", Entry{Input: []byte("{\"in\":\"\xff\"}")}, "not valid UTF-8"},
		{"output no text", Entry{Input: in, Outputs: []byte("{\"out\":\"\xc0\"}\n")}, "not valid UTF-8"},
		{"carry no text", Entry{Input: in, Carry: []byte("{\"a\":\"\xc0\"}")}, "not valid UTF-8"},
		{"carry no object", Entry{Input: in, Carry: []byte("7")}, "the carry"},
		{"carry of two lines", Entry{Input: in, Carry: []byte("{\n}")}, "the carry"},
		{"NUL", Entry{Input: []byte("{\"in\":\"\x00\"}")}, "the input is not one line"},
		{"rules of a strange length", Entry{Input: in, Rules: make([]byte, 31)}, "it is a SHA-256, or empty"},
		{"text without rules", Entry{Input: in, RulesText: []byte("{}")}, "the rules' text"},
		{"text of other rules", Entry{Input: in, Rules: someRules, RulesText: []byte("{}")}, "the rules' text"},
		{"text no JSON", text("{"), "the rules' text"},
		{"text of two lines", text("{\n}"), "the rules' text"},
		{"space around the text", text(" {}"), "the rules' text"},
		{"text no UTF-8", text("{\"a\":\"\xff\"}"), "the rules' text"},
		{"round", Entry{Input: in, Round: math.MaxInt64 + 1}, "out of range"},
		{"time", Entry{Input: in, At: math.MinInt64}, "out of range"},
		{"too long", Entry{Input: in, Outputs: bytes.Repeat([]byte(outA), mostLines/len(outA)+1)}, "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := openOn(t, disktest.New(1), Options{})
			err := j.Append([]Entry{good, c.entry})
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "entry 2 of 2") {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
			if seq, event := j.Next(); seq != 1 || event != 1 {
				t.Errorf("after a refusal next are %d and %d", seq, event)
			}
			mustAppend(t, j, good)
			if got := lines(t, j.Reader, 0, 9); got != `1:1:{"out":"a"}` {
				t.Errorf("events are %q", got)
			}
		})
	}
}

// TestLargestBatch: what Append takes can be repeated in a header, however it is escaped
// there; more is refused.
func TestLargestBatch(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	large := keyEntry(`{"in":"a"}`, `{"out":"`+strings.Repeat(`\\`, mostLines/2-100)+`"}`)
	mustAppend(t, j, carrying(keyEntry(`{"in":"setup","a":"`+strings.Repeat("\u2028", mostLines/3-100)+`"}`), "{}"))
	d.Plan(disktest.Fault{Op: disktest.Sync, Err: syscall.EIO})
	mustAppend(t, j, large) // into the header of a part
	wantError(t, j.Append([]Entry{large, large, large}), nil, "append fewer entries at a time")
	must(t, j.Verify(t.Context(), nil))
	for range 2 {
		j = openOn(t, d.PowerCut(1), Options{})
		if seq, _ := j.Next(); seq != 3 || j.Opening().Former != nil {
			t.Errorf("next is record %d, the opening %+v", seq, j.Opening())
		}
		must(t, j.Verify(t.Context(), nil))
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
		At: math.MinInt64 + 1, Input: []byte(`{"in":"ä♠🂡"}`),
		Outputs:  []byte(`{"out":"` + strings.Repeat("x", mostLines-100) + "\"}\n"),
		ShoeBoot: math.MaxUint32, ShoeSeq: math.MaxUint32, Round: math.MaxInt64, Carry: []byte(`{ "a" : [ ] } `),
	}
	mustAppend(t, j, e)
	if got := records(t, j.Reader, 1)[0]; !sameEntry(&got.Entry, &e) {
		t.Errorf("read %+v", got)
	}
	if got := j.Positions(); !slices.Equal(got, []Position{{math.MaxUint32, math.MaxUint32}}) {
		t.Errorf("positions %v", got)
	}
}

func TestEvents(t *testing.T) {
	j := mustOpen(t, newPath(t))
	in, out := `{"in":"a"}`, func(text string) string { return `{"out":"` + text + `"}` }
	mustAppend(t, j,
		keyEntry(in),
		keyEntry(in, out("a"), out("b"), out("c")),
		keyEntry(in), keyEntry(in), keyEntry(in),
		keyEntry(in, out("d")),
		keyEntry(in, out("e"), out("f")),
		keyEntry(in))
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
		got := strings.NewReplacer(`{"out":"`, "", `"}`, "").Replace(lines(t, j.Reader, c.after, c.limit))
		if got != c.want {
			t.Errorf("%d events after %d are %q, want %q", c.limit, c.after, got, c.want)
		}
	}
}

func TestEventHasItsRecordsFields(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, Entry{At: 5, Input: []byte(`{"in":"a"}`), Outputs: []byte(outB), Round: 17})
	events, err := j.Events(0, 1)
	if err != nil || len(events) != 1 {
		t.Fatalf("%v, %v", events, err)
	}
	if e := events[0]; e.Number != 1 || e.RecordSeq != 1 || e.Boot != 1 || e.At != 5 || e.Round != 17 ||
		string(e.Line)+"\n" != outB {
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
		mustAppend(t, j, keyEntry(`{"in":"a"}`, `{"out":"b"}`))
		if got := <-seen; got != n {
			t.Fatalf("publisher saw event %d, want %d", got, n)
		}
	}
	mustClose(t, j)
	if n, open := <-seen; open {
		t.Errorf("publisher saw event %d in a closed journal", n)
	}
}

func TestClosed(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, evening...)
	mustClose(t, j)
	mustClose(t, j)
	_, _, _, checkpoint := j.Checkpoint()
	_, events := j.Events(0, 1)
	for name, err := range map[string]error{
		"Append":       j.Append(evening),
		"SetCursor":    j.SetCursor("a", 1),
		"FlushCursors": j.FlushCursors(),
		"Events":       events,
		"Checkpoint":   checkpoint,
		"Verify":       j.Verify(t.Context(), nil),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s on a closed journal: %v", name, err)
		}
	}
}

// TestReadersBesideTheWriter sees what is appended after it was opened, also
// through another name of the folder.
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
