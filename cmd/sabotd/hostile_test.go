package main

import (
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// mostMemory is how much memory a table may have had at the most, in KiB, whatever its broker does.
const mostMemory = 128 << 10

// notMQTT is what a table says of a broker that breaks the protocol.
const notMQTT = "the broker does not keep to MQTT 3.1.1"

func hostileBrokers() []brokertest.Attack {
	return append(brokertest.Attacks(), brokertest.AttacksOnATable()...)
}

// TestHostileBrokersInTurn: one table suffers all attacks in turn, with an honest broker between any two, which has the
// table again each time.
func TestHostileBrokersInTurn(t *testing.T) {
	tier.Soak(t, "it is attacked in some sixty ways")
	t.Parallel()
	w := newWorld(t, nil)
	// The real program waits for long after such a broker, and leaves out for a minute what ended some connections.
	w.hasty = host.Haste{
		Health: 100 * time.Millisecond, Backoff: 5 * time.Millisecond, Probe: 20 * time.Millisecond,
		Retry: 50 * time.Millisecond,
	}
	w.commands()
	process := w.start()
	honest := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/test/bj-1/status")
	d := w.deal(1000)
	d.stop(1)
	attacks, through := hostileBrokers(), 0
	for _, a := range attacks {
		if !w.survives(process, d, a) {
			through++
		}
		there, said := connections(honest), len(process.Log())
		w.gate.Lead(w.broker.Addr())
		brokertest.Until(t, a.Name+": the honest broker has the table, which says so", func() bool {
			return connections(honest) > there &&
				strings.Contains(process.Log()[said:], "the MQTT connection to the pit is back")
		})
	}
	if _, err := w.shoe.Await(d.ctx, func(s shoesim.State) bool { return s.Queued == 0 }); err != nil {
		t.Fatal(err)
	}
	process.Stop()
	inputs, _ := w.records()
	if got, told := cardsOf(inputs), names(d.hand.cards()); got != told {
		t.Errorf("the journal has other cards than the shoe told\ntold    %s\njournal %s", told, got)
	}
	if strings.Contains(process.Log(), "panic") {
		t.Errorf("the table's program panicked:\n%s", process.Log())
	}
	if w.rounds() < 2 {
		t.Error("no round came to its end")
	}
	w.audited(w.rounds())
	attack.Report(t, "hostile brokers in turn against a table", len(attacks), through)
}

// connections is how often a broker was told that the table is there.
func connections(status *brokertest.Subscriber) (n int) {
	for _, m := range status.Messages() {
		n += strings.Count(string(m.Payload), `"reason":"connected"`)
	}
	return n
}

// survives deals three cards while a broker attacks the table.
func (w *world) survives(p *processes.Process, d *dealing, a brokertest.Attack) (survived bool) {
	w.t.Helper()
	survived = true
	before := len(p.Log())
	h := brokertest.NewHostile(w.t, a)
	w.gate.Lead(h.Addr())
	h.Await(w.t)
	d.goOn(nil)
	d.stop(3)
	if peak := p.Peak(); peak > mostMemory*raceMemory {
		survived = false
		w.t.Errorf("%s: the table took %d KiB of memory", a.Name, peak)
	}
	if a.Ends {
		brokertest.Until(w.t, a.Name+": the log says what the broker does", func() bool {
			said := p.Log()[before:]
			return strings.Contains(said, notMQTT) && strings.Contains(said, w.gate.Addr())
		})
	}
	return survived
}

// attacksEvery says that make test tries each so many attacks of a hostile broker, some of each kind.
var attacksEvery = tier.Times(4, 1)

// reformsEvery is every how many attacks the broker reforms. The table waits for up to ten seconds then.
var reformsEvery = tier.Times(1000, 10)

// TestAttackHostileBroker: whatever a broker does, the table deals on to the end of its rounds, takes no more memory,
// and does not stop. Where a broker breaks the protocol the table hangs up and says why, naming the broker. Once the
// broker is honest the table is there again.
func TestAttackHostileBroker(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	tier.Landing(t, "it starts a table for each attack")
	tries, attacks := 0, hostileBrokers()
	through := make(chan string, len(attacks))
	t.Run("attacks", func(t *testing.T) {
		for i, a := range attacks {
			if i%attacksEvery != 0 {
				continue
			}
			tries++
			t.Run(a.Name, func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() {
						through <- a.Name
					}
				}()
				underAttack(t, a, i%reformsEvery == 0)
			})
		}
	})
	attack.Report(t, "a hostile broker against a table", tries, len(through))
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
		logs(t, process, notMQTT, w.gate.Addr())
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
