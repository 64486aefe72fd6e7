package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// TestUpdatesSeeTheTable: an update knows of the running daemon whether a round is open, and whether the table is ready
// since its last start.
func TestUpdatesSeeTheTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	sketch := func() *update.Live { return &update.Live{Path: w.config} }
	open := func(want bool, when string) {
		t.Helper()
		if got, err := sketch().Open(); err != nil || got != want {
			t.Errorf("%s a round is open: %v, %v", when, got, err)
		}
	}
	write(t, w.config, w.text(w.path, w.page))
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

// TestUpdatesSeeTheFirstStart: a table that waits for its first start has no open round, and is ready when it asks its
// questions; once they are answered, it is a table as any other.
func TestUpdatesSeeTheFirstStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	if open, err := (&update.Live{Path: filepath.Join(w.dir, "none.yaml")}).Open(); err != nil || open {
		t.Errorf("without a configuration a round is open: %v, %v", open, err)
	}
	write(t, w.config, fmt.Sprintf("web: {listen: %q}\njournal: {path: %s}\n", w.page, w.path))
	table := &update.Live{Path: w.config}
	is := func(after uint64, want bool) {
		t.Helper()
		open, err := table.Open()
		if err != nil || open {
			t.Errorf("a round is open: %v, %v", open, err)
		}
		if err := table.Ready(t.Context(), after); (err == nil) != want {
			t.Errorf("whether it is ready since start %d: %v", after, err)
		}
	}
	is(0, false)
	process := processes.Start(t, sabotd(t), "--config", w.config)
	brokertest.Until(t, "it asks", func() bool { return strings.Contains(process.Out(), "waits for its first start") })
	is(0, true)
	w.post("/settings/save", w.answersOf(""), new(any))
	brokertest.Until(t, "the table begins", func() bool {
		return strings.Contains(process.Out(), "sabotd ready: table bj-1, boot 1")
	})
	is(0, true)
	is(1, false)
	process.Stop()
}
