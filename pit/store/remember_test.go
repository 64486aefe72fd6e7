package store

import (
	"fmt"
	"testing"
)

// TestWhatIsRemembered: what tables name is remembered, and not without end.
func TestWhatIsRemembered(t *testing.T) {
	known, asked := map[int]int64{}, 0
	id := remember(known, func(n int) (int64, error) { asked++; return int64(n), nil })
	for n := range 3 * mostKnown {
		for range 2 {
			if got, err := id(n); err != nil || got != int64(n) {
				t.Fatalf("the id of %d is %d, %v", n, got, err)
			}
		}
	}
	if asked != 3*mostKnown || len(known) > mostKnown {
		t.Errorf("%d are remembered, and were asked for %d times", len(known), asked)
	}
}

// TestManyJournals: a table that says it has begun one journal after the other has the pit remember a few.
func TestManyJournals(t *testing.T) {
	s := openNew(t)
	table := tableNamed(t, "bj-1")
	for n := range 5 * mostJournals {
		if _, err := s.Append(t.Context(), &Batch{Table: table, Journal: fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	remembered := 0
	err := s.do(t.Context(), func(w *writer) error {
		remembered = len(w.keepers[table.String()].journals)
		return nil
	})
	if err != nil || remembered > mostJournals+1 {
		t.Errorf("%d journals are remembered, %v", remembered, err)
	}
}
