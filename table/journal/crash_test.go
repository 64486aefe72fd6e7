package journal

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// batchOf is the batch that a crashing process appends at record seq: between 1
// and 5 entries, each of which says which batch it belongs to and how long that
// is.
func batchOf(seq uint64) []Entry {
	entries := make([]Entry, 1+seq%5)
	for i := range entries {
		entries[i] = keyEntry(fmt.Sprintf("batch %d entry %d of %d", seq, i+1, len(entries)), "a", "b")
		entries[i].ShoeBoot, entries[i].ShoeSeq = 1, uint32(seq)+uint32(i)
		if i == 2 {
			entries[i].Carry = []byte(strings.Repeat("carry", int(seq%2000)))
		}
	}
	return entries
}

// wholeBatches fails where a batch stands only in part, and gives the number of
// records.
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

// appendChild appends as fast as it can, and prints the number of the last
// record after each Append that has returned.
func appendChild(path string) error {
	j, err := Open(path, Options{})
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

// TestKill kills a process that appends, again and again on the same journal.
// All that had been acknowledged is there, in whole batches, and the next process
// goes on.
func TestKill(t *testing.T) {
	path := newPath(t)
	for round := range 6 {
		c := startChild(t, "append", path)
		printed := c.line(t)
		for range rand.IntN(300) {
			printed = c.line(t)
		}
		if rest := c.kill(t); len(rest) > 0 {
			printed = rest[len(rest)-1]
		}
		acknowledged, err := strconv.ParseUint(strings.TrimSpace(printed), 10, 64)
		must(t, err)

		j := mustOpen(t, path)
		must(t, j.Verify(t.Context(), nil))
		if n := wholeBatches(t, j.Reader); n < acknowledged {
			t.Fatalf("round %d: %d records are there, %d were acknowledged", round, n, acknowledged)
		}
		if want := uint64(2*round + 2); j.Boot() != want {
			t.Errorf("boot is %d, want %d", j.Boot(), want)
		}
		mustClose(t, j)
	}
}

// TestPowerCut copies a journal as a disk may show it after a power cut: of what
// SQLite was writing to the log, any part may be there. What is found is whole
// batches, from the first on.
func TestPowerCut(t *testing.T) {
	path := newPath(t)
	j := mustOpen(t, path)
	for seq := uint64(1); seq < 100; {
		mustAppend(t, j, batchOf(seq)...)
		seq, _ = j.Next()
	}
	length := size(t, path+"-wal")
	random := rand.New(rand.NewPCG(1, 2))
	least := uint64(1 << 60)
	for range 40 {
		torn := filepath.Join(t.TempDir(), "torn")
		copyFile(t, path, torn)
		copyFile(t, path+"-wal", torn+"-wal")
		must(t, os.Truncate(torn+"-wal", length-random.Int64N(length)))
		if random.IntN(2) == 0 {
			scribble(t, torn+"-wal", size(t, torn+"-wal")-1, "noise")
		}
		k := mustOpen(t, torn)
		must(t, k.Verify(t.Context(), nil))
		n := wholeBatches(t, k.Reader)
		least = min(least, n)
		mustAppend(t, k, batchOf(n+1)...)
		mustClose(t, k)
	}
	if seq, _ := j.Next(); least >= seq-1 {
		t.Error("no cut lost anything: the test cuts in the wrong place")
	}
}
