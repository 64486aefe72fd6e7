package publish_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestRequestsComeLast: what the pit requests is sent slowly, a new event does not wait for
// it, and the cursor does not move for it.
func TestRequestsComeLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const events = 5000
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := newTable(t, "tcp://nowhere", newJournal(events))
		tab.journal.cursor = events
		tab.journal.noted = func(cursor uint64) {
			if cursor < events {
				t.Errorf("the cursor was moved to %d", cursor)
			}
		}
		tab.config.Dial = fake.dial
		fake.letters = map[topic.Kind][][]byte{topic.KindRequest: {[]byte(`{"from":1}`)}}
		tab.start()
		sent := func() []uint64 { return numbersOf(t, fake.received(tab.topic(topic.KindEvent))) }
		bubble.Pass(10 * time.Second)
		if n := len(sent()); n < 1900 || n > 2020 {
			t.Errorf("%d events were sent again in ten seconds", n)
		}
		tab.journal.add(3)
		bubble.Pass(time.Millisecond)
		if last := sent(); last[len(last)-1] != events+3 {
			t.Error("new events wait for those that were requested")
		}
		bubble.Pass(20 * time.Second)
		requireAll(t, append(sent()[:0:0], without(sent(), events)...), 1, events)
		if n := len(sent()); n != events+3 || tab.log.Count("sent again") != 1 ||
			tab.publisher.Stats().Acknowledged != events+3 {
			t.Errorf("%d events were sent, up to %d", n, tab.publisher.Stats().Acknowledged)
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// without leaves out numbers above the most.
func without(numbers []uint64, most uint64) (kept []uint64) {
	for _, n := range numbers {
		if n <= most {
			kept = append(kept, n)
		}
	}
	return kept
}

// TestARequestForWhatIsLost: events that the journal does not have are not waited for, and the next request is served.
func TestARequestForWhatIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		fake.letters = map[topic.Kind][][]byte{topic.KindRequest: {
			[]byte(`{"from":3,"to":8}`),
			[]byte(`{"from":1,"to":1}`),
		}}
		journal := newJournal(2)
		journal.put(topic.Record{Number: 9, Boot: 7, Line: []byte(`{"out":"closed-bets"}`), Above: true})
		journal.cursor = 9
		tab := fake.table(t, journal).start()
		bubble.Pass(10 * time.Second)
		if got := numbersOf(t, fake.received(tab.topic(topic.KindEvent))); !slices.Equal(got, []uint64{1}) {
			t.Errorf("%v were sent again", got)
		}
		if tab.log.Count("the journal does not have them") != 1 {
			t.Errorf("the log does not say it once:\n%s", tab.log.String())
		}
	})
}
