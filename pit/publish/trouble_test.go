package publish_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestTroubleIsToldAtOnce: long before the next health is due, status and health tell
// that the table cannot record, and again that it can; also of a table that has no view
// yet.
func TestTroubleIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := fake.table(t, newJournal(3))
		tab.config.HealthEvery = time.Hour
		tab.start().waitFor(3)
		tells := func(want *topic.Trouble) {
			t.Helper()
			brokertest.Until(t, "the pit hears of the trouble, or of its end", func() bool {
				statuses, healths := fake.received(tab.topic(topic.KindStatus)),
					fake.received(tab.topic(topic.KindHealth))
				if len(statuses) == 0 || len(healths) == 0 {
					return false
				}
				status := brokertest.Decode[topic.Status](t, statuses[len(statuses)-1].Payload)
				got := brokertest.Decode[topic.Health](t, healths[len(healths)-1].Payload).Journal.Trouble
				if want == nil {
					return status.Trouble == "" && got == nil
				}
				return status.Online && status.Trouble == want.Code && got != nil && *got == *want
			})
		}
		tells(nil)
		failing := &topic.Trouble{
			Code: topic.TroubleFailing, Since: time.Unix(5, 0).UTC(),
			Text: "the disk is full: make room",
		}
		tab.state.fail(&topic.Trouble{Code: topic.TroubleSlow, Since: failing.Since, Text: "it hangs"})
		tab.state.fail(failing)
		tells(failing)
		tab.state.fail(nil)
		tells(nil)
		if n := len(fake.received(tab.topic(topic.KindHealth))); n > 4 {
			t.Errorf("the pit was told %d times of one trouble", n)
		}
		if will := string(fake.welcomed()[0].WillMessage); strings.Contains(will, "trouble") {
			t.Errorf("the last will is %s", will)
		}
	})
}

// TestTheGoodbyeTellsOfTrouble: whoever looks at a table that is off reads that it went
// while it could not record.
func TestTheGoodbyeTellsOfTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(*packets.PublishPacket) verdict { return acknowledge })
		tab := fake.table(t, newJournal(1))
		tab.state.fail(&topic.Trouble{Code: topic.TroubleFailing, Text: "the disk is full"})
		tab.start().waitFor(1)
		if err := tab.stop(); err != nil {
			t.Fatal(err)
		}
		statuses := fake.received(tab.topic(topic.KindStatus))
		goodbye := brokertest.Decode[topic.Status](t, statuses[len(statuses)-1].Payload)
		if goodbye.Reason != topic.ReasonShutDown || goodbye.Trouble != topic.TroubleFailing {
			t.Errorf("the goodbye is %+v", goodbye)
		}
	})
}
