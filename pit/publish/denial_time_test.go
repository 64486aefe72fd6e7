package publish_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestADenialInTime is a day with a denied topic, in virtual time: the topic is found within
// seconds, and tried again in ever longer pauses until it is allowed; events wait for none of
// it.
func TestADenialInTime(t *testing.T) {
	for name, how := range map[string]verdict{"acknowledged": acknowledgeAndCut, "not acknowledged": cut} {
		kinds := []topic.Kind{
			topic.KindStatus, topic.KindEvent, topic.KindState, topic.KindHealth, topic.KindAlert,
			topic.KindTotals,
		}
		if how == cut {
			kinds = kinds[:tier.Times(2, len(kinds))]
		}
		for _, kind := range kinds {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { denialInTime(t, how, kind) })
			})
		}
	}
}

func denialInTime(t *testing.T, how verdict, kind topic.Kind) {
	const events = 632
	allowed := false
	attempts := 0
	fake := inBubble(func(p *packets.PublishPacket) verdict {
		if allowed || !strings.Contains(p.TopicName, "/"+string(kind)) {
			return acknowledge
		}
		attempts++
		return how
	})
	count := func() int {
		fake.mu.Lock()
		defer fake.mu.Unlock()
		return attempts
	}
	tab := newTable(t, "tcp://nowhere", newJournal(events))
	// the defaults
	tab.config.ProbeAfter, tab.config.RetryAfter, tab.config.BackoffMin, tab.config.BackoffMax = 0, 0, 0, 0
	tab.config.Dial = fake.dial
	tab.config.Totals = counted{}
	tab.state.alert(1, "unread-card", "lost-cards")
	tab.start()

	bubble.Pass(5 * time.Second)
	if stats := tab.publisher.Stats(); kind != topic.KindEvent && stats.Acknowledged != events {
		t.Errorf("after five seconds %d of %d events are acknowledged", stats.Acknowledged, events)
	}
	bubble.Pass(15 * time.Second)
	want := tab.topic(kind)
	if kind == topic.KindAlert {
		want = tab.name.Alert(topic.Any)
	}
	found := tab.publisher.Stats()
	if !slices.Equal(found.Denied, []string{want}) || found.Reconnects > 8 {
		t.Fatalf("after 20 seconds and %d connections %v are denied", found.Reconnects, found.Denied)
	}
	if tab.log.Count("THE MQTT BROKER DENIES A TOPIC") == 0 || tab.log.Count("topic="+want+" ") != 1 {
		t.Errorf("the log does not name %s once:\n%s", want, tab.log.String())
	}
	told := topic.KindStatus // where the pit reads what is denied
	if kind == told {
		told = topic.KindHealth
	}
	all := fake.received(tab.topic(told))
	if latest := string(all[len(all)-1].Payload); !strings.Contains(latest, `"denied":["`+want+`"]`) {
		t.Errorf("the pit is told %s", latest)
	}
	for _, other := range []topic.Kind{
		topic.KindStatus, topic.KindState, topic.KindEvent, topic.KindHealth,
		topic.KindTotals,
	} {
		if other != kind && len(fake.received(tab.topic(other))) == 0 {
			t.Errorf("no %s arrives", other)
		}
	}
	if kind == topic.KindEvent && found.Acknowledged != 0 {
		t.Errorf("%d events count as acknowledged", found.Acknowledged)
	}

	before := count()
	bubble.Pass(2 * time.Hour) // 1, 2, 4, 8, and then every 15 minutes
	more := count() - before
	if after := tab.publisher.Stats(); more < 10 || more > 11 || after.Reconnects != found.Reconnects+uint64(more) {
		t.Errorf("in two hours there were %d attempts and %d connections", more, after.Reconnects-found.Reconnects)
	}
	fake.mu.Lock()
	allowed = true
	fake.mu.Unlock()
	bubble.Pass(16 * time.Minute)
	if tab.log.Count("lets the table publish on a topic again") == 0 {
		t.Error("the log does not say that it is over")
	}
	requireAll(t, numbersOf(t, fake.received(tab.topic(topic.KindEvent))), 1, events)
	if stats := tab.publisher.Stats(); len(stats.Denied) > 0 || stats.Acknowledged != events {
		t.Errorf("a quarter of an hour after it is allowed: %+v", stats)
	}
	if err := tab.stop(); err != nil {
		t.Error(err)
	}
}

// TestADeniedReaderInTime: where the broker does not let the table answer one reader, the other gets its answers, and
// all else arrives; once it is allowed, the reader gets the answer that it waits for.
func TestADeniedReaderInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		allowed := false
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if !allowed && strings.HasSuffix(p.TopicName, "/records/pit") {
				return acknowledgeAndCut
			}
			return acknowledge
		})
		tab := fake.patient(t, 20)
		tab.config.Fetch = cabinet{}.fetch
		fake.letters = map[topic.Kind][][]byte{topic.KindFetch: {
			topic.AppendFetch(nil, topic.Fetch{Reader: "pit", Journal: cabinetID, After: 3}),
			topic.AppendFetch(nil, topic.Fetch{Reader: "desk", Journal: cabinetID, After: 5}),
		}}
		tab.start().waitFor(20)
		name := tab.name.Records("pit")
		brokertest.Until(t, "the topic is left out", func() bool {
			return slices.Equal(tab.publisher.Stats().Denied, []string{name})
		})
		if tab.log.Count("the reader pit gets no records") != 1 {
			t.Errorf("the log does not name the reader:\n%s", tab.log.String())
		}
		brokertest.Until(t, "the other reader has its answer", func() bool {
			return len(fake.received(tab.name.Records("desk"))) > 0
		})
		tab.journal.add(5)
		tab.waitFor(25)
		before := len(fake.received(name))
		fake.mu.Lock()
		allowed = true
		fake.mu.Unlock()
		tab.publisher.Retry()
		brokertest.Until(t, "the reader has its answer", func() bool {
			return len(tab.publisher.Stats().Denied) == 0 && len(fake.received(name)) > before
		})
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestADenialIsTriedOnTheNextConnection: a broker that hung up may be another one when it is back, or have another
// access list. What it denied is tried then, and not only when the pause is over.
func TestADenialIsTriedOnTheNextConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		allowed, attempts := false, 0
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if allowed || !strings.HasSuffix(p.TopicName, "/state") {
				return acknowledge
			}
			attempts++
			return cut
		})
		tab := fake.table(t, newJournal(1))
		// the defaults
		tab.config.ProbeAfter, tab.config.RetryAfter, tab.config.BackoffMin, tab.config.BackoffMax = 0, 0, 0, 0
		tab.state.set(1)
		tab.start()
		bubble.Pass(2 * time.Hour) // it is tried every 15 minutes
		count := func() int {
			fake.mu.Lock()
			defer fake.mu.Unlock()
			return attempts
		}
		for before := count(); count() == before; {
			bubble.Pass(time.Second)
		}
		bubble.Pass(2 * time.Minute)
		// a connection that ends just after an answer may have ended on that
		for before := -1; before != fake.messages(); {
			before = fake.messages()
			bubble.Pass(3 * time.Second)
		}
		fake.mu.Lock()
		allowed = true
		fake.mu.Unlock()
		fake.hangUpOnAll()
		bubble.Pass(time.Minute)
		if denied := tab.publisher.Stats().Denied; len(denied) > 0 {
			t.Errorf("a minute after the broker is back %v are denied", denied)
		}
	})
}
