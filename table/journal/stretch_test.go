package journal

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// ruled is the n-th card, under the rules with a text.
func ruled(n int, text string) Entry {
	e := cardEntry(n)
	sum := sha256.Sum256([]byte(text))
	e.Rules, e.RulesText = sum[:], []byte(text)
	return e
}

func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestStretchOfNothing: of a journal that is being written, and whose parts somebody has removed, a reader gets a gap.
func TestStretchOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := Open(path, Options{Program: "sabotd test"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for n := range 3 {
		mustAppend(t, j, cardEntry(n+1))
	}
	parts, err := filepath.Glob(filepath.Join(path, "part-*"))
	if err != nil || len(parts) == 0 {
		t.Fatalf("there are the parts %v: %v", parts, err)
	}
	for _, part := range parts {
		if err := os.Remove(part); err != nil {
			t.Fatal(err)
		}
	}
	for after := range uint64(3) {
		s, err := j.Stretch(after, 1<<20)
		if err != nil || len(s.Frames) > 0 || s.Gap == nil || s.Gap.Why != GapDamaged || s.Gap.Last != 3 {
			t.Errorf("after %d: %+v, %v", after, s, err)
		}
	}
}

// copied puts together what stretches of a journal give, from a record on, and checks each
// against what the journal itself says.
func copied(t *testing.T, r *Reader, after uint64, most int) (records []Record, stretches []Stretch) {
	t.Helper()
	for {
		s, err := r.Stretch(after, most)
		if err != nil {
			t.Fatal(err)
		}
		if head, hash, _ := r.Head(); s.After != after || s.Head != head || s.Hash != hash {
			t.Fatalf("after %d of %d: a stretch after %d with head %d", after, head, s.After, s.Head)
		}
		if len(s.Frames) == 0 && s.Gap == nil {
			return records, append(stretches, s)
		}
		stretches = append(stretches, s)
		if s.Gap != nil {
			if s.Gap.First != after+1 || s.Gap.Last < s.Gap.First {
				t.Fatalf("after %d comes the gap %+v", after, s.Gap)
			}
			after = s.Gap.Last
		}
		for i, text := range s.Frames {
			rec, err := ParseRecord(text)
			if err != nil {
				t.Fatal(err)
			}
			if after++; rec.Seq != after || i > 0 && len(bytes.Join(s.Frames[:i+1], nil)) > most {
				t.Fatalf("record %d is number %d of a stretch of %d bytes", rec.Seq, i, most)
			}
			rec.Boot = s.Boot
			records = append(records, rec)
		}
	}
}

// TestStretches: whatever their size and wherever they begin, stretches together are the
// journal, with the rules that were in force.
func TestStretches(t *testing.T) {
	const one, other = `{"house":"one"}`, `{"house":"other"}`
	path := newPath(t)
	for boot, texts := range [][]string{{one, one, other}, {other, other}, {one}} {
		j := mustOpen(t, path)
		for k, text := range texts {
			for n := range tier.Times(12, 40) {
				mustAppend(t, j, ruled(1000*boot+100*k+n+1, text))
			}
		}
		mustClose(t, j)
	}
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	want := records(t, r, 1)
	force := ""
	for i := range want {
		for _, most := range []int{0, 700, 5000, 1 << 20} {
			got, stretches := copied(t, r, uint64(i), most)
			if len(got) != len(want)-i {
				t.Fatalf("after %d: %d of %d records", i, len(got), len(want))
			}
			for k := range got {
				if w := &want[i+k]; !sameEntry(&got[k].Entry, &w.Entry) || got[k].Hash != w.Hash ||
					got[k].Boot != w.Boot || got[k].FirstEvent != w.FirstEvent {
					t.Fatalf("record %d differs", w.Seq)
				}
			}
			if s := stretches[0]; s.InForce != force || force != "" && fingerprint(string(s.Rules[force])) != force {
				t.Fatalf("after %d the rules %q are in force, not %q", i, s.InForce, force)
			}
			for _, s := range stretches {
				for _, text := range s.Frames {
					if rec, _ := ParseRecord(text); len(rec.Rules) > 0 &&
						s.Rules[hex.EncodeToString(rec.Rules)] == nil {
						t.Fatalf("record %d brings rules without their text", rec.Seq)
					}
				}
			}
		}
		if len(want[i].Rules) > 0 {
			force = hex.EncodeToString(want[i].Rules)
		}
	}
	if s, err := r.Stretch(10_000, 1000); err != nil || len(s.Frames) > 0 || s.Gap != nil ||
		s.Head != uint64(len(want)) {
		t.Errorf("beyond the head: %+v, %v", s, err)
	}
}

// TestStretchSeals: a stretch has the seals that confirm its records.
func TestStretchSeals(t *testing.T) {
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := newPath(t)
	j, err := Open(path, Options{Program: "sabotd test", Key: key})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		e := cardEntry(n + 1)
		if n%4 == 3 {
			e = carrying(e, `{"round":1}`)
		}
		mustAppend(t, j, e)
	}
	s, err := j.Stretch(0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var over []uint64
	for _, seal := range s.Seals {
		if !seal.Valid(j.ID()) {
			t.Errorf("the seal over %d is not valid", seal.Seq)
		}
		over = append(over, seal.Seq)
	}
	if !slices.Equal(over, []uint64{0, 4, 8, 12}) {
		t.Errorf("there are seals over %v", over)
	}
	mustClose(t, j)
	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := r.Stretch(12, 1<<20); err != nil || len(s.Frames) != 0 || len(s.Seals) == 0 || s.Seals[0].Seq != 12 {
		t.Errorf("after the last record: %+v, %v", s, err)
	}
}

// TestStretchGaps: a stretch says what is missing before it, and why.
func TestStretchGaps(t *testing.T) {
	path := newPath(t)
	var parts []string
	for boot := range 4 {
		j := mustOpen(t, path)
		for n := range 5 {
			mustAppend(t, j, ruled(100*boot+n+1, `{"house":"one"}`))
		}
		if boot == 2 {
			if err := j.Lift(50, 900); err != nil {
				t.Fatal(err)
			}
		}
		mustClose(t, j)
		parts, _ = filepath.Glob(filepath.Join(path, "part-*"))
	}
	gap := func(after uint64) (*Gap, uint64) {
		t.Helper()
		r, err := OpenReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Stretch(after, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Frames) == 0 {
			return s.Gap, 0
		}
		rec, err := ParseRecord(s.Frames[0])
		if err != nil {
			t.Fatal(err)
		}
		return s.Gap, rec.Seq
	}
	lifted := uint64(50 + heardRoom)
	if g, first := gap(15); g == nil || g.Why != GapUnused || g.First != 16 || g.Last != lifted || first != lifted+1 {
		t.Errorf("after numbers that were left out: %+v, %d", g, first)
	}
	if g, first := gap(7); g != nil || first != 8 {
		t.Errorf("where nothing is missing: %+v, %d", g, first)
	}
	text, err := os.ReadFile(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace(text, []byte(`"total":17`), []byte(`"total":18`), 2) // the text of record 6, and of 7
	if err := os.WriteFile(parts[1], changed, 0o600); err != nil {
		t.Fatal(err)
	}
	if g, first := gap(4); g != nil || first != 5 {
		t.Errorf("before a damaged record: %+v, %d", g, first)
	}
	if g, first := gap(5); g == nil || g.Why != GapDamaged || g.First != 6 || g.Last != 10 || first != 11 {
		t.Errorf("a damaged record: %+v, %d", g, first)
	}
	for _, away := range parts[:2] {
		if err := os.Remove(away); err != nil {
			t.Fatal(err)
		}
	}
	if g, first := gap(0); g == nil || g.Why != GapAway || g.First != 1 || g.Last != 10 || first != 11 {
		t.Errorf("parts that are away: %+v, %d", g, first)
	}
	for _, rest := range parts[2:] {
		if err := os.WriteFile(rest, []byte("gone\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := OpenReadOnly(path); !errors.Is(err, ErrDamaged) {
		t.Errorf("nothing can be read: %v", err)
	}
}

// TestStretchWithoutAHeader: where the header of the first part cannot be read a stretch begins after that part.
func TestStretchWithoutAHeader(t *testing.T) {
	path := threeParts(t)
	edit(t, path, 1, func(text []byte) []byte { return bytes.Replace(text, []byte(`"part":1`), []byte(`"part":I`), 1) })
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	s, err := r.Stretch(0, 1<<20)
	must(t, err)
	if s.Gap == nil || s.Gap.Why != GapDamaged || s.Gap.First != 1 || s.Gap.Last != 10 || len(s.Frames) != 10 {
		t.Errorf("the gap is %+v, and %d records follow", s.Gap, len(s.Frames))
	}
	if s, err = r.Stretch(10, 1<<20); err != nil || s.Gap != nil || len(s.Frames) != 10 {
		t.Errorf("after it come %d records, and the gap %+v: %v", len(s.Frames), s.Gap, err)
	}
}

// BenchmarkStretch reads the newest record of a part of a day, as a reader does that follows a
// table; the newest two, without having read the one before; and as much as fits into one answer.
func BenchmarkStretch(b *testing.B) {
	j := mustOpen(b, newPath(b))
	fill(b, j, 15_000)
	head, _, err := j.Head()
	if err != nil {
		b.Fatal(err)
	}
	// the folder's list is sure then
	if err := os.Chtimes(j.Path(), time.Time{}, time.Now().Add(-2*clockStep)); err != nil {
		b.Fatal(err)
	}
	for name, after := range map[string]uint64{"follow": head - 1, "far": head - 2, "most": head / 2} {
		b.Run(name, func(b *testing.B) {
			if name == "follow" {
				if _, err := j.Stretch(after-1, 0); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if s, err := j.Stretch(after, 128<<10); err != nil || len(s.Frames) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
