package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/storetest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
)

// nodes are several sabot-pit on one database.
type nodes struct {
	t       *testing.T
	configs []string
	runs    []*processes.Process
}

func startNodes(t *testing.T, broker, source string, count int) *nodes {
	n := &nodes{t: t, runs: make([]*processes.Process, count)}
	for i := range count {
		config := filepath.Join(t.TempDir(), "pit.yaml")
		text, err := os.ReadFile(pitConfig(t, broker, source))
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.Replace(string(text), "mqtt:", fmt.Sprintf("mqtt:\n  reader: pit-%d", i+1), 1))
		if err := os.WriteFile(config, text, 0o600); err != nil {
			t.Fatal(err)
		}
		n.configs = append(n.configs, config)
		n.start(i)
	}
	return n
}

func (n *nodes) start(i int) {
	n.runs[i] = processes.Start(n.t, processes.Binary(n.t, "sabot-pit"), "--config", n.configs[i])
}

// TestNodesKeepEverythingOnce: three nodes share one database; each is killed in turn while tables are dealt at, and
// started again, and the database is killed under all of them. A dead node's tables are kept by the others within five
// seconds, and in the end every record is there once.
func TestNodesKeepEverythingOnce(t *testing.T) {
	tier.Soak(t, "three pits and a PostgreSQL server")
	server := storetest.NewPostgres(t)
	source := server.Source()
	mosquitto := brokertest.StartMosquitto(t)
	folder := processes.FastDir(t)
	var tables []*dealt
	for i := range 6 {
		d := newTable(t, folder, fmt.Sprintf("bj-%d", i+1), uint64(i+1)*100)
		d.open(mosquitto.Addr())
		d.night.Rounds(5)
		tables = append(tables, d)
	}
	n := startNodes(t, mosquitto.Addr(), source, 3)
	seen, err := store.Open(t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer seen.Close()
	complete := func() bool {
		for _, d := range tables {
			_, record, _, err := seen.Position(t.Context(), d.name)
			if err != nil || record != headOf(t, d.folder) {
				return false
			}
		}
		return true
	}
	wait(t, "the nodes keep all tables", complete)
	for turn := range 6 {
		dies := turn % len(n.runs)
		if turn == 4 {
			server.Kill()
		} else {
			n.runs[dies].Kill()
		}
		died := time.Now()
		for _, d := range tables {
			d.night.Rounds(2)
		}
		if turn == 4 {
			server.Start()
		}
		wait(t, "the others keep all tables", complete)
		t.Logf("all is kept %v after a death", time.Since(died).Round(100*time.Millisecond))
		if turn != 4 {
			n.start(dies)
		}
		for _, d := range tables {
			d.night.Rounds(1)
		}
	}
	wait(t, "the nodes keep the rest", complete)
	for _, p := range n.runs {
		p.Stop()
		if log := p.Log(); strings.Contains(log, "rewritten") || strings.Contains(log, "panic") ||
			strings.Contains(log, "another program writes") {
			t.Errorf("the log says\n%s", log)
		}
	}
	for _, d := range tables {
		requireOnce(t, seen, d.name, d.folder, 0)
	}
	if differ, err := seen.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
		t.Errorf("the figures do not follow from the records: %v, %v", differ, err)
	}
}
