package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// hostileMemory is how much memory the pit may have had at the most, in KiB, whatever its broker does.
const hostileMemory = 320 << 10

// TestAttackHostileBroker: whatever a broker does, the pit answers at its page, takes no more memory, and does not
// stop. Where a broker breaks the protocol the pit hangs up and says why, naming the broker.
func TestAttackHostileBroker(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	list := append(brokertest.Attacks(), brokertest.AttacksOnThePit()...)
	through := make(chan string, len(list))
	t.Run("attacks", func(t *testing.T) {
		for _, a := range list {
			t.Run(a.Name, func(t *testing.T) {
				t.Parallel()
				defer func() {
					if t.Failed() {
						through <- a.Name
					}
				}()
				underAttack(t, a)
			})
		}
	})
	attack.Report(t, "a hostile broker against the pit", len(list), len(through))
}

// underAttack runs a pit whose broker attacks it.
func underAttack(t *testing.T, a brokertest.Attack) {
	h := brokertest.NewHostile(t, a)
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config",
		pitConfig(t, h.Addr(), filepath.Join(processes.FastDir(t), "pit.db")))
	h.Await(t)
	if a.Ends {
		brokertest.Until(t, "the log says why", func() bool {
			return strings.Contains(p.Log(), "the broker does not keep to MQTT 3.1.1") &&
				strings.Contains(p.Log(), h.Addr())
		})
	}
	if page := newBrowser(t, p.URL).get("/"); !strings.Contains(page, `name="password"`) {
		t.Errorf("the page is %s", page)
	}
	peak := p.Peak()
	t.Logf("%d KiB", peak)
	if peak > hostileMemory {
		t.Errorf("the pit took %d KiB of memory", peak)
	}
	p.Stop()
	if strings.Contains(p.Log(), "panic") {
		t.Errorf("the pit panicked:\n%s", p.Log())
	}
	if lines := strings.Count(p.Log(), "\n"); lines > 100 {
		t.Errorf("the log has %d lines", lines)
	}
}
