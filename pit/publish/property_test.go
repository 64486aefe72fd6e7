package publish_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestNothingIsSkippedWhateverTheBrokerDoes lets a broker acknowledge, keep silent,
// acknowledge late and out of order, and hang up as it likes. Whatever it does, it is
// sent every event in order, copies apart; the cursor never stands beyond what the
// broker has acknowledged; and in the end it stands at the last event.
func TestNothingIsSkippedWhateverTheBrokerDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before := rapid.IntRange(0, 40).Draw(rt, "events before")
		during := rapid.SliceOfN(rapid.IntRange(1, 20), 0, 4).Draw(rt, "events during")
		window := rapid.IntRange(1, 16).Draw(rt, "window")
		script := rapid.SliceOfN(rapid.IntRange(0, int(verdicts)-1), 0, 30).Draw(rt, "script")
		synctest.Test(t, func(t *testing.T) { nothingIsSkipped(t, before, during, window, script) })
		if t.Failed() {
			rt.FailNow()
		}
	})
}

func nothingIsSkipped(t *testing.T, before int, during []int, window int, script []int) {
	var mu sync.Mutex
	acknowledged := map[uint64]bool{} // at once, or perhaps later
	step := 0
	fake := inBubble(func(p *packets.PublishPacket) verdict {
		if !strings.HasSuffix(p.TopicName, "/event") {
			return acknowledge
		}
		event := brokertest.Decode[topic.Event](t, p.Payload)
		step++
		decision := acknowledge
		if step <= len(script) {
			decision = verdict(script[step-1])
		}
		mu.Lock()
		defer mu.Unlock()
		if decision != ignore && decision != cut {
			acknowledged[event.Sequence] = true
		}
		return decision
	})
	fake.granted = 1 // it answers subscriptions
	journal := newJournal(before)
	journal.noted = func(event uint64) {
		mu.Lock()
		defer mu.Unlock()
		for n := uint64(1); n <= event; n++ {
			if !acknowledged[n] {
				t.Errorf("the cursor stands at %d, but the broker never acknowledged %d", event, n)
			}
		}
	}
	tab := fake.table(t, journal)
	tab.config.AckTimeout = 50 * time.Millisecond
	tab.config.Window = window
	tab.start()
	last := uint64(before)
	for _, n := range during {
		journal.add(n)
		last += uint64(n)
	}
	tab.waitFor(last)
	// The broker may have hung up just before the goodbye, or just after the last event,
	// which then is sent again by the next publisher.
	err := tab.stop()
	_, again := errors.AsType[*publish.UnacknowledgedError](err)
	if err != nil && !again && !strings.Contains(err.Error(), "has all events, but the goodbye failed") {
		t.Fatal(err)
	}
	requireAll(t, numbersOf(t, fake.received(tab.topic(topic.KindEvent))), 1, last)
	if cursor, _ := journal.Cursor(""); cursor != last && !(again && cursor == last-1) {
		t.Fatalf("the cursor stands at %d of %d", cursor, last)
	}
}

// numbersOf reads the events that the fake broker got.
func numbersOf(t *testing.T, messages []*packets.PublishPacket) []uint64 {
	t.Helper()
	var numbers []uint64
	for _, message := range messages {
		numbers = append(numbers, brokertest.Decode[topic.Event](t, message.Payload).Sequence)
	}
	return numbers
}

// BenchmarkEvents sends events through the publisher and the embedded broker to a
// subscriber.
func BenchmarkEvents(b *testing.B) {
	addr := embedded(b)
	subscriber := brokertest.Subscribe(b, addr, "sabot/v1/+/+/event")
	journal := newJournal(b.N)
	tab := newTable(b, "tcp://"+addr, journal)
	b.ResetTimer()
	tab.start()
	brokertest.UntilEvery(b, 100*time.Microsecond, "all events are there", func() bool {
		return len(subscriber.Messages()) == b.N
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
