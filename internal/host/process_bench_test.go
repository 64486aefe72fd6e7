package host_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// place is what the built daemon needs around it.
type place struct {
	binary, config string
	shoe           *shoesim.Shoe
}

func newPlace(b *testing.B, journal string) place {
	b.Helper()
	dir := b.TempDir()
	b.Setenv("CGO_ENABLED", "0") // as the Makefile builds it
	binary, err := processes.Build(dir, "sabotd", "-trimpath", "-ldflags=-s -w")
	if err != nil {
		b.Fatal(err)
	}
	mqtt, err := broker.Listen("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { mqtt.Close() })
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 11, Continuous: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { shoe.Close() })
	config := filepath.Join(dir, "sabot.yaml")
	text := fmt.Sprintf("site: test\ntable: bj-1\nhouse: wiesbaden\nkeys_apart_ms: -1\nshoe: {port: %s}\njournal: "+
		"{path: %s}\nmqtt: {broker: \"tcp://%s\"}\nweb: {listen: \"127.0.0.1:0\"}\nsupervisors: {proof: none}\n",
		shoe.Path(), journal, mqtt.Addr())
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return place{binary, config, shoe}
}

// BenchmarkStart times the built daemon from its start to the line that says that
// it is ready: without a journal, and with one of many records in few parts and in many, which
// ends in mid-round. It takes turns with a bare program in Go, which only says so.
func BenchmarkStart(b *testing.B) {
	least := processes.Bare(b)
	for _, c := range []struct{ records, each int }{{0, 0}, {100_000, 0}, {100_000, 33}} {
		name := fmt.Sprint(c.records)
		if c.each > 0 {
			name += fmt.Sprintf("-in-%d-parts", c.records/c.each)
		}
		b.Run(name, func(b *testing.B) {
			records := c.records
			path := filepath.Join(b.TempDir(), "journal")
			p := newPlace(b, path)
			if records > 0 {
				fill(b, path, records, c.each)
			}
			processes.Starts(b, least, func() {
				if records > 0 {
					return
				}
				if err := os.RemoveAll(path); err != nil {
					b.Fatal(err)
				}
			}, p.binary, "--config", p.config)
		})
	}
}

// fill makes a journal of rounds as they would have been played, in mid-round at
// the end, with so many records in each part, or 0 for parts of the usual size.
func fill(b *testing.B, path string, records, each int) {
	b.Helper()
	o := journal.Options{Program: "test"}
	if each > 0 {
		o.PartMost = 1 // each Append then begins another
	}
	atOnce := cmp.Or(each, 1000)
	j, err := journal.Open(path, o)
	if err != nil {
		b.Fatal(err)
	}
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), records/40, 7)
	if len(inputs) < records {
		b.Fatalf("%d inputs are too few for %d records", len(inputs), records)
	}
	var tab table.Table
	var entries []journal.Entry
	for _, in := range inputs[:records] {
		e := journal.Entry{At: 1, Input: transcript.AppendInput(nil, &in)}
		for _, out := range tab.Step(&in) {
			e.Outputs = append(transcript.AppendOutput(e.Outputs, &out), '\n')
		}
		e.Round = tab.Round()
		if tab.Settled() && (in.Kind == vocab.InSetup || in.Kind == vocab.InPaid) {
			if e.Carry, err = json.Marshal(tab.Carry()); err != nil {
				b.Fatal(err)
			}
		}
		if entries = append(entries, e); len(entries) == atOnce || in.Line == uint64(records) {
			if err := j.Append(entries); err != nil {
				b.Fatal(err)
			}
			entries = entries[:0]
		}
	}
	if err := j.Close(); err != nil {
		b.Fatal(err)
	}
}

// memoryRounds is how many rounds BenchmarkMemory deals.
const memoryRounds = 200

// BenchmarkMemory deals rounds at the built daemon and looks how much memory it
// holds. Once is enough: use -benchtime 1x.
func BenchmarkMemory(b *testing.B) {
	for range b.N {
		p := newPlace(b, filepath.Join(b.TempDir(), "journal"))
		process := processes.Start(b, p.binary, "--config", p.config)
		remote := processes.NewRemote(process.URL)
		ctx, stop := context.WithCancel(b.Context())
		go remote.Follow(ctx)
		dealer := &keysim.Dealer{
			Shoe: p.shoe, Display: remote, Press: remote.Press, Rounds: memoryRounds, Seed: 5,
			Log: slog.New(slog.DiscardHandler),
		}
		if err := dealer.Run(ctx); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(resident(b, process.PID(), "VmRSS"), "resident-MiB")
		b.ReportMetric(resident(b, process.PID(), "VmHWM"), "peak-MiB")
		b.ReportMetric(0, "ns/op")
		stop()
		process.Stop()
	}
}

// resident reads a line of a process's status, in MiB.
func resident(b *testing.B, pid int, name string) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	found := regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		b.Fatalf("there is no %s in %s", name, status)
	}
	kib, err := strconv.Atoi(string(found[1]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kib) / 1024
}
