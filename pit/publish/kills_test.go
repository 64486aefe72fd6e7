package publish_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/broker/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/topic/topictest"
)

// ledger is a reader of one table as pit/README.md describes it: it keeps every event once,
// knows which it lacks, and requests those, if it is one that does.
type ledger struct {
	t       testing.TB
	client  mqtt.Client
	table   topic.Table
	asks    bool
	patient time.Duration

	mu       sync.Mutex
	has      map[uint64]string
	highest  uint64
	promised uint64 // the last event that the broker has acknowledged, as health says
	since    time.Time
}

// keepLedger connects a reader with a session that the broker is to keep.
func keepLedger(t testing.TB, addr string, table topic.Table, asks bool) *ledger {
	t.Helper()
	l := &ledger{t: t, table: table, asks: asks, patient: time.Second, has: map[uint64]string{}}
	options := mqtt.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("ledger").SetCleanSession(false).
		SetAutoReconnect(true).SetMaxReconnectInterval(200 * time.Millisecond).SetConnectRetry(true).SetConnectRetryInterval(100 * time.Millisecond).
		SetOrderMatters(true).SetDefaultPublishHandler(l.take).SetOnConnectHandler(func(c mqtt.Client) {
		c.SubscribeMultiple(map[string]byte{table.Topic(topic.KindEvent): 1, table.Topic(topic.KindHealth): 1}, l.take)
	})
	l.client = mqtt.NewClient(options)
	if token := l.client.Connect(); !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { l.client.Disconnect(100) })
	return l
}

// take takes a message, and requests what has been missing for a while.
func (l *ledger) take(_ mqtt.Client, m mqtt.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if strings.HasSuffix(m.Topic(), "/health") {
		var health topic.Health
		if json.Unmarshal(m.Payload(), &health) == nil {
			l.promised = health.Journal.LastSequence - health.Journal.Unacknowledged
		}
	} else {
		event := topictest.Decode[topic.Event](l.t, m.Payload())
		if was, has := l.has[event.Sequence]; has && was != event.ID {
			l.t.Errorf("event %d is %s and %s", event.Sequence, was, event.ID)
		}
		l.has[event.Sequence] = event.ID
		l.highest = max(l.highest, event.Sequence)
	}
	first, last := l.gap()
	switch {
	case first == 0:
		l.since = time.Time{}
	case l.since.IsZero():
		l.since = time.Now()
	case l.asks && time.Since(l.since) > l.patient:
		l.since = time.Now()
		l.client.Publish(l.table.Topic(topic.KindRequest), 1, false, fmt.Appendf(nil, `{"from":%d,"to":%d}`, first, last))
	}
}

// gap is the first range of events that should be there and is not; 0 for none.
func (l *ledger) gap() (first, last uint64) {
	for n := uint64(1); n <= max(l.highest, l.promised); n++ {
		_, has := l.has[n]
		switch {
		case !has && first == 0:
			first, last = n, n
		case !has:
			last = n
		case first != 0:
			return first, last
		}
	}
	return first, last
}

func (l *ledger) missing(upTo uint64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := 0
	for n := uint64(1); n <= upTo; n++ {
		if _, has := l.has[n]; !has {
			missing++
		}
	}
	return missing
}

// TestWhatAKilledBrokerLostIsRequested: mosquitto keeps nothing, and is killed again and
// again while events flow. It has acknowledged events that no reader got; the reader sees the
// gaps, requests what it lacks, and in the end has every event.
func TestWhatAKilledBrokerLostIsRequested(t *testing.T) {
	const kills, each = 8, 150
	mosquitto := brokertest.StartMosquitto(t)
	tab := newTable(t, "tcp://"+mosquitto.Addr(), newJournal(0))
	tab.config.HealthEvery = 100 * time.Millisecond
	reader := keepLedger(t, mosquitto.Addr(), tab.name, true)
	tab.start()
	for life := range uint64(kills) {
		for n := range uint64(each) {
			tab.journal.add(1)
			if n == each/2 {
				brokertest.Until(t, "events flow", func() bool { return tab.publisher.Stats().Acknowledged > life*each })
				mosquitto.Kill()
				mosquitto.Start()
			}
			time.Sleep(time.Millisecond)
		}
		tab.waitFor((life + 1) * each)
	}
	lost := reader.missing(kills * each)
	brokertest.Until(t, "the reader has every event", func() bool { return reader.missing(kills*each) == 0 })
	t.Logf("after %d kills the reader lacked %d events of %d that were acknowledged", kills, lost, kills*each)
	if lost == 0 || tab.log.Count("the pit requests events again") == 0 {
		t.Error("nothing was lost, so that nothing is shown")
	}
}

// BenchmarkKilledBroker counts what mosquitto loses at a SIGKILL, for the table in
// pit/README.md: of the events that it acknowledged, those that a reader never got.
func BenchmarkKilledBroker(b *testing.B) {
	for name, settings := range map[string][]string{
		"persistence false":       {"persistence false"},
		"persistence true":        {"persistence true"},
		"autosave_interval 1":     {"persistence true", "autosave_interval 1"},
		"autosave_on_changes":     {"persistence true", "autosave_interval 1", "autosave_on_changes true"},
		"autosave_on_changes 100": {"persistence true", "autosave_interval 100", "autosave_on_changes true"},
	} {
		for _, away := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/reader away %v", name, away), func(b *testing.B) { killedBroker(b, settings, away) })
		}
	}
}

func killedBroker(b *testing.B, settings []string, away bool) {
	const kills, each = 8, 200
	lost, kept := 0, 0
	var took time.Duration
	for b.Loop() {
		all := append(slices.Clone(settings), "allow_anonymous true", "max_queued_messages 0", "max_inflight_messages 0", "persistence_location "+b.TempDir()+"/")
		mosquitto := brokertest.StartMosquitto(b, all...)
		tab := newTable(b, "tcp://"+mosquitto.Addr(), newJournal(0))
		reader := keepLedger(b, mosquitto.Addr(), tab.name, false)
		brokertest.Until(b, "the reader is there", func() bool { return reader.client.IsConnectionOpen() })
		time.Sleep(300 * time.Millisecond)
		brokertest.Publish(b, mosquitto.Addr(), "other/table", []byte("x"))
		mosquitto.Stop() // in order: the session of the reader is saved
		mosquitto.Start()
		brokertest.Until(b, "the reader is back", func() bool { return reader.client.IsConnectionOpen() })
		time.Sleep(300 * time.Millisecond)
		tab.start()
		for life := range uint64(kills) {
			if away {
				reader.client.Disconnect(100)
			}
			start := time.Now()
			for n := range uint64(each) {
				tab.journal.add(1)
				time.Sleep(5 * time.Millisecond)
				if n == each/2 {
					mosquitto.Kill()
					mosquitto.Start()
				}
			}
			tab.waitFor((life + 1) * each)
			took += time.Since(start)
			if away {
				reader.client.Connect().Wait()
			}
			time.Sleep(500 * time.Millisecond)
		}
		time.Sleep(time.Second)
		lost += reader.missing(kills * each)
		late := brokertest.Subscribe(b, mosquitto.Addr(), "other/table")
		time.Sleep(200 * time.Millisecond)
		kept += len(late.Messages())
	}
	b.ReportMetric(float64(lost)/float64(b.N)/kills, "lost/kill")
	b.ReportMetric(float64(kept)/float64(b.N), "retained")
	b.ReportMetric(0, "ns/op")
}
