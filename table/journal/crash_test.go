package journal

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// batchOf is the batch that a crashing process appends at record seq: between 1
// and 5 entries, each of which says which batch it belongs to and how long that
// is.
func batchOf(seq uint64) []Entry {
	entries := make([]Entry, 1+seq%5)
	for i := range entries {
		entries[i] = keyEntry(fmt.Sprintf(`{"in":"batch %d entry %d of %d"}`, seq, i+1, len(entries)), `{"out":"a"}`,
			`{"out":"b"}`)
		entries[i].ShoeBoot, entries[i].ShoeSeq = 1, uint32(seq)+uint32(i)
		if i == 2 {
			entries[i].Carry = []byte(`{"carry":"` + strings.Repeat("carry", int(seq%2000)) + `"}`)
		}
	}
	return entries
}

// wholeBatches fails if part of a batch is missing, and returns the number of records.
func wholeBatches(t *testing.T, r *Reader) uint64 {
	t.Helper()
	all := records(t, r, 1)
	for i := 0; i < len(all); {
		batch := batchOf(uint64(i + 1))
		if i+len(batch) > len(all) {
			t.Fatalf("of the last batch, only %d of %d entries are there", len(all)-i, len(batch))
		}
		for k := range batch {
			if got := all[i+k]; !sameEntry(&got.Entry, &batch[k]) {
				t.Fatalf("record %d is %s, want %s", i+k+1, got.Input, batch[k].Input)
			}
		}
		i += len(batch)
	}
	return uint64(len(all))
}

// appendChild appends as fast as it can to small parts, and prints the number of the last
// record after each Append that has returned.
func appendChild(path string) error {
	j, err := Open(path, Options{Key: testKey, PartMost: 20_000})
	if err != nil {
		return err
	}
	for {
		seq, _ := j.Next()
		if err := j.Append(batchOf(seq)); err != nil {
			return err
		}
		seq, event := j.Next()
		if err := j.SetCursor("mqtt", event-1); err != nil {
			return err
		}
		fmt.Println(seq - 1)
	}
}

// TestKill kills a process that appends, again and again on the same journal. Everything
// that was acknowledged is there, in whole batches, and the next process continues. A
// reader sees as much before that process starts.
func TestKill(t *testing.T) {
	path := newPath(t)
	dice := rand.New(rand.NewPCG(tier.SeedOf(t), 0))
	for round := range tier.Times(2, 6) {
		c := startChild(t, "append", path)
		printed := c.line(t)
		for range dice.IntN(300) {
			printed = c.line(t)
		}
		if rest := c.kill(t); len(rest) > 0 {
			printed = rest[len(rest)-1]
		}
		acknowledged, err := strconv.ParseUint(strings.TrimSpace(printed), 10, 64)
		must(t, err)

		r, err := OpenReadOnly(path)
		must(t, err)
		before := wholeBatches(t, r)
		j := openSealed(t, path)
		must(t, j.Verify(t.Context(), nil))
		if n := wholeBatches(t, j.Reader); n < acknowledged || n != before {
			t.Fatalf("round %d: %d records are there, %d were acknowledged; a reader saw %d", round,
				n, acknowledged, before)
		}
		if want := uint64(2*round + 2); j.Boot() != want || j.Opening().Former != nil {
			t.Errorf("boot is %d, want %d; the opening is %+v", j.Boot(), want, j.Opening())
		}
		if found := j.Found(); len(found) > 0 {
			t.Errorf("it was tampered with: %q", found)
		}
		mustClose(t, j)
	}
}

// TestCutOffAnywhere cuts the last write off at every byte: it is there completely or not at
// all, for the next start and for readers.
func TestCutOffAnywhere(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	mustAppend(t, j, batchOf(1)...)
	from := len(inFile(t, d, 1))
	mustAppend(t, j, batchOf(3)...)
	text := inFile(t, d, 1)
	for cut := from; cut <= len(text); cut++ {
		torn := disktest.New(1)
		torn.Hands().Put(partName(1), text[:cut])
		want, dropped := uint64(2), cut-from
		if cut == len(text) {
			want, dropped = 6, 0
		}
		r, err := NewReader("sim", torn)
		must(t, err)
		if seq, _, err := r.Head(); seq != want || err != nil {
			t.Fatalf("cut off at %d of %d bytes, a reader finds %d records (%v), want %d", cut, len(text),
				seq, err, want)
		}
		must(t, r.Verify(t.Context(), nil))
		k := openOn(t, torn, Options{})
		if seq, _ := k.Next(); seq != want+1 || k.Opening().Dropped != int64(dropped) || k.Opening().Former != nil {
			t.Fatalf("cut off at %d of %d bytes, %d records are there, want %d; %+v", cut, len(text), seq-1, want,
				k.Opening())
		}
		mustAppend(t, k, cardEntry(1))
		must(t, k.Verify(t.Context(), nil))
	}
}
