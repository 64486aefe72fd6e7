package publish_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
)

// alert makes a newer view with alerts of the given codes.
func (s *memoryState) alert(sequence uint64, codes ...string) {
	s.set(sequence)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest.Alerts = map[string][]byte{}
	for _, code := range codes {
		s.latest.Alerts[code] = fmt.Appendf(nil, `{"code":%q,"standing":1}`, code)
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// retainedAlerts asks the broker, as one who comes later, which alerts it keeps.
func retainedAlerts(t *testing.T, addr string) string {
	t.Helper()
	subscriber := brokertest.Subscribe(t, addr, topic.Filter(topic.Any, topic.Any, topic.KindAlert))
	marker := topic.Prefix + "/wiesbaden/bj1/alert/marker"
	brokertest.Publish(t, addr, marker, []byte("x"))
	var codes []string
	brokertest.Until(t, "the marker arrives behind what is retained", func() bool {
		codes = codes[:0]
		for _, m := range subscriber.Messages() {
			if m.Topic == marker && !m.Retained {
				return true
			}
			if m.Topic != marker && m.Retained {
				codes = append(codes, brokertest.Decode[topic.Alert](t, m.Payload).Code)
			}
		}
		return false
	})
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

// TestAlertsAreRetainedWhileOpen: the broker has the alerts that there are, and no
// others, also of those that an earlier daemon has left there.
func TestAlertsAreRetainedWhileOpen(t *testing.T) { onBothBrokers(t, alertsAreRetainedWhileOpen) }

func alertsAreRetainedWhileOpen(t *testing.T, addr string) {
	tab := newTable(t, "tcp://"+addr, newJournal(3))
	tab.state.alert(1, "unread-card", "lost-cards")
	tab.start()
	has := func(want string) {
		t.Helper()
		brokertest.Until(t, "the broker keeps the alerts "+want, func() bool { return retainedAlerts(t, addr) == want })
	}
	has("lost-cards unread-card")
	tab.state.alert(2, "lost-cards")
	has("lost-cards")
	if err := tab.stop(); err != nil {
		t.Fatal(err)
	}

	again := newTable(t, "tcp://"+addr, tab.journal)
	again.state.alert(3, "shoe-alarm")
	again.start()
	has("shoe-alarm")
	again.state.alert(4)
	has("")
	if again.log.Count("level=ERROR") > 0 {
		t.Errorf("the log says\n%s", again.log.String())
	}
}

// TestAnAlertThatIsNoObject is told in the log, and the others are sent.
func TestAnAlertThatIsNoObject(t *testing.T) {
	addr := embedded(t)
	tab := newTable(t, "tcp://"+addr, newJournal(1))
	tab.state.alert(1, "unread-card")
	tab.state.latest.Alerts["lost-cards"] = []byte("nonsense")
	tab.start()
	brokertest.Until(t, "the good one is there", func() bool { return retainedAlerts(t, addr) == "unread-card" })
	brokertest.Until(t, "the log says so", func() bool {
		return tab.log.Count("the alert lost-cards is not a JSON object") > 0
	})
}
