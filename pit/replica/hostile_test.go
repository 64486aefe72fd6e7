package replica

import (
	"context"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/transport"
)

// TestHostileBroker: whatever a broker does, the pit goes on to hear, and ends when it is told to. Where a broker
// breaks the protocol, the pit hangs up and says why, naming the broker. TestAttackHostileBroker in cmd/sabot-pit has a
// whole pit, its page and its memory.
func TestHostileBroker(t *testing.T) {
	for _, a := range append(brokertest.Attacks(), brokertest.AttacksOnThePit()...) {
		t.Run(a.Name, func(t *testing.T) {
			h := brokertest.NewHostile(t, a)
			var log brokertest.Log
			line, err := NewMQTT(Broker{
				Site: "wiesbaden", Reader: "pit", Config: transport.Config{Broker: "tcp://" + h.Addr()},
				Log: log.Logger(),
			})
			if err != nil {
				t.Fatal(err)
			}
			store := newMemory()
			ear := New(Options{Reader: "pit", Alerts: store, Log: log.Logger()}, line,
				floor.New(floor.Options{}), store)
			ctx, end := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- ear.Run(ctx) }()
			h.Await(t)
			if a.Ends {
				brokertest.Until(t, "the log says why", func() bool {
					return strings.Contains(log.String(), "the broker does not keep to MQTT 3.1.1") &&
						strings.Contains(log.String(), h.Addr())
				})
			}
			end()
			if err := <-done; err != nil {
				t.Error(err)
			}
			if lines := strings.Count(log.String(), "\n"); lines > 100 {
				t.Errorf("the log has %d lines", lines)
			}
		})
	}
}
