package publish_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestHeard: a head counts as heard once the broker has acknowledged it, and is told
// when it has changed.
func TestHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var deaf atomic.Bool
		deaf.Store(true)
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if deaf.Load() && strings.HasSuffix(p.TopicName, "/health") {
				return ignore
			}
			return acknowledge
		})
		var record atomic.Uint64
		record.Store(40)
		heard := make(chan publish.Heard, 100)
		tab := fake.table(t, newJournal(3))
		tab.head = func() *topic.Head { return headAt(record.Load()) }
		tab.config.Heard = func(h publish.Heard) { heard <- h }
		tab.config.HealthEvery, tab.config.AckTimeout = 5*time.Millisecond, 50*time.Millisecond
		tab.start()
		brokertest.Until(t, "the deaf broker was given up", func() bool { return len(fake.welcomed()) > 1 })
		if len(heard) != 0 {
			t.Errorf("%+v counts as heard by a broker that acknowledged no health", <-heard)
		}
		deaf.Store(false)
		head := headAt(40)
		if got, want := <-heard, (publish.Heard{ID: head.ID, Record: 40, Hash: head.Hash, Event: 3}); got != want {
			t.Errorf("heard %+v, not %+v", got, want)
		}
		before := len(fake.received(tab.topic(topic.KindHealth)))
		brokertest.Until(t, "health goes on", func() bool {
			return len(fake.received(tab.topic(topic.KindHealth))) > before+3
		})
		record.Store(41)
		if got := <-heard; got.Record != 41 {
			t.Errorf("after record 40 the broker has heard of %+v", got)
		}
	})
}

// retainedHealth is a health as an earlier daemon left it at the broker.
func retainedHealth(name topic.Table, head *topic.Head) []byte {
	return topic.AppendHealth(nil, topic.Health{
		Site: name.Site(), Table: name.Name(), Boot: 6, Time: time.Unix(9, 0),
		Journal: topic.Journal{LastSequence: 77, Head: head},
	})
}

// TestRemembered: the broker says what it last heard of the table, before the table
// tells it anything, and it is compared with the journal.
func TestRemembered(t *testing.T) {
	other, anew := headAt(40), headAt(40)
	other.ID, anew.Hash = strings.Repeat("ef", 16), strings.Repeat("ef", 32)
	for name, c := range map[string]struct {
		head *topic.Head
		want publish.Standing
	}{
		"as it is now":    {headAt(40), publish.Known},
		"earlier":         {headAt(3), publish.Known},
		"later":           {headAt(41), publish.Ahead},
		"anew":            {anew, publish.Differs},
		"another journal": {other, publish.Other},
	} {
		for kind, tell := range map[string]func(tab *table) (url string){
			"fake": func(tab *table) string {
				fake := startFake(t, packets.Accepted, accept)
				fake.retained = retainedHealth(tab.name, c.head)
				return fake.url()
			},
			"embedded": func(tab *table) string {
				addr := embedded(t)
				brokertest.Publish(t, addr, tab.topic(topic.KindHealth), retainedHealth(tab.name, c.head))
				return "tcp://" + addr
			},
			"mosquitto": func(tab *table) string {
				addr := brokertest.StartMosquitto(t).Addr()
				brokertest.Publish(t, addr, tab.topic(topic.KindHealth), retainedHealth(tab.name, c.head))
				return "tcp://" + addr
			},
		} {
			t.Run(name+", "+kind, func(t *testing.T) {
				if kind == "mosquitto" {
					tier.Soak(t, "a mosquitto")
				}
				tab := newTable(t, "", newJournal(1))
				tab.config.Broker = tell(tab)
				remembered := make(chan publish.Remembered, 100)
				tab.config.Remembered = func(r publish.Remembered) { remembered <- r }
				tab.start()
				got := <-remembered
				if got.Standing != c.want || got.Record != c.head.Record || got.ID != c.head.ID || got.Event != 77 ||
					got.Boot != 6 {
					t.Errorf("remembered %+v", got)
				}
				if err := tab.stop(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestNothingToRemember: a broker that keeps no health says so by sending the table's own
// one back, and the table hears no more of itself.
func TestNothingToRemember(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		tab := newTable(t, "tcp://"+addr, newJournal(1))
		var remembered atomic.Int32
		tab.config.Remembered = func(publish.Remembered) { remembered.Add(1) }
		tab.config.HealthEvery = 5 * time.Millisecond
		tab.start()
		health := brokertest.Subscribe(t, addr, tab.topic(topic.KindHealth))
		brokertest.Until(t, "health was sent some times", func() bool { return len(health.Messages()) > 5 })
		if err := tab.stop(); err != nil {
			t.Fatal(err)
		}
		if n := remembered.Load(); n != 0 || tab.log.Count("does not say") != 0 {
			t.Errorf("%d things were remembered by a new broker, and the log says\n%s", n, tab.log.String())
		}
	})
}

// TestABrokerThatDoesNotRemember is told of once, and everything is published.
func TestABrokerThatDoesNotRemember(t *testing.T) {
	name := newTable(t, "", newJournal(0)).name
	badHash := headAt(1)
	badHash.Hash = "cd"
	elsewhere, err := topic.NewTable("wiesbaden", "bj2")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		granted  byte
		retained []byte
		want     string
	}{
		"mute":            {0, nil, "it sent nothing within"},
		"denied":          {0x80, nil, "it denies the subscription"},
		"rubbish":         {0, []byte("rubbish"), "cannot be used"},
		"no head":         {0, retainedHealth(name, nil), "no head of a journal"},
		"bad hash":        {0, retainedHealth(name, badHash), "no name or no hash"},
		"another table's": {0, retainedHealth(elsewhere, headAt(1)), "another table's"},
		"far too long":    {0, slices.Concat([]byte(`{"site":"`), make([]byte, 100_000)), "bytes"},
	} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				fake := inBubble(accept)
				fake.granted, fake.retained = c.granted, c.retained
				tab := fake.table(t, newJournal(20))
				tab.config.Remembered = func(r publish.Remembered) { t.Errorf("remembered %+v", r) }
				tab.config.AckTimeout = 50 * time.Millisecond
				tab.start().waitFor(20)
				for n := range 3 {
					brokertest.Until(t, "the subscription is given up", func() bool { return fake.givenUp() > n })
					brokertest.Until(t, "the log says so once", func() bool {
						said := tab.log.Count(c.want) - tab.log.Count("cannot request events again")
						return tab.log.Count("does not say what it last heard") == 1 &&
							(said == 1 || tab.log.Count(c.want) == 1)
					})
					fake.hangUpOnAll()
				}
			})
		})
	}
}
