package main

import (
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/rig"
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
	process := w.start()
	d := w.deal(5)
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
	w.check(d.finish(), 5)
	process.Stop()
}

// acknowledged waits until the daemon has noted that it lost its broker, and
// returns the last event that the broker accepted.
func (w *world) acknowledged(p *rig.Process) uint64 {
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
