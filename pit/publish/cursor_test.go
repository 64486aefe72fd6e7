package publish_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/topic"
)

// killed is a journal as a killed daemon leaves it: what it notes any more is lost.
func (j *memoryJournal) killed() *memoryJournal {
	j.mu.Lock()
	defer j.mu.Unlock()
	return &memoryJournal{changed: make(chan struct{}), records: j.records, cursor: j.durable, durable: j.durable}
}

// lives are daemons, one after the other on one journal, and the broker that hears them.
type lives struct {
	t       *testing.T
	journal *memoryJournal
	window  int
	// judge decides about an event, by how many there were in this life.
	judge func(got int) verdict

	events   uint64 // in the journal
	furthest uint64 // the last event that the broker got
	repeated int
}

// one runs a daemon until the broker has got so many events, or all. It is killed with
// the last of them: nothing after that arrives, or stays in the journal.
func (l *lives) one(until int) {
	var left *memoryJournal
	got, dead := 0, make(chan struct{})
	fake := inBubble(func(p *packets.PublishPacket) verdict {
		switch {
		case left != nil:
			return cut
		case !strings.HasSuffix(p.TopicName, "/event"):
			return acknowledge
		}
		n := brokertest.Decode[topic.Event](l.t, p.Payload).Sequence
		if kept := l.journal.kept(); n >= kept+2*uint64(l.window) {
			l.t.Errorf("event %d was sent with the cursor at %d and a window of %d", n, kept, l.window)
		}
		if n <= l.furthest {
			l.repeated++
		}
		l.furthest = max(l.furthest, n)
		if got++; got < until && n < l.events {
			return l.judge(got)
		}
		left = l.journal.killed()
		close(dead)
		return cut
	})
	tab := fake.table(l.t, l.journal)
	tab.config.Window, tab.config.AckTimeout = l.window, 20*time.Millisecond
	tab.config.FlushTimeout = time.Nanosecond
	tab.start()
	<-dead
	if err := tab.stop(); err == nil {
		l.t.Error("a publisher whose last message was cut off says that all is well")
	}
	fake.stop()
	l.journal = left
}

// TestWhatIsRepeatedIsBounded kills daemons at any point, while the broker acknowledges
// when it likes: each begins less than a window before the oldest message that was under
// way, so that less than two windows are sent again.
func TestWhatIsRepeatedIsBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		waiting := rapid.IntRange(1, 100).Draw(rt, "events")
		late := rapid.SliceOfN(rapid.Bool(), 1, 10).Draw(rt, "acknowledged late")
		window := rapid.IntRange(1, 16).Draw(rt, "window")
		kills := rapid.SliceOfN(rapid.IntRange(1, 40), 1, 3).Draw(rt, "events until each kill")
		synctest.Test(t, func(t *testing.T) {
			l := &lives{t: t, journal: newJournal(waiting), events: uint64(waiting), window: window}
			l.judge = func(got int) verdict {
				if late[got%len(late)] {
					return defer_
				}
				return acknowledge
			}
			for _, until := range kills {
				l.one(until)
			}
		})
		if t.Failed() {
			rt.FailNow()
		}
	})
}

// TestQuickRestarts counts what comes again where a daemon with much to catch up is
// killed after every few windows.
func TestQuickRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const waiting, window, each = 5456, 64, 200
		l := &lives{t: t, journal: newJournal(waiting), events: waiting, window: window}
		l.judge = func(int) verdict { return acknowledge }
		restarts := 0
		for ; l.furthest < waiting; restarts++ {
			l.one(each)
		}
		if most := restarts * (2*window - 1); l.repeated > most {
			t.Errorf("%d of %d events came again over %d restarts, where %d may", l.repeated, waiting, restarts, most)
		}
		t.Logf("%d of %d events came again over %d restarts", l.repeated, waiting, restarts)
	})
}

// TestTheEndKeepsTheCursor: who is ended in order leaves nothing to be sent again, although
// no window is full; who loses the broker, the last event at the most.
func TestTheEndKeepsTheCursor(t *testing.T) {
	gate := brokertest.NewGate(t, embedded(t))
	tab := newTable(t, "tcp://"+gate.Addr(), newJournal(3)).start()
	tab.waitFor(3)
	gate.Shut()
	brokertest.Until(t, "the cursor is kept when the connection ends", func() bool { return tab.journal.kept() >= 2 })
	gate.Open()
	tab.journal.add(2)
	tab.waitFor(5)
	if err := tab.stop(); err != nil {
		t.Fatal(err)
	}
	if kept := tab.journal.kept(); kept != 5 {
		t.Errorf("at the end the cursor is kept at %d, not 5", kept)
	}
}

// TestADiskThatHangs keeps neither events nor trouble from the pit.
func TestADiskThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		journal := newJournal(10)
		hangs := make(chan struct{})
		var free sync.Once
		release := func() { free.Do(func() { close(hangs) }) }
		t.Cleanup(release)
		journal.flushing = func() { <-hangs }
		tab := fake.table(t, journal)
		tab.config.Window, tab.config.HealthEvery = 4, time.Hour
		tab.start().waitFor(10)
		tab.state.fail(&topic.Trouble{Code: topic.TroubleSlow, Text: "it hangs"})
		brokertest.Until(t, "the pit hears of it", func() bool {
			all := fake.received(tab.topic(topic.KindStatus))
			return len(all) > 0 && brokertest.Decode[topic.Status](t,
				all[len(all)-1].Payload).Trouble == topic.TroubleSlow
		})
		if kept := journal.kept(); kept != 0 {
			t.Errorf("the cursor is kept at %d by a disk that hangs", kept)
		}
		release()
		journal.add(4)
		tab.waitFor(14)
		if err := tab.stop(); err != nil || journal.kept() != 14 {
			t.Errorf("the cursor is kept at %d at the end: %v", journal.kept(), err)
		}
	})
}

// TestTheCursorIsNotedNowAndThen: while the connection lasts and no window is full, the journal is told how far the
// broker is, which costs no write to the disk; the end makes it durable.
func TestTheCursorIsNotedNowAndThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab := inBubble(accept).table(t, newJournal(3)).start()
		bubble.Pass(2 * time.Second)
		noted, err := tab.journal.Cursor("")
		if kept := tab.journal.kept(); err != nil || noted != 3 || kept != 0 {
			t.Errorf("after two seconds the cursor is noted at %d, not 3, and kept at %d: %v", noted, kept, err)
		}
		if err := tab.stop(); err != nil || tab.journal.kept() != 3 {
			t.Errorf("at the end the cursor is kept at %d, not 3: %v", tab.journal.kept(), err)
		}
	})
}
