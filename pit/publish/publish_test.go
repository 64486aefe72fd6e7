package publish_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// table is a publisher with all around it.
type table struct {
	t       testing.TB
	name    topic.Table
	journal *memoryJournal
	state   *memoryState
	log     brokertest.Log
	config  publish.Config
	head    func() *topic.Head

	publisher *publish.Publisher
	cancel    context.CancelFunc
	result    chan error
}

// newTable makes a table that does not run yet, for the broker at the URL.
func newTable(t testing.TB, broker string, journal *memoryJournal) *table {
	t.Helper()
	name, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	tab := &table{t: t, name: name, journal: journal, state: newState()}
	tab.head = func() *topic.Head { return headAt(40) }
	tab.config = publish.Config{
		Config: transport.Config{Broker: broker, BackoffMin: time.Millisecond, BackoffMax: 20 * time.Millisecond},
		Table:  name, Boot: 7, Version: "1.2.3", Log: tab.log.Logger(),
		ProbeAfter: 5 * time.Millisecond, RetryAfter: 50 * time.Millisecond,
	}
	return tab
}

// headAt is the head of the tables' journal with so many records.
func headAt(record uint64) *topic.Head {
	return &topic.Head{ID: strings.Repeat("ab", 16), Record: record, Hash: strings.Repeat("cd", 32)}
}

// start runs the publisher. It ends with the test at the latest.
func (tab *table) start() *table {
	tab.t.Helper()
	condition := func() publish.Condition {
		return publish.Condition{
			Shoe: topic.Shoe{Up: true, Counters: map[string]uint64{"cards": 312}},
			Head: tab.head(), Away: 30, AwayBefore: 20, Reasons: []string{"undervoltage"},
		}
	}
	publisher, err := publish.New(tab.config, tab.journal, tab.state, condition)
	if err != nil {
		tab.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	tab.publisher, tab.cancel, tab.result = publisher, cancel, make(chan error, 1)
	result := tab.result
	go func() { result <- publisher.Run(ctx) }()
	tab.t.Cleanup(func() {
		cancel()
		select {
		case <-result:
		case <-time.After(brokertest.Deadline):
			tab.t.Error("the publisher did not end")
		}
		if tab.t.Failed() {
			tab.t.Logf("the publisher logged:\n%s", tab.log.String())
		}
	})
	return tab
}

// stop asks for the end, waits for it and returns what Run returned.
func (tab *table) stop() error {
	tab.t.Helper()
	tab.cancel()
	select {
	case err := <-tab.result:
		tab.result <- err // for the clean-up
		return err
	case <-time.After(brokertest.Deadline):
		tab.t.Fatal("the publisher did not end")
	}
	return nil
}

// waitFor waits until the broker has acknowledged the event.
func (tab *table) waitFor(event uint64) {
	tab.t.Helper()
	brokertest.Until(tab.t, "all events are acknowledged", func() bool {
		return tab.publisher.Stats().Acknowledged == event
	})
}

func (tab *table) topic(kind topic.Kind) string { return tab.name.Topic(kind) }

// sequences reads the events that a subscriber got.
func sequences(t testing.TB, messages []brokertest.Message) []uint64 {
	t.Helper()
	var numbers []uint64
	for _, m := range messages {
		if !strings.HasSuffix(m.Topic, "/event") {
			continue
		}
		event := brokertest.Decode[topic.Event](t, m.Payload)
		if m.Retained {
			t.Errorf("event %d is retained", event.Sequence)
		}
		numbers = append(numbers, event.Sequence)
	}
	return numbers
}

// requireAll checks that events came in order from first to last, none skipped, with
// copies of earlier ones in between at most.
func requireAll(t testing.TB, numbers []uint64, first, last uint64) {
	t.Helper()
	next := first
	for i, n := range numbers {
		if n > next {
			t.Fatalf("event %d came as number %d, where %d was next", n, i, next)
		}
		if n == next {
			next++
		}
	}
	if next != last+1 {
		t.Fatalf("events up to %d came, of %d", next-1, last)
	}
}

// embedded runs the bench's broker and returns its address. With the race detector it is mosquitto: mochi 2.7.9 has a
// race of its own, where somebody subscribes while a retained message comes (topics.go, RetainMessage and
// scanMessages).
func embedded(t testing.TB) string {
	t.Helper()
	if figure.RaceDetector {
		return brokertest.StartMosquitto(t).Addr()
	}
	return embeddedAt(t, "127.0.0.1:0")
}

func embeddedAt(t testing.TB, addr string) string {
	t.Helper()
	b, err := broker.Listen(addr, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b.Addr()
}

// onBothBrokers runs a test against the embedded broker and, in make soak, against mosquitto, which
// TestTheReadmesBroker has in make test, too.
func onBothBrokers(t *testing.T, test func(t *testing.T, addr string)) {
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t)) })
	t.Run("mosquitto", func(t *testing.T) {
		tier.Soak(t, "a mosquitto")
		test(t, brokertest.StartMosquitto(t).Addr())
	})
}

