package publish_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/pit/topic"
)

// TestADenialInTime is a day with a denied topic, in virtual time: the topic is found within
// seconds, and tried again in ever longer pauses until it is allowed; events wait for none of
// it.
func TestADenialInTime(t *testing.T) {
	for name, how := range map[string]verdict{"acknowledged": acknowledgeAndCut, "not acknowledged": cut} {
		for _, kind := range []topic.Kind{topic.KindStatus, topic.KindState, topic.KindEvent, topic.KindHealth, topic.KindAlert} {
			t.Run(name+"/"+string(kind), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { denialInTime(t, how, kind) }) })
		}
	}
}

func denialInTime(t *testing.T, how verdict, kind topic.Kind) {
	const events = 632
	allowed := false
	attempts := 0
	fake := inBubble(func(p *packets.PublishPacket) verdict {
		if allowed || !strings.Contains(p.TopicName, "/"+string(kind)) {
			return acknowledge
		}
		attempts++
		return how
	})
	count := func() int {
		fake.mu.Lock()
		defer fake.mu.Unlock()
		return attempts
	}
	tab := newTable(t, "tcp://nowhere", newJournal(events))
	tab.config.ProbeAfter, tab.config.RetryAfter, tab.config.BackoffMin, tab.config.BackoffMax = 0, 0, 0, 0 // the defaults
	tab.config.Dial = fake.dial
	tab.state.alert(1, "unread-card", "lost-cards")
	tab.start()

	time.Sleep(5 * time.Second)
	if stats := tab.publisher.Stats(); kind != topic.KindEvent && stats.Acknowledged != events {
		t.Errorf("after five seconds %d of %d events are acknowledged", stats.Acknowledged, events)
	}
	time.Sleep(15 * time.Second)
	want := tab.topic(kind)
	if kind == topic.KindAlert {
		want = tab.name.Alert(topic.Any)
	}
	found := tab.publisher.Stats()
	if !slices.Equal(found.Denied, []string{want}) || found.Reconnects > 8 {
		t.Fatalf("after 20 seconds and %d connections %v are denied", found.Reconnects, found.Denied)
	}
	if kind == topic.KindEvent && found.Acknowledged != 0 {
		t.Errorf("%d events count as acknowledged", found.Acknowledged)
	}

	before := count()
	time.Sleep(2 * time.Hour) // 1, 2, 4, 8, and then every 15 minutes
	more := count() - before
	if after := tab.publisher.Stats(); more < 10 || more > 11 || after.Reconnects != found.Reconnects+uint64(more) {
		t.Errorf("in two hours there were %d attempts and %d connections", more, after.Reconnects-found.Reconnects)
	}
	fake.mu.Lock()
	allowed = true
	fake.mu.Unlock()
	time.Sleep(16 * time.Minute)
	if stats := tab.publisher.Stats(); len(stats.Denied) > 0 || stats.Acknowledged != events {
		t.Errorf("a quarter of an hour after it is allowed: %+v", stats)
	}
	if err := tab.stop(); err != nil {
		t.Error(err)
	}
}
