package publish_test

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/topic"
	engine "github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/transcript"
)

// TestFigures: what an event allocates in the publisher and its MQTT client, when it comes alone as at a table, and how
// many bytes the events of a round are on their way to the broker. What the broker of the test allocates is among it.
func TestFigures(t *testing.T) {
	const rounds = 20
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := newTable(t, "tcp://nowhere", newJournal(0))
		tab.config.Dial = fake.dial
		tab.start()
		bubble.Pass(time.Second)
		events := eventsOf(rounds)
		next, half := 0, len(events)/2
		allocations := testing.AllocsPerRun(1, func() { // it runs twice, the first time to warm up
			for range half {
				tab.journal.put(events[next])
				synctest.Wait() // until it is acknowledged
				next++
			}
		})
		if err := tab.stop(); err != nil {
			t.Fatal(err)
		}
		sent := fake.received(tab.topic(topic.KindEvent))
		if len(sent) != next || next < len(events)-1 {
			t.Fatalf("the broker has %d of %d events", len(sent), len(events))
		}
		var bytes countedBytes
		for _, p := range sent {
			if err := p.Write(&bytes); err != nil {
				t.Fatal(err)
			}
		}
		figure.Check(t, "pit.event.allocations", allocations/float64(half),
			"allocations an event, to the broker and back")
		figure.Check(t, "pit.round.bytes", float64(bytes)/rounds, "bytes a round of seven boxes, as events over MQTT")
	})
}

// countedBytes counts what is written.
type countedBytes int

func (c *countedBytes) Write(p []byte) (int, error) {
	*c += countedBytes(len(p))
	return len(p), nil
}

// eventsOf are the events of so many rounds.
func eventsOf(rounds int) (events []topic.Record) {
	var tab engine.Table
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), rounds, 7)
	for i := range inputs {
		for _, out := range tab.Step(&inputs[i]) {
			n := uint64(len(events)) + 1
			events = append(events, topic.Record{
				Number: n, Boot: 7, At: 1774746123000004000 + int64(n)*1e9, Round: tab.Round(),
				Line: transcript.AppendOutput(nil, &out),
			})
		}
	}
	return events
}
