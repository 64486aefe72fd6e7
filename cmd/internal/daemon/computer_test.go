package daemon

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/computer"
)

func TestComputer(t *testing.T) {
	journal, until := t.TempDir(), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w := watcher{at: computer.Where{Journal: journal, Sys: t.TempDir()}, certificate: func() time.Time { return until }}
	w.look()
	now := w.told()
	if now == nil || now.Celsius != nil || now.JournalBytes == nil || *now.JournalBytes != 0 || !now.Certificate.Equal(until) {
		t.Fatalf("without a sensor: %+v", now)
	}
	hot := uint64(71)
	w.simulated = func(now *computer.State) { now.Celsius = &hot }
	if w.look(); w.told().Celsius == nil || *w.told().Celsius != hot || *w.told().JournalBytes != 0 {
		t.Errorf("a simulated computer: %+v", w.told())
	}
	w = watcher{at: computer.Where{Journal: filepath.Join(journal, "gone"), Sys: filepath.Join(journal, "gone")}}
	if w.look(); w.told() != nil {
		t.Errorf("of nothing it tells %+v", w.told())
	}
}
