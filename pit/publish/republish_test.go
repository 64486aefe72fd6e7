package publish_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestRepublish: events go out again in order and in windows, under a name of their own,
// and nothing else does.
func TestRepublish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		tab := fake.table(t, newJournal(100))
		tab.config.ClientID, tab.config.Window = "sabot-again", 8
		var shown []uint64
		done, err := publish.Republish(t.Context(), tab.config, tab.journal, 11, 90, func(n, total uint64) {
			if shown = append(shown, n); total != 80 {
				t.Errorf("it is to be %d events", total)
			}
		})
		if err != nil || done != (publish.Republished{Sent: 80, Acknowledged: 80}) || len(shown) != 80 {
			t.Errorf("%+v, %v; shown %v", done, err, shown)
		}
		numbers := numbersOf(t, fake.received(tab.topic(topic.KindEvent)))
		requireAll(t, numbers, 11, 90)
		if len(numbers) != 80 || len(fake.got) != 80 || tab.journal.cursor != 0 {
			t.Errorf("%d events in %d messages, the cursor at %d", len(numbers), len(fake.got), tab.journal.cursor)
		}
		if hello := fake.welcomed()[0]; hello.ClientIdentifier != "sabot-again" || hello.WillFlag {
			t.Errorf("the greeting is %s", hello)
		}
	})
}

// TestRepublishIsBroken: it says how far it came, and why no farther.
func TestRepublishIsBroken(t *testing.T) {
	for name, c := range map[string]struct {
		at   verdict
		to   uint64
		want string
	}{
		"hangs up":       {cut, 100, "check that a broker runs at"},
		"is silent":      {ignore, 100, "acknowledged none of 8 messages"},
		"not in journal": {acknowledge, 101, "the journal has no event 101"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := inBubble(func(p *packets.PublishPacket) verdict {
					if brokertest.Decode[topic.Event](t, p.Payload).Sequence > 20 {
						return c.at
					}
					return acknowledge
				})
				tab := fake.table(t, newJournal(100))
				tab.config.Window, tab.config.AckTimeout = 8, 50*time.Millisecond
				done, err := publish.Republish(t.Context(), tab.config, tab.journal, 1, c.to, nil)
				if err == nil || !strings.Contains(err.Error(), c.want) || done.Acknowledged > 100 || c.to == 100 &&
					done.Acknowledged > 20 {
					t.Errorf("%+v, %v", done, err)
				}
			})
		})
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	tab := newTable(t, startFake(t, packets.Accepted, accept).url(), newJournal(100))
	if done, err := publish.Republish(stopped, tab.config, tab.journal, 1, 100, nil); err != context.Canceled ||
		done.Sent != 0 {
		t.Errorf("an interrupted one: %+v, %v", done, err)
	}
}
