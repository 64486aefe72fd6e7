package publish_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// fetchOf is a journal with a record for each event, of which an answer has at most ten.
func fetchOf(j *memoryJournal) func(topic.Fetch) (topic.Records, error) {
	return func(f topic.Fetch) (topic.Records, error) {
		j.mu.Lock()
		defer j.mu.Unlock()
		head := headAt(uint64(len(j.records)))
		r := topic.Records{Boot: 7, Journal: head.ID, After: f.After, Head: *head}
		for n := f.After + 1; n <= head.Record && n <= f.After+10; n++ {
			r.Records = append(r.Records, []json.RawMessage{
				json.RawMessage(`{"in":"open"}`),
				fmt.Appendf(nil, `{"record":%d,"event":%d,"at":1,"round":1,"hash":"%s"}`, n, n, head.Hash),
			})
		}
		return r, nil
	}
}

// TestRecordsAreSaid: the records of a journal come by themselves, from the connection on, each once and in order; many
// in one message where the broker is slow. Over the next connection they begin anew, after what is there then.
func TestRecordsAreSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := false
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if slow && strings.HasSuffix(p.TopicName, topic.Stream) {
				bubble.Pass(100 * time.Millisecond)
			}
			return acknowledge
		})
		tab := fake.table(t, newJournal(5))
		tab.head = func() *topic.Head { return headAt(uint64(len(tab.journal.records))) }
		tab.config.Fetch = fetchOf(tab.journal)
		tab.start()
		next, messages := uint64(5), 0
		said := func(what string, want uint64, in int) {
			t.Helper()
			bubble.Pass(2 * time.Second)
			all := fake.received(tab.name.Records(topic.Stream))
			for _, p := range all[messages:] {
				r, err := topic.ParseRecords(p.Payload)
				if err != nil || r.After != next || p.Retain || p.Qos != 1 {
					t.Errorf("%s: a message after %d begins after %d: %v", what, next, r.After, err)
				}
				next = r.Last()
			}
			if next != want || in > 0 && len(all)-messages != in {
				t.Errorf("%s: %d messages up to record %d, not %d up to %d", what, len(all)-messages, next, in, want)
			}
			messages = len(all)
		}
		said("at the start", 5, 0)
		tab.journal.add(1)
		said("a record", 6, 1)
		tab.journal.add(25)
		said("a burst", 31, 3)
		slow = true
		for range 20 {
			tab.journal.add(1)
			bubble.Pass(10 * time.Millisecond)
		}
		said("a slow broker", 51, 0)
		if messages > 10 {
			t.Errorf("for a slow broker there are %d messages", messages)
		}
		slow = false
		fake.hangUpOnAll()
		tab.journal.add(3)
		bubble.Pass(time.Second)
		next = 54
		messages = len(fake.received(tab.name.Records(topic.Stream)))
		tab.journal.add(1)
		said("after another connection", 55, 1)
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}
