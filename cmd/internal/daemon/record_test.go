package daemon

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestNotOnRecord: what happens to people at the very end, or faster than it can be
// recorded, is in the log.
func TestNotOnRecord(t *testing.T) {
	var log strings.Builder
	d := &Daemon{unrecorded: make(chan vocab.Input, 2), log: slog.New(slog.NewTextHandler(&log, nil))}
	for _, code := range []string{"wrong-pin", "locked-out", "entered"} {
		d.record(vocab.Input{Kind: vocab.InNote, Code: code, By: "anna"})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.keepRecord(ended); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		`why="too many notices wait to be recorded" code=entered by=anna`,
		`why="the table ends" code=wrong-pin by=anna`,
		`why="the table ends" code=locked-out by=anna`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not have %s:\n%s", want, log.String())
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 3 {
		t.Errorf("the log has %d lines", lines)
	}
}
