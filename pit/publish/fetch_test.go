package publish

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// TestReadersTakeTurns: the last fetch of each reader counts; there is room for so many; who was
// answered goes to the end of the line; and who has ceased to ask is forgotten.
func TestReadersTakeTurns(t *testing.T) {
	var log brokertest.Log
	f := fetches{log: log.Logger()}
	now := time.Now()
	ask := func(reader string, after int) {
		f.fetch(now, fmt.Appendf(nil, `{"reader":%q,"journal":"","after":%d}`, reader, after))
	}
	everybody := func(string) bool { return true }
	order := func() (readers []string) {
		for _, w := range f.waits {
			readers = append(readers, fmt.Sprintf("%s%d %t", w.Reader, w.After, w.open))
		}
		return readers
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if got := order(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	ask("a", 1)
	ask("b", 1)
	ask("a", 2)
	expect("the last fetch counts", "a2 true", "b1 true")
	w, _ := f.turn(now, everybody)
	if w == nil || w.Reader != "a" {
		t.Fatalf("it is the turn of %v", w)
	}
	sent := *w
	f.taken(now, "a")
	expect("the answer is on its way", "b1 true", "a2 true")
	ask("a", 2)
	f.answered(sent)
	expect("an equal fetch that comes later is not answered", "b1 true", "a2 true")
	f.answered(f.waits[0])
	if w, at := f.turn(now, everybody); w != nil || at != now.Add(readerEvery) {
		t.Errorf("a reader that was answered just now has its turn: %v, %s", w, at.Sub(now))
	}
	if w, at := f.turn(now.Add(readerEvery), func(reader string) bool {
		return reader != "a"
	}); w != nil || !at.IsZero() {
		t.Errorf("a reader that may not be answered has its turn: %v", w)
	}
	f.reopen("b")
	expect("the broker may have dropped the answer", "b1 true", "a2 true")
	f.answered(f.waits[0])
	for n := range mostReaders {
		ask(fmt.Sprint("r", n), 0)
	}
	if f.of("b") != nil || f.of("a") == nil || f.of("r0") == nil || len(f.waits) != mostReaders ||
		log.Count("level=WARN") != 1 {
		t.Errorf("there wait %v; the log:\n%s", order(), log.String())
	}
	now = now.Add(forgetAfter / 2)
	ask("a", 4)
	now = now.Add(forgetAfter / 2)
	if gone := f.forgotten(now); len(gone) != mostReaders-1 || len(f.waits) != 1 || f.waits[0].Reader != "a" {
		t.Errorf("forgotten are %v, there wait %v", gone, order())
	}
}
