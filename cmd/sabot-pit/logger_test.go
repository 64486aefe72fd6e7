package main

import (
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestLogTellsTheHousesClock: a server's own clock is often set to UTC, and the house goes by its local time.
func TestLogTellsTheHousesClock(t *testing.T) {
	zone := system.Zone(t, "Pacific/Kiritimati")
	for _, format := range []string{"text", "json"} {
		var said strings.Builder
		log := logger(configfile.Log{Format: format}, zone, &said)
		log.Info("a test", slog.Time("since", time.Date(2026, 3, 28, 20, 30, 5, 0, time.UTC)))
		for _, want := range []string{`time"?[=:]"?\S+\+14:00`, `since"?[=:]"?2026-03-29T10:30:05\S*\+14:00`} {
			if !regexp.MustCompile(want).MatchString(said.String()) {
				t.Errorf("%s: the log has no %s:\n%s", format, want, said.String())
			}
		}
	}
}
