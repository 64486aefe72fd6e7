package main

import (
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
)

// denying replaces the world's broker by one as pit/README.md configures it, with an access
// list that denies the table one topic. It returns what gives it that topic too.
func (w *world) denying(denied string) (allow func()) {
	w.t.Helper()
	file := filepath.Join(w.dir, "acl")
	list := func(denied string) {
		text := "topic read #\n"
		for _, one := range []string{"status", "state", "event", "health", "alert/+"} {
			if one != denied {
				text += "topic write sabot/v1/test/bj-1/" + one + "\n"
			}
		}
		write(w.t, file, text)
	}
	list(denied)
	w.broker = brokertest.StartMosquitto(w.t, "allow_anonymous true", "max_queued_messages 0", "acl_file "+file)
	w.gate = brokertest.NewGate(w.t, w.broker.Addr())
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		w.t.Fatal(err)
	}
	w.floor = processes.Listen(w.t, w.broker.Addr(), name, nil)
	return func() {
		list("")
		w.broker.Reload()
	}
}

// TestADeniedTopic: with any of its topics denied the table names it, in the log, on its own
// screen and in what it may still publish, and the pit has all else; of events nothing counts
// as delivered. A corrected access list is noticed at a reload.
func TestADeniedTopic(t *testing.T) {
	tier.Landing(t, "it needs a table for each topic")
	for _, denied := range []string{"alert/+", "event", "state", "status", "health"} {
		t.Run(denied, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, nil)
			w.hurry()
			if !tier.InSoak() {
				// The table tells by a tenth of this time that the broker has not hung up on what it acknowledged,
				// which a busy computer's broker does late.
				w.hasty.Probe = time.Second
			}
			allow := w.denying(denied)
			reader := brokertest.Subscribe(t, w.broker.Addr(), "sabot/v1/#")
			process := w.start()
			told := w.deal(2).finish()
			logs(t, process, "THE MQTT BROKER DENIES A TOPIC", "topic=sabot/v1/test/bj-1/"+denied+" ")
			brokertest.Until(t, "the screen says so", func() bool {
				return strings.Contains(w.get("/", http.StatusOK), "Pit incomplete")
			})
			said := func(kind string) bool {
				messages := slices.DeleteFunc(slices.Clone(reader.Messages()), func(m brokertest.Message) bool {
					return !strings.HasSuffix(m.Topic, "/"+kind)
				})
				return len(messages) > 0 && strings.Contains(string(messages[len(messages)-1].Payload),
					`"denied":["sabot/v1/test/bj-1/`+denied+`"]`)
			}
			brokertest.Until(t, "the pit reads it", func() bool {
				return (denied == "status" || said("status")) && (denied == "health" || said("health"))
			})
			if denied != "event" {
				w.check(told, 2)
				process.Stop()
				return
			}
			allow()
			hangUp(t, process, "lets the table publish on a topic again")
			w.check(told, 2)
			process.Stop()
		})
	}
}
