package publish_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestCommandsAreHandedOver: each message on command is handed over, none of another topic, and
// the status says that the table takes commands; without a taker the table does not subscribe.
func TestCommandsAreHandedOver(t *testing.T) {
	for _, takes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
			tab := newTable(t, "tcp://nowhere", newJournal(1))
			tab.config.Dial = fake.dial
			var came []string
			if takes {
				tab.config.Command = func(payload []byte) { came = append(came, string(payload)) }
			}
			var letters [][]byte
			for n := range 40 { // more than other topics keep
				letters = append(letters, fmt.Append(nil, n))
			}
			fake.letters = map[topic.Kind][][]byte{
				topic.KindCommand: letters,
				topic.KindRequest: {[]byte("no command")},
			}
			tab.start()
			bubble.Pass(time.Second)
			synctest.Wait() // also for the race detector: who takes commands is done
			status := fake.received(tab.topic(topic.KindStatus))
			if got := brokertest.Decode[topic.Status](t, status[0].Payload).Commands; got != takes {
				t.Errorf("the status says that the table takes commands: %t", got)
			}
			if want := map[bool]int{true: 40}[takes]; len(came) != want || slices.Contains(came, "no command") {
				t.Errorf("%d of %d commands came: %q", len(came), want, came)
			}
			if err := tab.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAnswers: answers go to the pit that is named, in order, one after the other. One on which
// the connection ends is sent again.
func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cuts := 1
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if p.TopicName == "sabot/v1/wiesbaden/bj1/answer/desk" && cuts > 0 {
				cuts--
				return cut
			}
			return acknowledge
		})
		tab := newTable(t, "tcp://nowhere", newJournal(1))
		tab.config.Dial, tab.config.Command = fake.dial, func([]byte) {}
		tab.start()
		bubble.Pass(time.Second)
		for n := range 3 {
			if !tab.publisher.Answer("desk", fmt.Append(nil, n)) {
				t.Error("there is no room for an answer")
			}
		}
		bubble.Pass(time.Minute)
		var got string
		for _, p := range fake.received(tab.name.Answer("desk")) {
			got += string(p.Payload)
			if p.Retain || p.Qos != 1 {
				t.Errorf("an answer is retained: %t, with QoS %d", p.Retain, p.Qos)
			}
		}
		if got != "0012" && got != "012" {
			t.Errorf("the answers came as %q", got)
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestAnswersDenied: a broker that hangs up on each answer holds up nothing else for long, and
// the pit is told which topic is denied.
func TestAnswersDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if p.TopicName == "sabot/v1/wiesbaden/bj1/answer/desk" {
				return cut
			}
			return acknowledge
		})
		tab := newTable(t, "tcp://nowhere", newJournal(1))
		tab.config.Dial, tab.config.Command, tab.config.RetryAfter = fake.dial, func([]byte) {}, time.Minute
		tab.start()
		bubble.Pass(time.Second)
		tab.publisher.Answer("desk", []byte("0"))
		bubble.Pass(30 * time.Second)
		if denied := tab.publisher.Stats().Denied; !slices.Equal(denied, []string{tab.name.Answer(topic.Any)}) {
			t.Errorf("the broker denies %q", denied)
		}
		tab.journal.add(3)
		tab.publisher.Answer("desk", []byte("1"))
		bubble.Pass(10 * time.Second)
		if got := tab.publisher.Stats().Acknowledged; got != 4 {
			t.Errorf("the broker has %d of 4 events", got)
		}
		bubble.Pass(10 * time.Minute)
		if denied := tab.publisher.Stats().Denied; len(denied) != 0 {
			t.Errorf("long after the last answer the broker denies %q", denied)
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestResend: what a command asks for is sent again as for a request.
func TestResend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := newTable(t, "tcp://nowhere", newJournal(10))
		tab.config.Dial = fake.dial
		tab.start()
		bubble.Pass(time.Second)
		if !tab.publisher.Resend(topic.Request{From: 4, To: 6}) {
			t.Error("there is no room for a request")
		}
		bubble.Pass(time.Minute)
		if got := numbersOf(t, fake.received(tab.topic(topic.KindEvent))); !slices.Equal(got[10:], []uint64{4, 5, 6}) {
			t.Errorf("the events came as %d", got)
		}
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}
