package daemon_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/rig"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/profile"
)

// TestPitOnTheScreen: the dealer sees whether the pit hears, also while nothing happens
// at the table; and that a table has none.
func TestPitOnTheScreen(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	mqtt, err := broker.Listen("127.0.0.1:0", log)
	if err != nil {
		t.Fatal(err)
	}
	sees := pitSeenBy(t, "tcp://"+mqtt.Addr(), log)
	sees(display.PitUp)
	if err := mqtt.Close(); err != nil {
		t.Fatal(err)
	}
	sees(display.PitDown)
	pitSeenBy(t, "", log)("")
}

// pitSeenBy runs a table, and returns what waits until its view says so of the pit.
func pitSeenBy(t *testing.T, address string, log *slog.Logger) func(want string) {
	t.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path = shoe.Path(), filepath.Join(rig.FastDir(t), "journal")
	c.Web.Listen, c.MQTT.Broker = "127.0.0.1:0", address
	d, err := daemon.Open(c, profile.Built(), "test", log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	t.Cleanup(func() {
		stop()
		if err := parts.Wait(); err != nil {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(want string) {
		t.Helper()
		limit, done := context.WithTimeout(t.Context(), rig.Deadline)
		defer done()
		v, err := d.Board.Await(limit, func(v display.View) bool { return v.Table != "" && v.Pit == want })
		if err != nil {
			t.Fatalf("of the pit the screen says %q, not %q: %v", v.Pit, want, err)
		}
	}
}