func TestEventsArriveInOrder(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		subscriber := brokertest.Subscribe(t, addr, "sabot/v1/+/+/event")
		tab := newTable(t, "tcp://"+addr, newJournal(500)).start()
		for range 50 {
			tab.journal.add(10)
		}
		tab.waitFor(1000)
		brokertest.Until(t, "all events are there", func() bool { return len(subscriber.Messages()) == 1000 })
		for i, m := range subscriber.Messages() {
			if m.Topic != tab.topic(topic.KindEvent) {
				t.Fatalf("topic %s", m.Topic)
			}
			event := brokertest.Decode[topic.Event](t, m.Payload)
			if event.Sequence != uint64(i+1) || event.Type != "settled" || event.Boot != 7 ||
				event.Round != uint64(i+1)/10 {
				t.Fatalf("message %d is %s", i, m.Payload)
			}
		}
		if stats := tab.publisher.Stats(); !stats.Connected || stats.Lag != 0 || stats.Reconnects != 0 ||
			stats.LastError != "" {
			t.Errorf("stats %+v", stats)
		}
	})
}

func TestRetainedMessagesForAReaderThatComesLate(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		tab := newTable(t, "tcp://"+addr, newJournal(12))
		tab.config.HealthEvery = 20 * time.Millisecond
		if err := tab.journal.SetCursor(publish.CursorName, 3); err != nil {
			t.Fatal(err)
		}
		tab.start()
		tab.state.set(5)
		tab.waitFor(12)
		tab.state.set(12)
		// The state came after the events, and is acknowledged before the next one.
		tab.journal.add(1)
		tab.waitFor(13)
		retained := func(kind topic.Kind) []byte {
			subscriber := brokertest.Subscribe(t, addr, tab.topic(kind))
			var payload []byte
			brokertest.Until(t, "there is a retained "+string(kind), func() bool {
				for _, m := range subscriber.Messages() {
					if m.Retained {
						payload = m.Payload
					}
				}
				return payload != nil
			})
			return payload
		}
		status := brokertest.Decode[topic.Status](t, retained(topic.KindStatus))
		if !status.Online || status.Reason != topic.ReasonConnected || status.Boot != 7 || status.Connection != 1 ||
			status.Version != "1.2.3" {
			t.Errorf("status %+v", status)
		}
		brokertest.Until(t, "the newest state is retained", func() bool {
			return brokertest.Decode[topic.State](t, retained(topic.KindState)).Sequence == 12
		})
		brokertest.Until(t, "the health is up to date", func() bool {
			health := brokertest.Decode[topic.Health](t, retained(topic.KindHealth))
			return health.Journal.LastSequence == 13 && health.Journal.Unacknowledged == 0 &&
				health.Journal.LastEvent != nil &&
				health.Journal.Head != nil && health.Journal.Head.Record == 40 &&
				health.Journal.Away == 30 && *health.Journal.Began == (topic.Began{Acknowledged: 3, Away: 20}) &&
				slices.Equal(health.Reasons, []string{"undervoltage"}) &&
				health.Shoe.Up && health.Shoe.Counters["cards"] == 312 && health.MemoryBytes > 0 &&
				health.Goroutines > 0
		})
		events := brokertest.Subscribe(t, addr, tab.topic(topic.KindEvent))
		tab.journal.add(1)
		brokertest.Until(t, "the next event is there", func() bool { return len(events.Messages()) > 0 })
		requireAll(t, sequences(t, events.Messages()), 14, 14)
	})
}

