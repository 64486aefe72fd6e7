package journal

import (
	"context"
	"crypto/ed25519"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Lines of a transcript, or something like them.
var (
	genInput  = rapid.StringMatching(`\{"in":"[a-zäöü♠-♦ ]{0,12}"\}`)
	genOutput = rapid.StringMatching(`\{"out":"[a-zäöü♠-♦ ]{0,12}"(,"in":\[1\])?\}`)
)

var genEntry = rapid.Custom(func(t *rapid.T) Entry {
	e := Entry{
		At:    rapid.Int64Min(math.MinInt64+1).Draw(t, "at"),
		Input: []byte(genInput.Draw(t, "input")),
		Round: uint64(rapid.Int64Min(0).Draw(t, "round")),
	}
	for _, line := range rapid.SliceOfN(genOutput, 0, 4).Draw(t, "outputs") {
		e.Outputs = append(e.Outputs, line+"\n"...)
	}
	if rapid.Bool().Draw(t, "from the shoe") {
		boots := rapid.OneOf(rapid.Uint32(), rapid.Uint32Max(3))
		e.ShoeBoot, e.ShoeSeq = boots.Draw(t, "shoe boot"), rapid.Uint32().Draw(t, "shoe seq")
	}
	if rapid.Bool().Draw(t, "set up") {
		e.Rules = rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "rules")
	}
	if rapid.IntRange(0, 9).Draw(t, "ends a round") == 0 {
		e.Carry = []byte(rapid.StringMatching(`\{"carry":"[a-z]{0,30}"\}`).Draw(t, "carry"))
	}
	return e
})

var someKey = ed25519.NewKeyFromSeed([]byte("the key of a journal in the test"))

// model is what a journal should hold.
type model struct {
	path    string
	j       *Journal
	boot    uint64
	entries []Entry
	boots   []uint64 // of each entry
	events  []string
	cursor  uint64
	key     ed25519.PrivateKey
	// partMost is how long parts get.
	partMost int64
}

// TestAnyUse appends random batches, reads at random places and reopens the journal at
// random moments; everything must be read as it was appended.
func TestAnyUse(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := &model{path: filepath.Join(dir, "run"), partMost: rapid.Int64Range(1, 20_000).Draw(t, "part")}
		if rapid.Bool().Draw(t, "sealed") {
			m.key = someKey
		}
		m.open(t)
		defer m.discard(t)
		t.Repeat(map[string]func(*rapid.T){
			"append": m.append,
			"reopen": func(t *rapid.T) {
				check(t, m.j.Close())
				m.open(t)
			},
			"cursor": m.moveCursor,
			"read":   m.readEvents,
			"":       m.compareEnds,
		})
		m.compareAll(t)
	})
}

func check(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (m *model) open(t *rapid.T) {
	var err error
	m.j, err = Open(m.path, Options{Program: "test", Key: m.key, PartMost: m.partMost})
	check(t, err)
	m.boot++
}

// discard makes room for the next run.
func (m *model) discard(t *rapid.T) {
	check(t, m.j.Close())
	check(t, os.RemoveAll(m.path))
	check(t, os.Remove(m.path+".lock"))
}

func (m *model) append(t *rapid.T) {
	batch := rapid.SliceOfN(genEntry, 0, 6).Draw(t, "batch")
	check(t, m.j.Append(batch))
	for i := range batch {
		m.entries = append(m.entries, batch[i])
		m.boots = append(m.boots, m.boot)
		for line := range batch[i].Lines() {
			m.events = append(m.events, string(line))
		}
	}
}

func (m *model) moveCursor(t *rapid.T) {
	m.cursor = rapid.Uint64Range(0, uint64(len(m.events))).Draw(t, "cursor")
	check(t, m.j.SetCursor("mqtt", m.cursor))
}

func (m *model) readEvents(t *rapid.T) {
	after := rapid.IntRange(0, len(m.events)).Draw(t, "after")
	limit := rapid.IntRange(0, 20).Draw(t, "limit")
	want := m.events[after:min(after+limit, len(m.events))]
	got, err := m.j.Events(uint64(after), limit)
	check(t, err)
	if len(got) != len(want) {
		t.Fatalf("%d events after %d, want %d", len(got), after, len(want))
	}
	for i, e := range got {
		if e.Number != uint64(after+i+1) || string(e.Line) != want[i] || e.Boot != m.boots[e.RecordSeq-1] {
			t.Fatalf("event %+v, want number %d, %s", e, after+i+1, want[i])
		}
	}
}

// compareEnds compares what the journal says about its end.
func (m *model) compareEnds(t *rapid.T) {
	if seq, event := m.j.Next(); seq != uint64(len(m.entries)+1) || event != uint64(len(m.events)+1) {
		t.Fatalf("next are %d and %d, want %d and %d", seq, event, len(m.entries)+1, len(m.events)+1)
	}
	var wantCarry string
	var wantAt uint64
	for i := range m.entries {
		e := &m.entries[i]
		if len(e.Carry) > 0 {
			wantAt, wantCarry = uint64(i+1), string(e.Carry)
		}
	}
	if got, want := m.j.Positions(), positionsOf(m.entries); !slices.Equal(got, want) || m.j.Boot() != m.boot {
		t.Fatalf("boot %d, positions %v, want %d, %v", m.j.Boot(), got, m.boot, want)
	}
	at, carry, _, err := m.j.Checkpoint()
	check(t, err)
	if at != wantAt || string(carry) != wantCarry {
		t.Fatalf("checkpoint is %d %q, want %d %q", at, carry, wantAt, wantCarry)
	}
	cursor, err := m.j.Cursor("mqtt")
	check(t, err)
	if cursor != m.cursor {
		t.Fatalf("cursor is %d, want %d", cursor, m.cursor)
	}
}

func (m *model) compareAll(t *rapid.T) {
	check(t, m.j.Verify(t.Context(), nil))
	n := 0
	for rec, err := range m.j.Records(1) {
		check(t, err)
		if !sameEntry(&rec.Entry, &m.entries[n]) || rec.Boot != m.boots[n] {
			t.Fatalf("record %d is %+v, want %+v in boot %d", rec.Seq, rec, m.entries[n], m.boots[n])
		}
		n++
	}
	if n != len(m.entries) {
		t.Fatalf("%d records, want %d", n, len(m.entries))
	}
	m.compareWalk(t, m.j.Reader)
	r, err := OpenReadOnly(m.path)
	check(t, err)
	m.compareWalk(t, r)
	check(t, r.Close())
}

// compareWalk: a walk through the pages reads what was put in, too.
func (m *model) compareWalk(t *rapid.T, r *Reader) {
	n := 0
	check(t, r.Walk(context.Background(), func(s *Step) error {
		if s.Fault != nil {
			t.Fatalf("step %d is %+v", n, s.Fault)
		}
		if s.Seal != nil && !s.Seal.Valid(r.ID()) {
			t.Fatalf("the seal %+v is not valid", s.Seal)
		}
		if s.Record == nil {
			return nil
		}
		if !sameEntry(&s.Record.Entry, &m.entries[n]) || s.Record.Boot != m.boots[n] {
			t.Fatalf("step %d is %+v, want %+v in boot %d", n, s, m.entries[n], m.boots[n])
		}
		n++
		return nil
	}))
	if n != len(m.entries) {
		t.Fatalf("the walk has %d records, want %d", n, len(m.entries))
	}
}
