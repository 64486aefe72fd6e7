package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// dealt is a table that is dealt at by the engine, a round in a moment, with a journal and the publisher that answers
// for it.
type dealt struct {
	t      testing.TB
	name   topic.Table
	folder string
	seed   uint64
	night  *journaltest.Night
	stop   func()
	// heard is the head that the pit was told last.
	heard journal.Heard
	every time.Duration // between two healths
	pause time.Duration // the longest between two tries to connect, 0 for a short one
	user  string        // at the broker; "" where it lets everybody in
	// password is that of a broker with its own; "" for the user's usual one. House is by whose rules it is played.
	password, house string
	// plays is what it has to do with a jackpot of several tables, nil for nothing; ahead is how far its clock is
	// ahead.
	plays *linkedSeat
	ahead time.Duration
}

func newTable(t testing.TB, folder, name string, seed uint64) *dealt {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		t.Fatal(err)
	}
	return &dealt{t: t, name: table, folder: filepath.Join(folder, name), seed: seed, every: 100 * time.Millisecond}
}

// open starts the table, as its daemon does: with what the broker was told last. Several brokers are separated by
// spaces.
func (d *dealt) open(addr string) {
	d.t.Helper()
	j, err := journal.Open(d.folder, journal.Options{Program: "test", Heard: d.heard})
	if err != nil {
		d.t.Fatal(err)
	}
	d.seed++
	d.night = journaltest.Quick(d.t, j, cmp.Or(d.house, "wiesbaden"), d.seed)
	if d.plays != nil {
		d.night.Stack(d.plays.pack)
	}
	publisher, err := publish.New(publish.Config{
		Config: transport.Config{
			Broker: "tcp://" + strings.ReplaceAll(addr, " ", " tcp://"), Username: d.user,
			Password:   cmp.Or(d.password, brokertest.Password(d.user)),
			BackoffMax: cmp.Or(d.pause, 200*time.Millisecond),
		},
		Table: d.name, Boot: j.Boot(), HealthEvery: d.every, FlushTimeout: time.Millisecond,
		Log:     slog.New(slog.DiscardHandler),
		Fetch:   func(f topic.Fetch) (topic.Records, error) { return publish.Fetched(j, f) },
		Jackpot: d.plays.ear(),
	}, journaltest.Published{Journal: j}, journaltest.NoView{}, func() publish.Condition {
		head, hash, err := j.Head()
		if err != nil {
			return publish.Condition{}
		}
		return publish.Condition{Head: &topic.Head{ID: j.ID(), Record: head, Hash: fmt.Sprintf("%x", hash)}}
	})
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		_ = publisher.Run(ctx) // what was not acknowledged stays in the journal
		close(done)
	}()
	d.stop = func() {
		cancel()
		<-done
		head, hash, err := j.Head()
		_, next := j.Next()
		if err != nil {
			d.t.Error(err)
		}
		d.heard = journal.Heard{ID: j.ID(), Record: head, Hash: hash, Event: next - 1}
		if err := j.Close(); err != nil {
			d.t.Error(err)
		}
		d.stop = nil
	}
	d.t.Cleanup(func() {
		if d.stop != nil {
			d.stop()
		}
	})
}

// copyTo copies the journal's folder, while the table is stopped.
func (d *dealt) copyTo(folder string) {
	d.t.Helper()
	if err := os.CopyFS(folder, os.DirFS(d.folder)); err != nil {
		d.t.Fatal(err)
	}
}

// pitConfig writes a configuration of the pit; more are lines about the broker.
func pitConfig(t testing.TB, addr, source string, more ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pit.yaml")
	broker := strings.Join(append([]string{"broker: tcp://" + addr}, more...), "\n  ")
	text := fmt.Sprintf("site: wiesbaden\nmqtt:\n  %s\nstore:\n  source: %s\n  time_zone: Europe/Berlin\nweb:\n  "+
		"listen: 127.0.0.1:0\nalerts:\n  offline_seconds: 1\n", broker, source)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
