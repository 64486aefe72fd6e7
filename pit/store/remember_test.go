package store

import (
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