// TestBrokerKilledInMidStream kills mosquitto again and again while events flow. The
// gate keeps the publisher out until the subscriber is back.
func TestBrokerKilledInMidStream(t *testing.T) {
	tier.Soak(t, "a mosquitto that is killed")
	const events, kills = 3000, 3
	mosquitto := brokertest.StartMosquitto(t)
	gate := brokertest.NewGate(t, mosquitto.Addr())
	subscriber := brokertest.Subscribe(t, mosquitto.Addr(), "sabot/v1/+/+/event")
	tab := newTable(t, "tcp://"+gate.Addr(), newJournal(0)).start()
	var numbers []uint64
	for life := range uint64(kills + 1) {
		tab.journal.add(events / (kills + 1))
		if life == kills {
			break
		}
		enough := life*events/(kills+1) + 100
		brokertest.Until(t, "events flow", func() bool { return tab.publisher.Stats().Acknowledged > enough })
		mosquitto.Kill()
		gate.Shut()
		subscriber.Wait()
		numbers = append(numbers, sequences(t, subscriber.Messages())...)
		mosquitto.Start()
		subscriber = brokertest.Subscribe(t, mosquitto.Addr(), "sabot/v1/+/+/event")
		gate.Open()
	}
	tab.waitFor(events)
	brokertest.Until(t, "the last event is there", func() bool {
		got := sequences(t, subscriber.Messages())
		return len(got) > 0 && got[len(got)-1] == events
	})
	requireAll(t, append(numbers, sequences(t, subscriber.Messages())...), 1, events)
	if stats := tab.publisher.Stats(); stats.Reconnects < kills || stats.LastError == "" {
		t.Errorf("stats %+v", stats)
	}
	if tab.log.Count("is back") < kills {
		t.Errorf("the log does not say that the connection is back:\n%s", tab.log.String())
	}
}

func TestLastWill(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		gate := brokertest.NewGate(t, addr)
		tab := newTable(t, "tcp://"+gate.Addr(), newJournal(1)).start()
		tab.waitFor(1)
		subscriber := brokertest.Subscribe(t, addr, tab.topic(topic.KindStatus))
		latest := func() topic.Status {
			messages := subscriber.Messages()
			if len(messages) == 0 {
				return topic.Status{}
			}
			return brokertest.Decode[topic.Status](t, messages[len(messages)-1].Payload)
		}
		brokertest.Until(t, "the table is online", func() bool { return latest().Online })
		before := latest()
		gate.Shut()
		brokertest.Until(t, "the last will is there", func() bool { return latest().Reason == topic.ReasonLost })
		if will := latest(); will.Online || will.Boot != 7 || will.Connection != before.Connection ||
			!will.Time.Equal(before.Time) {
			t.Errorf("after %+v the last will is %+v", before, will)
		}
		gate.Open()
		brokertest.Until(t, "the table is online again", func() bool { return latest().Online })
		if after := latest(); after.Connection <= before.Connection {
			t.Errorf("after %+v came %+v", before, after)
		}
	})
}

// TestALateLastWillDoesNotStand overwrites the status, as the will of a connection
// does that the broker takes for dead only now.
func TestALateLastWillDoesNotStand(t *testing.T) {
	addr := embedded(t)
	tab := newTable(t, "tcp://"+addr, newJournal(1))
	tab.config.HealthEvery = 20 * time.Millisecond
	tab.start().waitFor(1)
	subscriber := brokertest.Subscribe(t, addr, tab.topic(topic.KindStatus))
	brokertest.Publish(t, addr, tab.topic(topic.KindStatus), []byte(`{"online":false}`))
	brokertest.Until(t, "the table is online again", func() bool {
		late := false
		for _, m := range subscriber.Messages() {
			if late && strings.Contains(string(m.Payload), `"online":true`) {
				return true
			}
			late = late || string(m.Payload) == `{"online":false}`
		}
		return false
	})
}

func TestShutDown(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		subscriber := brokertest.Subscribe(t, addr, "#")
		tab := newTable(t, "tcp://"+addr, newJournal(1))
		tab.config.FlushTimeout = brokertest.Deadline
		tab.start().waitFor(1)
		tab.journal.add(2000)
		tab.state.set(2001)
		if err := tab.stop(); err != nil {
			t.Fatal(err)
		}
		if cursor, _ := tab.journal.Cursor(""); cursor != 2001 {
			t.Errorf("the cursor stands at %d", cursor)
		}
		brokertest.Until(t, "the goodbye is there", func() bool {
			messages := subscriber.Messages()
			if len(messages) == 0 {
				return false
			}
			last := messages[len(messages)-1]
			return last.Topic == tab.topic(topic.KindStatus) &&
				brokertest.Decode[topic.Status](t, last.Payload).Reason == topic.ReasonShutDown
		})
		requireAll(t, sequences(t, subscriber.Messages()), 1, 2001)
		var state topic.State
		for _, m := range subscriber.Messages() {
			if strings.Contains(string(m.Payload), topic.ReasonLost) {
				t.Errorf("the last will was sent: %s", m.Payload)
			}
			if m.Topic == tab.topic(topic.KindState) {
				state = brokertest.Decode[topic.State](t, m.Payload)
			}
		}
		if state.Sequence != 2001 {
			t.Errorf("the last state is %+v", state)
		}
	})
}

