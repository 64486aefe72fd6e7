package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestPagesShowTheHousesClock: a server's own clock is often set to UTC, and the house goes by its local time.
func TestPagesShowTheHousesClock(t *testing.T) {
	t.Setenv("TZ", "Pacific/Kiritimati")
	house := system.Zone(t, "Europe/Berlin") // as pitConfig says
	config := pitConfig(t, "127.0.0.1:1", filepath.Join(processes.FastDir(t), "pit.db"))
	added := processes.Run(t, processes.Binary(t, "sabot-pit"), "person", "--config", config, "add", "anna", "manager")
	password, _, _ := strings.Cut(added.Out, "\n")
	if added.Status != 0 {
		t.Fatalf("person add: %s%s", added.Out, added.Err)
	}
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	b := newBrowser(t, p.URL)
	from := time.Now()
	b.post("/enter", map[string]string{"name": "anna", "password": password})
	to := time.Now()
	b.post("/password", map[string]string{"had": password, "password": "quite a long password of mine"})
	page := b.get("/log")
	for at := from; !at.After(to.Add(time.Second)); at = at.Add(time.Second) {
		if strings.Contains(page, at.In(house).Format(" 15:04:05")) {
			return
		}
	}
	t.Errorf("anna has entered between %s and %s, which the log does not say:\n%s", from.In(house), to.In(house), page)
}
