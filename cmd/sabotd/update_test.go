package main

import (
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/update"
)

// TestUpdatesSeeTheTable: an update knows of the running daemon whether a round is open, and whether the table is ready since
// its last start.
func TestUpdatesSeeTheTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	sketch := func() *update.Live {
		c, err := config.Sketch("sabot.yaml", []byte(w.text(w.path, w.page)))
		if err != nil {
			t.Fatal(err)
		}
		return &update.Live{Config: c}
	}
	open := func(want bool, when string) {
		t.Helper()
		if got, err := sketch().Open(); err != nil || got != want {
			t.Errorf("%s a round is open: %v, %v", when, got, err)
		}
	}
	open(false, "before the first start")
	if boot, err := sketch().Boot(); err != nil || boot != 0 {
		t.Errorf("before the first start the boot is %d, %v", boot, err)
	}
	process := w.start()
	open(false, "before the first round")
	d := w.deal(1)
	d.stop(4)
	open(true, "in the round")
	if err := sketch().Ready(t.Context(), 0); err != nil {
		t.Errorf("the table is not ready: %v", err)
	}
	if err := sketch().Ready(t.Context(), 1); err == nil {
		t.Error("a table that was not started again is ready")
	}
	process.Kill()
	open(true, "after a kill in the round")
	if err := sketch().Ready(t.Context(), 0); err == nil {
		t.Error("a table that was killed is ready")
	}
	process = w.start()
	if err := sketch().Ready(t.Context(), 1); err != nil {
		t.Errorf("after its second start the table is not ready: %v", err)
	}
	d.goOn(nil)
	d.finish()
	process.Stop()
	open(false, "after the round")
}
