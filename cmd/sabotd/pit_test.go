package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

const noBroker = "no MQTT connection to the pit; the table continues"

// TestBrokerOutOfReach: the table deals without its broker, and the pit hears of
// everything afterwards.
func TestBrokerOutOfReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.gate.Shut()
	process := w.start()
	told := w.deal(2).finish()
	logs(t, process, noBroker)
	w.gate.Open()
	w.check(told, 2)
	process.Stop()
}

// TestBrokerKilled kills the broker in mid-round, continues to deal, and starts it again.
func TestBrokerKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.hurry()
	process := w.start()
	d := w.deal(6)
	d.stop(30)
	// What a broker has acknowledged and not delivered is lost with it: so the table is cut
	// off first, and the broker lives until the pit has everything that it accepted.
	w.gate.Shut()
	w.floor.Lines(t, w.acknowledged(process))
	w.broker.Kill()
	d.goOn(nil)
	d.stop(30)
	w.broker.Start()
	w.floor.Subscribed(t, 2)
	w.gate.Open()
	d.goOn(nil)
	w.check(d.finish(), 6)
	process.Stop()
}

// TestBrokerForgets kills a broker that keeps nothing, with events in it that it has
// acknowledged and a reader did not take yet, again and again. The reader sees the gaps,
// requests what it lacks, and in the end has the table's events, byte for byte.
func TestBrokerForgets(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	w := newWorld(t, nil)
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	w.hurry()
	gate := brokertest.NewGate(t, w.broker.Addr())
	reader := brokertest.KeepLedger(t, gate.Addr(), name, true)
	process := w.start()
	d := w.deal(tier.Times[uint64](4, 8))
	for range tier.Times(3, 8) {
		d.stop(3)
		gate.Shut()
		d.goOn(nil)
		d.stop(8)
		w.broker.Kill()
		w.broker.Start()
		gate.Open()
		d.goOn(nil)
	}
	d.finish()
	_, outputs := w.records()
	events := uint64(strings.Count(outputs, "\n"))
	brokertest.Until(t, "the reader has every event", func() bool { return reader.Missing(events) == 0 })
	sameLines(t, "reader", reader.Lines(events), outputs)
	logs(t, process, "the pit requests events again", "the events that the pit requested were sent again")
	process.Stop()
}

// acknowledged waits until the daemon has noted that it lost its broker, and
// returns the last event that the broker accepted.
func (w *world) acknowledged(p *processes.Process) uint64 {
	w.t.Helper()
	logs(w.t, p, noBroker)
	j, err := journal.OpenReadOnly(w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer j.Close()
	cursor, err := j.Cursor("mqtt")
	if err != nil {
		w.t.Fatal(err)
	}
	return cursor
}
