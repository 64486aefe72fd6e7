package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/rig"
	"github.com/sabot-table/sabot/pit/broker/brokertest"
)

// kills is how often the pit and the broker are killed.
const kills = 50

// TestEverythingIsKeptOnce: the pit and the broker are killed fifty times each while tables are dealt at, tables are
// started anew, one gets a new journal, and at one an earlier state of the journal is restored. Afterwards every
// record of every journal is in the database once, byte for byte, and what was rolled back is named.
func TestEverythingIsKeptOnce(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	mosquitto := brokertest.StartMosquitto(t)
	folder := rig.FastDir(t)
	config := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"))
	tables := []*dealt{newTable(t, folder, "bj-1", 100), newTable(t, folder, "bj-2", 200), newTable(t, folder, "bj-3", 300)}
	for _, d := range tables {
		d.open(mosquitto.Addr())
		d.night.Rounds(40)
	}
	former := filepath.Join(folder, "former")
	before := filepath.Join(folder, "before")
	var log strings.Builder
	for n := range kills {
		p := rig.Start(t, program.Binary(t), "--config", config)
		tables[n%3].night.Rounds(2)
		time.Sleep(time.Duration(dice.IntN(300)) * time.Millisecond)
		mosquitto.Kill()
		tables[(n+1)%3].night.Rounds(1)
		mosquitto.Start()
		switch n {
		case 15, 35:
			tables[0].stop()
			tables[0].open(mosquitto.Addr())
		case 20: // an earlier state of this one is restored later
			tables[2].stop()
			tables[2].copyTo(before)
			tables[2].open(mosquitto.Addr())
			tables[2].night.Rounds(5)
			wait(t, "the pit has what will be rolled back", func() bool { return kept(t, config, tables[2]) })
		case 21:
			tables[2].stop()
			remove(t, tables[2].folder)
			if err := os.Rename(before, tables[2].folder); err != nil {
				t.Fatal(err)
			}
			tables[2].open(mosquitto.Addr())
			wait(t, "what was rolled back is named", func() bool { return strings.Contains(p.Log(), "A TABLE'S RECORD IS IN DOUBT") })
		case 30: // another journal
			wait(t, "the former journal is complete", func() bool { return kept(t, config, tables[1]) })
			tables[1].stop()
			tables[1].copyTo(former)
			remove(t, tables[1].folder)
			tables[1].open(mosquitto.Addr())
		}
		tables[(n+2)%3].night.Rounds(1)
		time.Sleep(time.Duration(dice.IntN(200)) * time.Millisecond)
		p.Kill()
		log.WriteString(p.Log())
	}
	got := rig.Run(t, program.Binary(t), "refill", "--config", config)
	if got.Status != 0 || !strings.Contains(got.Out, "complete: the database has all records of 3 tables") {
		t.Fatalf("refill: %s%s", got.Out, got.Err)
	}
	for _, d := range tables {
		requireKept(t, config, d, d.folder)
	}
	requireKept(t, config, tables[1], former)
	if !strings.Contains(log.String(), "bj-3 was rolled back") {
		t.Error("the log does not say that bj-3 was rolled back")
	}
	if strings.Contains(log.String(), "rewritten") || strings.Contains(log.String(), "panic") {
		t.Errorf("the log says\n%s", log.String())
	}
}

// kept says whether the database has all of a table's journal.
func kept(t testing.TB, config string, d *dealt) bool {
	return rig.Run(t, program.Binary(t), "compare", "--config", config, "--table", d.name.Name(), "--journal", d.folder).Status == 0
}

func wait(t testing.TB, what string, holds func() bool) {
	t.Helper()
	brokertest.Until(t, what, holds)
}

func remove(t testing.TB, folder string) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
}
