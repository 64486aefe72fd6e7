package main

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// mostMemory is how much memory a table may have had at the most, in KiB, whatever its broker does.
const mostMemory = 128 << 10

// TestAttackHostileBroker: whatever a broker does, the table deals on to the end of its rounds, takes no more memory, and
// does not stop. Where a broker breaks the protocol the table hangs up and says why, naming the broker. Once the broker is
// honest the table is there again.
func TestAttackHostileBroker(t *testing.T) {
	attacks := append(brokertest.Attacks(), brokertest.AttacksOnATable()...)
	through := make(chan string, len(attacks))
	t.Run("attacks", func(t *testing.T) {
		for i, a := range attacks {
			t.Run(a.Name, func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() {
						through <- a.Name
					}
				}()
				underAttack(t, a, i%10 == 0)
			})
		}
	})
	attack.Report(t, "a hostile broker against a table", len(attacks), len(through))
}

// underAttack deals two rounds at a table whose broker attacks it; the broker may reform then.
func underAttack(t *testing.T, a brokertest.Attack, reforms bool) {
	w := newWorld(t, nil)
	h := brokertest.NewHostile(t, a)
	w.commands()
	w.gate = brokertest.NewGate(t, h.Addr())
	process := w.start()
	d := w.deal(2)
	d.stop(10)
	h.Await(t)
	d.goOn(nil)
	told := d.finish()
	if peak := process.Peak(); peak > mostMemory*raceMemory {
		t.Errorf("the table took %d KiB of memory", peak)
	}
	if a.Ends {
		logs(t, process, "the broker does not keep to MQTT 3.1.1", w.gate.Addr())
	}
	if reforms {
		status := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/test/bj-1/status")
		h.Reform(w.broker.Addr())
		brokertest.Until(t, "the honest broker has the table", func() bool { return len(status.Messages()) > 0 })
	}
	process.Stop()
	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) {
		t.Error("the journal has other cards than the shoe told")
	}
	if n := strings.Count(outputs, `{"out":"finished"`); n != 2 {
		t.Errorf("%d rounds were finished", n)
	}
	if strings.Contains(process.Log(), "panic") {
		t.Errorf("the table's program panicked:\n%s", process.Log())
	}
}
