package host

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
)

func TestComputer(t *testing.T) {
	journal, until := t.TempDir(), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w := watcher{at: health.Where{Journal: journal, Sys: t.TempDir()}, certificate: func() time.Time { return until }}
	w.look(t.Context())
	now := w.told()
	if now == nil || now.Celsius != nil || now.JournalBytes == nil || *now.JournalBytes != 0 ||
		!now.Certificate.Equal(until) {
		t.Fatalf("without a sensor: %+v", now)
	}
	hot := uint64(71)
	w.simulated = func(now *health.Computer) { now.Celsius = &hot }
	if w.look(t.Context()); w.told().Celsius == nil || *w.told().Celsius != hot || *w.told().JournalBytes != 0 {
		t.Errorf("a simulated computer: %+v", w.told())
	}
	w = watcher{at: health.Where{Journal: filepath.Join(journal, "gone"), Sys: filepath.Join(journal, "gone")}}
	if w.look(t.Context()); w.told() != nil {
		t.Errorf("of nothing it tells %+v", w.told())
	}
}

// TestClockHeard: each change is heard once, and at a start only a clock that follows no other.
func TestClockHeard(t *testing.T) {
	yes, no := true, false
	var heard []bool
	w := watcher{at: health.Where{Journal: t.TempDir(), Sys: t.TempDir()}, clock: make(chan bool, 1)}
	for i, step := range []struct {
		found *bool
		want  []bool
	}{
		{&yes, nil},
		{&no, []bool{false}},
		{&no, []bool{false}},
		{nil, []bool{false}},
		{&yes, []bool{false, true}},
		{&yes, []bool{false, true}},
		{&no, []bool{false, true, false}},
	} {
		w.simulated = func(now *health.Computer) { now.Synchronized = step.found }
		w.look(t.Context())
		select {
		case follows := <-w.clock:
			heard = append(heard, follows)
		default:
		}
		if !slices.Equal(heard, step.want) {
			t.Errorf("after look %d it heard %t, not %t", i, heard, step.want)
		}
	}
}
