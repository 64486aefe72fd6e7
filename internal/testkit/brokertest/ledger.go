package brokertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
)

// ledgerPatience is how long a Ledger waits before it requests what it lacks.
const ledgerPatience = time.Second

// Ledger is a reader of one table as pit/README.md describes it: it keeps every event once,
// knows which it lacks, and requests them.
type Ledger struct {
	// Client is its connection, with a session that the broker is to keep.
	Client mqtt.Client

	t          testing.TB
	subscribed chan struct{} // it has subscribed, once more since somebody asked
	table      topic.Table
	asks       bool

	mu       sync.Mutex
	events   map[uint64]topic.Event
	highest  uint64
	promised uint64 // the last event that the broker has acknowledged, as health says
	since    time.Time
}

// KeepLedger connects a reader, until the test ends, and again whenever the broker comes back.
// One that does not ask only counts what it lacks.
func KeepLedger(t testing.TB, addr string, table topic.Table, asks bool) *Ledger {
	t.Helper()
	l := &Ledger{
		t: t, table: table, asks: asks,
		subscribed: make(chan struct{}, 1), events: map[uint64]topic.Event{},
	}
	filters := map[string]byte{table.Topic(topic.KindEvent): 1, table.Topic(topic.KindHealth): 1}
	options := mqtt.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("ledger").SetCleanSession(false).
		SetMaxReconnectInterval(200 * time.Millisecond).SetDefaultPublishHandler(l.take).
		SetOnConnectHandler(func(c mqtt.Client) {
			c.SubscribeMultiple(filters, l.take).Wait()
			select {
			case l.subscribed <- struct{}{}:
			default:
			}
		})
	l.Client = mqtt.NewClient(options)
	if token := l.Client.Connect(); !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatalf("the ledger cannot reach the broker at %s: %v", addr, token.Error())
	}
	t.Cleanup(func() { l.Client.Disconnect(100) })
	l.AwaitSubscription()
	return l
}

// AwaitSubscription waits until the reader has subscribed, as it does at each connection: until then the broker may
// have taken it back without what it wants to hear.
func (l *Ledger) AwaitSubscription() {
	l.t.Helper()
	select {
	case <-l.subscribed:
	case <-time.After(Deadline):
		l.t.Fatal("the ledger could not subscribe")
	}
}

// take takes a message, and requests what has been missing for a while.
func (l *Ledger) take(_ mqtt.Client, m mqtt.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if strings.HasSuffix(m.Topic(), "/health") {
		l.promise(m.Payload())
	} else {
		l.enter(m.Payload())
	}
	first, last := l.gap()
	switch {
	case first == 0:
		l.since = time.Time{}
	case l.since.IsZero():
		l.since = time.Now()
	case l.asks && time.Since(l.since) > ledgerPatience:
		l.since = time.Now()
		l.Client.Publish(l.table.Topic(topic.KindRequest), 1, false,
			fmt.Appendf(nil, `{"from":%d,"to":%d}`, first, last))
	}
}

func (l *Ledger) promise(payload []byte) {
	var health topic.Health
	if err := json.Unmarshal(payload, &health); err != nil {
		l.t.Errorf("the health %s: %v", payload, err)
	}
	l.promised = health.Journal.LastSequence - health.Journal.Unacknowledged
}

func (l *Ledger) enter(payload []byte) {
	var event topic.Event
	if err := json.Unmarshal(payload, &event); err != nil {
		l.t.Errorf("the event %s: %v", payload, err)
	}
	if was, has := l.events[event.Sequence]; has && was.ID != event.ID {
		l.t.Errorf("event %d is %s and %s", event.Sequence, was.ID, event.ID)
	}
	l.events[event.Sequence] = event
	l.highest = max(l.highest, event.Sequence)
}

// gap is the first range of events that should be there and are not; 0 for none.
func (l *Ledger) gap() (first, last uint64) {
	for n := uint64(1); n <= max(l.highest, l.promised); n++ {
		_, has := l.events[n]
		switch {
		case has && first != 0:
			return first, last
		case !has && first == 0:
			first, last = n, n
		case !has:
			last = n
		}
	}
	return first, last
}

// Missing counts the events that it lacks, up to a number.
func (l *Ledger) Missing(upTo uint64) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	missing := 0
	for n := uint64(1); n <= upTo; n++ {
		if _, has := l.events[n]; !has {
			missing++
		}
	}
	return missing
}

// Has reports whether it has an event. What the broker sent before it has come, or is lost.
func (l *Ledger) Has(number uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, has := l.events[number]
	return has
}

// Lines returns the outputs of the events up to a number, a line each; those that it lacks
// are left out.
func (l *Ledger) Lines(upTo uint64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines strings.Builder
	for n := uint64(1); n <= upTo; n++ {
		if event, has := l.events[n]; has {
			lines.Write(event.Data)
			lines.WriteByte('\n')
		}
	}
	return lines.String()
}
