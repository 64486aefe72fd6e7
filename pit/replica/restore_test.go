package replica

import (
	"log/slog"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestAnAlertIsTakenUpAtOnce: what a person says right after a start, before anything was heard, counts.
func TestAnAlertIsTakenUpAtOnce(t *testing.T) {
	before, store := floor.New(floor.Options{}), newMemory()
	before.Raise(topic.Table{}, floor.StoreFailing, "disk full", time.Now())
	if err := store.KeepAlerts(t.Context(), before.Unkept()); err != nil {
		t.Fatal(err)
	}
	f := floor.New(floor.Options{})
	if err := New(Options{Alerts: store, Log: slog.New(slog.DiscardHandler)}, newLine(),
		f, store).Restore(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := f.Alerts()[0].ID
	if err := f.Coming(id, "anna"); err != nil || !f.Alerts()[0].Taken() {
		t.Errorf("nobody comes: %+v, %v", f.Alerts()[0], err)
	}
	if err := f.Acknowledge(id, "anna", "seen"); err != nil || !f.Alerts()[0].Seen() {
		t.Errorf("nobody has seen it: %+v, %v", f.Alerts()[0], err)
	}
}
