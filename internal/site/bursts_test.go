package site_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// told writes down what is told, in a test's own time.
type told struct {
	began time.Time
	mu    sync.Mutex
	lines []string
}

func newBursts(most int) (*site.Bursts[string], *told) {
	w := &told{began: time.Now()}
	since := func(at time.Time) time.Duration { return at.Sub(w.began) }
	return site.NewBursts(site.BurstsOptions[string]{
		Window: 10 * time.Second, Longest: 40 * time.Second, Most: most, Other: "other",
		Again: func(of string, b site.Burst) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.lines = append(w.lines, fmt.Sprintf("%v: %s again %d, %v to %v", since(time.Now()), of, b.Count,
				since(b.First), since(b.Last)))
		},
	}), w
}

func (w *told) want(t *testing.T, lines ...string) {
	t.Helper()
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Equal(w.lines, lines) {
		t.Errorf("told was\n%q, want\n%q", w.lines, lines)
	}
	w.lines = nil
}

// TestBursts: the first is told at once, the others of a window as one, ever more rarely while it goes on, and after
// quiet the next is a first again.
func TestBursts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bursts, w := newBursts(4)
		for i := range 100 { // one each second, the first at 0 s, the others half a second later
			if first := bursts.First("key"); first != (i == 0) {
				t.Errorf("after %d s it is the first: %v", i, first)
			}
			bubble.Pass(time.Second)
			if i == 0 {
				bubble.Pass(500 * time.Millisecond)
			}
		}
		bubble.Pass(29500 * time.Millisecond)
		w.want(t, "10s: key again 9, 1.5s to 9.5s", "30s: key again 20, 10.5s to 29.5s",
			"1m10s: key again 40, 30.5s to 1m9.5s", "1m50s: key again 30, 1m10.5s to 1m39.5s")
		bubble.Pass(time.Minute)
		if !bursts.First("key") {
			t.Error("after quiet it is no first")
		}
		bursts.First("key")
		bursts.Flush()
		w.want(t, "3m10s: key again 1, 3m10s to 3m10s")
		if !bursts.First("key") {
			t.Error("after the flush it is no first")
		}
		bursts.Flush()
		w.want(t)
	})
}

// TestBurstsAreBounded: kinds for which there is no room are counted together, from the first one on: none is lost.
func TestBurstsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bursts, w := newBursts(2)
		firsts := 0
		for i := range 1000 {
			if bursts.First(fmt.Sprint("key ", i)) {
				firsts++
			}
		}
		if firsts != 2 {
			t.Errorf("%d kinds were told apart, want 2", firsts)
		}
		bubble.Pass(10 * time.Second)
		w.want(t, "10s: other again 998, 0s to 0s")
		bursts.Flush()
	})
}
