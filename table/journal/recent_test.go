package journal

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// TestRecently: what was written last is read from memory, from any event on that is still there, and as the disk has
// it; what is older is read from the disk.
func TestRecently(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{})
	fill(t, j, 3)
	for n := range mostRecent {
		mustAppend(t, j, cardEntry(4+n))
	}
	_, next := j.Next()
	for after := range next - 1 {
		kept, ok := j.recently(after, 10)
		if ok != (after >= 9) {
			t.Fatalf("after event %d there is enough in memory: %t", after, ok)
		}
		if !ok {
			continue
		}
		read, err := readOn(t, d).Events(after, 10)
		must(t, err)
		if !slices.EqualFunc(kept, read, func(a, b Event) bool {
			return a.Number == b.Number && a.RecordSeq == b.RecordSeq && string(a.Line) == string(b.Line)
		}) {
			t.Fatalf("after event %d memory has %d events, and the disk %d", after, len(kept), len(read))
		}
	}
}
