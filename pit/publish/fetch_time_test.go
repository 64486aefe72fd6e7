package publish_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// cabinetID is the journal of a cabinet.
const cabinetID = "00112233445566778899aabbccddeeff"

// cabinet is a journal with records without an end, of which an answer has one; or one that
// cannot be read.
type cabinet struct{ broken error }

func (c cabinet) fetch(f topic.Fetch) (topic.Records, error) {
	hash := strings.Repeat("ab", 32)
	closing := fmt.Sprintf(`{"record":%d,"event":1,"at":1,"round":1,"hash":"%s"}`, f.After+1, hash)
	return topic.Records{
		Boot: 7, Journal: cabinetID, After: f.After, Head: topic.Head{ID: cabinetID, Record: f.After + 100, Hash: hash},
		Records: [][]json.RawMessage{{json.RawMessage(`{"in":"open"}`), json.RawMessage(closing)}},
	}, c.broken
}

// TestFetchesComeLast: readers that fetch without end are answered in turn, at a limited pace;
// and while a new event waits for its acknowledgement, nobody is.
func TestFetchesComeLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		acknowledging := true
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if strings.HasSuffix(p.TopicName, "/event") && !acknowledging {
				return ignore
			}
			return acknowledge
		})
		tab := newTable(t, "tcp://nowhere", newJournal(0))
		tab.config.Dial, tab.config.AckTimeout = fake.dial, time.Hour
		tab.config.Fetch = cabinet{}.fetch
		fetch := func(reader string, after uint64) []byte {
			return topic.AppendFetch(nil, topic.Fetch{Reader: reader, Journal: cabinetID, After: after})
		}
		fake.letters = map[topic.Kind][][]byte{topic.KindFetch: {
			[]byte("nonsense"), []byte(`{"reader":"#"}`), []byte(strings.Repeat(" ", 2000)),
			fetch("a", 7), fetch("a", 0), fetch("b", 0), fetch("c", 0),
		}}
		fake.reply = func(p *packets.PublishPacket) []byte {
			reader, ok := strings.CutPrefix(p.TopicName, tab.name.Records(""))
			if !ok {
				return nil
			}
			r, err := topic.ParseRecords(p.Payload)
			if err != nil {
				t.Error(err)
			}
			return fetch(reader, r.After+1)
		}
		tab.start()
		count := func(reader string) int { return len(fake.received(tab.name.Records(reader))) }
		all := func() int { return count("a") + count("b") + count("c") }
		bubble.Pass(10 * time.Second)
		for _, reader := range []string{"a", "b", "c"} {
			if n := count(reader); n < 60 || n > 70 {
				t.Errorf("the reader %s was answered %d times in ten seconds", reader, n)
			}
		}
		if n := all(); n > 201 || tab.log.Count("is not answered") != 1 {
			t.Errorf("%d answers in ten seconds; the log:\n%s", n, tab.log.String())
		}
		acknowledging = false
		tab.journal.add(1)
		bubble.Pass(time.Second)
		before := all()
		bubble.Pass(10 * time.Second)
		if n := all() - before; n > 0 || len(fake.received(tab.topic(topic.KindEvent))) != 1 {
			t.Errorf("%d answers while a new event waits", n)
		}
		if err := tab.stop(); err == nil {
			t.Error("an event that was not acknowledged counts as delivered")
		}
	})
}

// TestOneReaderIsNotHeldUp: a reader that is alone is answered as often as readers may be, and
// one that follows a table has its answer at once.
func TestOneReaderIsNotHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := newTable(t, "tcp://nowhere", newJournal(0))
		tab.config.Dial, tab.config.Fetch = fake.dial, cabinet{}.fetch
		fake.letters = map[topic.Kind][][]byte{topic.KindFetch: {[]byte(`{"reader":"pit"}`)}}
		began, answered := time.Now(), time.Time{}
		fake.reply = func(p *packets.PublishPacket) []byte {
			if p.TopicName != tab.name.Records("pit") {
				return nil
			}
			if answered.IsZero() {
				answered = time.Now()
			}
			return []byte(`{"reader":"pit"}`)
		}
		tab.start()
		bubble.Pass(10 * time.Second)
		if n := len(fake.received(tab.name.Records("pit"))); n < 95 || n > 101 {
			t.Errorf("%d answers in ten seconds", n)
		}
		if waited := answered.Sub(began); waited > 10*time.Millisecond {
			t.Errorf("the first answer came after %s", waited)
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestFetchesOfABrokenJournal: a journal that cannot be read is logged, and asked no more than
// readers ask.
func TestFetchesOfABrokenJournal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := newTable(t, "tcp://nowhere", newJournal(0))
		tab.config.Dial = fake.dial
		var read atomic.Int32
		tab.config.Fetch = func(f topic.Fetch) (topic.Records, error) {
			read.Add(1)
			return cabinet{errors.New("the disk does not read")}.fetch(f)
		}
		fake.letters = map[topic.Kind][][]byte{topic.KindFetch: {
			[]byte(`{"reader":"pit"}`),
			[]byte(`{"reader":"desk"}`),
		}}
		tab.start()
		bubble.Pass(10 * time.Second)
		if read.Load() != 3 || tab.log.Count("the disk does not read") != 1 {
			t.Errorf("the journal was read %d times; the log:\n%s", read.Load(), tab.log.String())
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}