func TestRestartFromTheCursor(t *testing.T) {
	addr := embedded(t)
	subscriber := brokertest.Subscribe(t, addr, "sabot/v1/+/+/event")
	journal := newJournal(150)
	first := newTable(t, "tcp://"+addr, journal).start()
	first.waitFor(150)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	journal.add(150)
	newTable(t, "tcp://"+addr, journal).start().waitFor(300)
	brokertest.Until(t, "all events are there", func() bool { return len(subscriber.Messages()) >= 300 })
	for i, n := range sequences(t, subscriber.Messages()) {
		if n != uint64(i+1) {
			t.Fatalf("event %d came as number %d: the second publisher did not begin at the cursor", n, i+1)
		}
	}
}

func TestABrokerThatNeverAcknowledges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return ignore })
		tab := fake.table(t, newJournal(200))
		tab.config.AckTimeout, tab.config.FlushTimeout = 30*time.Millisecond, 50*time.Millisecond
		tab.start()
		brokertest.Until(t, "the publisher has tried a few times", func() bool { return len(fake.welcomed()) >= 4 })
		if stats := tab.publisher.Stats(); stats.Acknowledged != 0 || stats.Lag != 200 ||
			!strings.Contains(stats.LastError, "acknowledged none of") {
			t.Errorf("stats %+v", stats)
		}
		if tab.log.Count("level=WARN") != 1 || tab.log.Count("acknowledged none of") != 1 {
			t.Errorf("the log does not say it once:\n%s", tab.log.String())
		}
		if err := tab.stop(); err == nil || !strings.Contains(err.Error(), "200 events") {
			t.Errorf("the end is %v", err)
		}
		if cursor, _ := tab.journal.Cursor(""); cursor != 0 {
			t.Errorf("the cursor moved to %d", cursor)
		}
		if fake.goodbyes() != 0 {
			t.Error("the publisher said goodbye to a broker that it gave up: the last will is not sent")
		}
	})
}

// TestTheWindow counts what is under way with a broker that is slow to acknowledge.
func TestTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if strings.HasSuffix(p.TopicName, "/event") {
				return ignore
			}
			return acknowledge
		})
		tab := fake.table(t, newJournal(200))
		tab.config.Window, tab.config.HealthEvery = 8, 10*time.Millisecond
		tab.config.FlushTimeout = time.Millisecond
		tab.start()
		brokertest.Until(t, "the window is full, and health goes on", func() bool {
			return len(fake.received(tab.topic(topic.KindEvent))) == 8 &&
				len(fake.received(tab.topic(topic.KindHealth))) > 0
		})
		if err := tab.stop(); err == nil || !strings.Contains(err.Error(), "200 events") {
			t.Errorf("the end is %v", err)
		}
		if got := len(fake.received(tab.topic(topic.KindEvent))); got != 8 {
			t.Errorf("%d events were under way", got)
		}
	})
}

// TestABrokerThatIsOneBehind always owes the acknowledgement of one event, but never for long: it is not given up.
func TestABrokerThatIsOneBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if strings.HasSuffix(p.TopicName, "/event") {
				return oneBehind
			}
			return acknowledge
		})
		tab := fake.table(t, newJournal(1))
		tab.config.HealthEvery, tab.config.AckTimeout, tab.config.FlushTimeout = time.Hour, 50*time.Millisecond,
			time.Millisecond
		tab.start()
		for range 10 {
			bubble.Pass(20 * time.Millisecond)
			tab.journal.add(1)
		}
		if n := len(fake.welcomed()); n != 1 || tab.publisher.Stats().Acknowledged < 9 {
			t.Errorf("after %d connections %d events are acknowledged", n, tab.publisher.Stats().Acknowledged)
		}
	})
}

