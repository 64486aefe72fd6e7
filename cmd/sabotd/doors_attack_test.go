package main

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/ops/settings/page"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/profile"
)

// opened is a table that is opened as sabotd opens it, and not run.
func opened(t *testing.T, config string) *site.Site {
	t.Helper()
	tab := &tables{
		path: config, houses: profile.Built(), restart: make(chan struct{}, 1), out: io.Discard,
		errOut: io.Discard,
	}
	c, d, log, err := tab.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	d.Pages(settingsOf(d, config, c, tab.houses, make(chan struct{}, 1), log)...)
	return d.Site()
}

func asking(t *testing.T) *site.Site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	language, _ := display.Speak("en")
	pages := page.New(page.Options{
		First: true, Houses: profile.Built(), Language: language, Log: log, Text: func() ([]byte, error) {
			return settings.Begin(nil), nil
		},
		Tried: func(shoe.Position) {}, Last: func() shoe.Position { return shoe.Position{} },
		Save: func(context.Context, []settings.Answer) error { t.Error("a first start is saved"); return nil },
	})
	return firstSite(pages, health.Facts{Asks: "http://127.0.0.1:8080/"}, log)
}

// TestAttackDoors asks for everything that a table serves: without a key, as a screen of each role and as the table's
// own, from other pages and with half a body. What is not in the table of testdata/doors.txt is not served: a new page
// is read, and written down with -rewrite.
func TestAttackDoors(t *testing.T) {
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	n.may("guest", "view", "dealer", "supervisor", "own")
	table := opened(t, n.config)
	datadriven.RunTest(t, "testdata/doors.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "first-start" {
			return listed(asking(t).Rows())
		}
		return listed(table.Rows())
	})
	server := httptest.NewTLSServer(table)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	screens := []asker{
		{role: "nobody"},
		{role: "guest"},
		{role: "view"},
		{role: "dealer"},
		{role: "supervisor"},
		{role: "own"},
	}
	for i, one := range screens {
		if _, has := n.keys[one.role]; has {
			screens[i].cookie = cookieOf(t, n, server, one.role)
		}
	}
	var all []site.Row
	for _, row := range table.Rows() {
		if row.Path != "/leave" { // which ends a session: display/web has it
			all = append(all, row)
		}
	}
	was, err := os.ReadFile(n.config)
	if err != nil {
		t.Fatal(err)
	}
	tries, through := askAll(t, server.URL, all, screens)
	if is, err := os.ReadFile(n.config); err != nil || string(is) != string(was) {
		t.Errorf("the configuration is another, %v", err)
	}
	attack.Report(t, "table: everything it serves × roles, origins, half bodies", tries, through)
}

// TestAttackFirstDoors asks for everything that a table serves that is none yet, and whose questions nobody has to be
// proven for: as a page of another site, origin or host has a browser ask, and with half a body. Nothing is answered,
// drawn or written.
func TestAttackFirstDoors(t *testing.T) {
	site := asking(t)
	server := httptest.NewServer(site)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	tries, through := askForeign(t, server.URL, site.Rows(), asker{})
	attack.Report(t, "first start: everything it serves × origins, half bodies", tries, through)
}
