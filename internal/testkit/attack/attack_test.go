package attack

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// witness is a test that only notes what it was told.
type witness struct {
	testing.TB
	logged, failed []string
}

func (w *witness) Helper() {}

func (w *witness) Logf(format string, args ...any) {
	w.logged = append(w.logged, fmt.Sprintf(format, args...))
}

func (w *witness) Errorf(format string, args ...any) {
	w.failed = append(w.failed, fmt.Sprintf(format, args...))
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		tries, through int
		failures       int
	}{{12, 0, 0}, {12, 1, 1}, {0, 0, 1}} {
		w := &witness{}
		Report(w, "forged cookies", c.tries, c.through)
		want := []string{strings.Join([]string{"ATTACK", "forged cookies", fmt.Sprint(c.tries), fmt.Sprint(c.through)},
			"\t")}
		if !slices.Equal(w.logged, want) || len(w.failed) != c.failures {
			t.Errorf("%d of %d: logged %q, failed %q", c.through, c.tries, w.logged, w.failed)
		}
	}
}