// TestOnlyTheNewestStateIsSent holds back the acknowledgement of the first state, and of
// the alerts that follow it.
func TestOnlyTheNewestStateIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if !strings.HasSuffix(p.TopicName, "/state") && !strings.Contains(p.TopicName, "/alert/") {
				return acknowledge
			}
			select {
			case <-release:
				return acknowledge
			default:
				return defer_
			}
		})
		tab := fake.table(t, newJournal(0))
		tab.state.set(1)
		tab.start()
		brokertest.Until(t, "the first state is there", func() bool {
			return len(fake.received(tab.topic(topic.KindState))) == 1
		})
		for n := uint64(2); n <= 100; n++ {
			tab.state.set(n)
		}
		close(release)
		tab.journal.add(1) // its acknowledgement brings the deferred one
		brokertest.Until(t, "the second state is there", func() bool {
			return len(fake.received(tab.topic(topic.KindState))) == 2
		})
		second := brokertest.Decode[topic.State](t, fake.received(tab.topic(topic.KindState))[1].Payload)
		if second.Sequence != 100 {
			t.Errorf("the second state has sequence %d", second.Sequence)
		}
		tab.waitFor(1)
	})
}

func TestAnUnreadableEventLeavesNoGap(t *testing.T) {
	addr := embedded(t)
	subscriber := brokertest.Subscribe(t, addr, "sabot/v1/+/+/event")
	journal := newJournal(2)
	journal.put(topic.Record{Number: 3, Boot: 7, Line: []byte("rubbish")})
	journal.add(2)
	tab := newTable(t, "tcp://"+addr, journal).start()
	tab.waitFor(5)
	brokertest.Until(t, "all events are there", func() bool { return len(subscriber.Messages()) == 5 })
	requireAll(t, sequences(t, subscriber.Messages()), 1, 5)
	third := brokertest.Decode[topic.Event](t, subscriber.Messages()[2].Payload)
	if third.Type != topic.TypeUnreadable {
		t.Errorf("the third event is %+v", third)
	}
	if tab.log.Count("goes to the pit as unreadable") != 1 {
		t.Errorf("the log does not say so:\n%s", tab.log.String())
	}
}

func TestAJournalThatFailsForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newJournal(10)
		journal.breakWith(errors.New("disk on fire"))
		tab := inBubble(accept).table(t, journal).start()
		brokertest.Until(t, "the log says so", func() bool { return tab.log.Count("disk on fire") == 1 })
		if stats := tab.publisher.Stats(); !stats.Connected || !strings.Contains(stats.LastError, "disk on fire") {
			t.Errorf("stats %+v", stats)
		}
		journal.breakWith(nil)
		tab.waitFor(10)
	})
}

func TestAGapInTheJournalIsNotPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		journal := newJournal(2)
		journal.put(topic.Record{Number: 4, Boot: 7, Line: []byte(`{"out":"closed-bets"}`)})
		tab := fake.table(t, journal)
		tab.config.FlushTimeout = time.Millisecond
		tab.start()
		brokertest.Until(t, "the log says so", func() bool { return tab.log.Count("event 4 after event 2") == 1 })
		if err := tab.stop(); err == nil || !strings.Contains(err.Error(), "has not acknowledged 2 events") {
			t.Errorf("the end is %v", err)
		}
		if got := len(fake.received(tab.topic(topic.KindEvent))); got != 2 {
			t.Errorf("%d events were sent", got)
		}
	})
}

// TestNumbersLeftOut: where a journal says that a lost one had given the numbers before,
// the publisher goes on above them, and says so.
func TestNumbersLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		journal := newJournal(2)
		journal.put(topic.Record{Number: 9, Boot: 7, Line: []byte(`{"out":"closed-bets"}`), Above: true})
		tab := fake.table(t, journal).start()
		sent := func() int { return len(fake.received(tab.topic(topic.KindEvent))) }
		brokertest.Until(t, "all events are sent", func() bool { return sent() == 3 })
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
		if got := sent(); got != 3 || tab.log.Count("after=2 next=9") != 1 {
			t.Errorf("%d events were sent", got)
		}
	})
}

func TestACursorBeyondTheJournal(t *testing.T) {
	journal := newJournal(3)
	journal.cursor = 9
	tab := newTable(t, "tcp://127.0.0.1:1", journal).start()
	err := <-tab.result
	tab.result <- err
	if err == nil || !strings.Contains(err.Error(), "is at event 9, but the journal ends with 3") {
		t.Errorf("the end is %v", err)
	}
}
