package publish_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
)

// accessList is a mosquitto with an access list that everybody is subject to.
type accessList struct {
	*brokertest.Mosquitto
	t    *testing.T
	file string
}

// startWithAccess starts a mosquitto as pit/README.md configures it. It lets everybody read,
// and write what deny does not name.
func startWithAccess(t *testing.T, deny ...string) *accessList {
	t.Helper()
	a := &accessList{t: t, file: filepath.Join(t.TempDir(), "acl")}
	a.write(deny)
	a.Mosquitto = brokertest.StartMosquitto(t, "allow_anonymous true", "max_queued_messages 0", "acl_file "+a.file)
	return a
}

// allow changes the list while the broker runs.
func (a *accessList) allow(deny ...string) {
	a.t.Helper()
	a.write(deny)
	a.Reload()
}

func (a *accessList) write(deny []string) {
	a.t.Helper()
	text := "topic read #\ntopic write end\n"
	for _, one := range []string{
		"status", "state", "event", "health", "request", "alert/+", "fetch", "records/pit",
		"records/desk", "totals",
	} {
		if !slices.Contains(deny, one) {
			text += "topic write sabot/v1/wiesbaden/bj1/" + one + "\n"
		}
	}
	for code := range strings.FieldsSeq("marker unread-card") {
		if !slices.Contains(deny, "alert/+") && !slices.Contains(deny, "alert/"+code) {
			text += "topic write sabot/v1/wiesbaden/bj1/alert/" + code + "\n"
		}
	}
	if err := os.WriteFile(a.file, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// patient is a table whose attempts take as long as a loaded computer needs.
func patient(t *testing.T, url string, events int) *table {
	tab := newTable(t, url, newJournal(events))
	tab.config.ProbeAfter, tab.config.RetryAfter = 300*time.Millisecond, time.Hour
	tab.config.HealthEvery = 50 * time.Millisecond
	tab.state.alert(1, "unread-card")
	tab.config.Totals = counted{}
	return tab
}

// counted are totals that stay as they are.
type counted struct{}

func (counted) Latest() (topic.Totals, bool) { return topic.Totals{Sequence: 1}, true }
func (counted) Changed() <-chan struct{}     { return nil }

// kindsOf lists the kinds of topics on which messages arrived.
func kindsOf(messages []brokertest.Message) map[string]bool {
	kinds := map[string]bool{}
	for _, m := range messages {
		if len(m.Payload) > 0 {
			kind, _, _ := strings.Cut(strings.TrimPrefix(m.Topic, "sabot/v1/wiesbaden/bj1/"), "/")
			kinds[kind] = true
		}
	}
	return kinds
}

// TestADeniedTopicIsLeftOut: mosquitto acknowledges a message that its access list forbids,
// and then hangs up. Whatever the topic, the table finds it and names it; all else arrives;
// no event counts as delivered that was not; and a corrected list heals by itself.
func TestADeniedTopicIsLeftOut(t *testing.T) {
	tier.Soak(t, "a mosquitto for each topic; TestADenialInTime does without")
	const events = 632
	for _, denied := range []string{"status", "state", "event", "health", "alert/+", "totals"} {
		t.Run(denied, func(t *testing.T) {
			t.Parallel()
			broker := startWithAccess(t, denied)
			reader := brokertest.Subscribe(t, broker.Addr(), "sabot/v1/#")
			tab := patient(t, "tcp://"+broker.Addr(), events)
			tab.config.ProbeAfter = time.Second // as at a house: mosquitto hangs up in its own time
			tab.start()
			name := "sabot/v1/wiesbaden/bj1/" + denied
			brokertest.Until(t, "the topic is left out", func() bool {
				return slices.Equal(tab.publisher.Stats().Denied, []string{name})
			})
			if tab.log.Count("THE MQTT BROKER DENIES A TOPIC") == 0 || tab.log.Count("topic="+name+" ") != 1 {
				t.Errorf("the log does not name %s once", name)
			}
			kind, _, _ := strings.Cut(denied, "/")
			brokertest.Until(t, "all else arrives", func() bool {
				kinds := kindsOf(reader.Messages())
				return len(kinds) == 5 && !kinds[kind]
			})
			if denied != "event" {
				tab.waitFor(events)
				brokertest.Until(t, "all events arrive", func() bool {
					return len(sequences(t, reader.Messages())) >= events
				})
				requireAll(t, sequences(t, reader.Messages()), 1, events)
			} else if stats := tab.publisher.Stats(); stats.Acknowledged != 0 || stats.Lag != events {
				t.Errorf("of events that the broker dropped %d count as acknowledged", stats.Acknowledged)
			}
			brokertest.Until(t, "the pit reads what is denied", func() bool {
				latest := ""
				for _, m := range reader.Messages() {
					if denied != "status" && strings.HasSuffix(m.Topic, "/status") || denied == "status" &&
						strings.HasSuffix(m.Topic, "/health") {
						latest = string(m.Payload)
					}
				}
				return strings.Contains(latest, `"denied":["`+name+`"]`)
			})
			if reconnects := tab.publisher.Stats().Reconnects; reconnects > 10 {
				t.Errorf("it took %d connections", reconnects)
			}

			broker.allow()
			// mosquitto reloads when it likes: try until it has.
			brokertest.UntilEvery(t, 50*time.Millisecond, "the topic is published again", func() bool {
				tab.publisher.Retry()
				return len(tab.publisher.Stats().Denied) == 0 && kindsOf(reader.Messages())[kind]
			})
			tab.waitFor(events)
			brokertest.Until(t, "all events have arrived", func() bool {
				numbers := sequences(t, reader.Messages())
				return len(numbers) > 0 && slices.Max(numbers) == events
			})
			requireAll(t, sequences(t, reader.Messages()), 1, events)
			if tab.log.Count("lets the table publish on a topic again") == 0 {
				t.Error("the log does not say that it is over")
			}
			if err := tab.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOneDeniedAlert: where the other alerts get through, only the one is left out; and a
// second one leaves out all of them.
func TestOneDeniedAlert(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(func(p *packets.PublishPacket) verdict {
			if strings.HasSuffix(p.TopicName, "/alert/unread-card") ||
				strings.HasSuffix(p.TopicName, "/alert/lost-cards") && len(p.Payload) > 0 {
				return cut
			}
			return acknowledge
		})
		fake.granted = 1
		tab := fake.patient(t, 3)
		tab.config.ProbeAfter = 50 * time.Millisecond
		tab.start()
		denied := func(want string) {
			t.Helper()
			brokertest.Until(t, want+" is left out", func() bool {
				return slices.Equal(tab.publisher.Stats().Denied, []string{"sabot/v1/wiesbaden/bj1/alert/" + want})
			})
		}
		denied("unread-card")
		tab.waitFor(3)
		tab.state.alert(2, "unread-card", "lost-cards")
		denied("+")
		tab.journal.add(3)
		tab.waitFor(6)
	})
}

// TestADeniedWill: a broker that refuses the connection because of the will gets one without.
func TestADeniedWill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		fake.refuseWill, fake.granted = true, 1
		tab := fake.patient(t, 20)
		tab.start().waitFor(20)
		if denied := tab.publisher.Stats().Denied; !slices.Equal(denied, []string{tab.topic(topic.KindStatus)}) {
			t.Errorf("denied are %v", denied)
		}
		fake.mu.Lock()
		fake.refuseWill = false
		fake.mu.Unlock()
		tab.publisher.Retry()
		brokertest.Until(t, "the status is published, and there is a will", func() bool {
			greetings := fake.welcomed()
			return len(fake.received(tab.topic(topic.KindStatus))) > 0 && greetings[len(greetings)-1].WillFlag &&
				len(tab.publisher.Stats().Denied) == 0
		})
	})
}

// TestADeniedSubscription: a broker that hangs up on the table's subscription gets none.
func TestADeniedSubscription(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		fake.cutSubscribe, fake.granted = true, 1
		tab := fake.patient(t, 20)
		tab.config.ProbeAfter = 50 * time.Millisecond
		tab.start().waitFor(20)
		brokertest.Until(t, "the subscription is left out", func() bool {
			return slices.Equal(tab.publisher.Stats().Denied, []string{tab.topic(topic.KindRequest)})
		})
		before := tab.publisher.Stats().Reconnects
		tab.journal.add(20)
		tab.waitFor(40)
		if after := tab.publisher.Stats().Reconnects; after > before+1 {
			t.Errorf("after that the table connected another %d times", after-before)
		}
	})
}

// TestDeniedSubscriptions: a broker that hangs up on every subscription gets none.
func TestDeniedSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		fake.cutSubscribe, fake.granted = true, 1
		tab := fake.patient(t, 20)
		tab.config.ProbeAfter = 50 * time.Millisecond
		tab.config.Fetch = cabinet{}.fetch
		tab.start().waitFor(20)
		brokertest.Until(t, "the subscriptions are left out", func() bool {
			return slices.Equal(tab.publisher.Stats().Denied,
				[]string{tab.topic(topic.KindFetch), tab.topic(topic.KindRequest)})
		})
	})
}

// TestADeniedReader: where the broker does not let the table answer one reader, the other gets
// its answers, all else arrives, and a corrected list heals by itself: the reader then gets the
// answer that it waits for.
func TestADeniedReader(t *testing.T) {
	tier.Soak(t, "a mosquitto; TestADeniedReaderInTime does without")
	broker := startWithAccess(t, "records/pit")
	tab := patient(t, "tcp://"+broker.Addr(), 20)
	tab.config.ProbeAfter = time.Second // as in TestADeniedTopicIsLeftOut
	tab.config.Fetch = cabinet{}.fetch
	name := tab.name.Records("pit")
	answers := brokertest.Subscribe(t, broker.Addr(), topic.Filter(topic.Any, topic.Any, topic.KindRecords))
	ask := func(reader string, after uint64) {
		send(t, broker.Addr(), tab.topic(topic.KindFetch),
			topic.AppendFetch(nil, topic.Fetch{Reader: reader, Journal: cabinetID, After: after}))
	}
	has := func(reader string, after uint64) bool {
		return slices.ContainsFunc(answers.Messages(), func(m brokertest.Message) bool {
			return m.Topic == tab.name.Records(reader) && brokertest.Decode[topic.Records](t, m.Payload).After == after
		})
	}
	tab.start().waitFor(20)
	brokertest.UntilEvery(t, 50*time.Millisecond, "the topic is left out", func() bool {
		ask("pit", 3)
		return slices.Equal(tab.publisher.Stats().Denied, []string{name})
	})
	if tab.log.Count("the reader pit gets no records") != 1 {
		t.Error("the log does not name the reader")
	}
	brokertest.UntilEvery(t, 20*time.Millisecond, "the other reader has its answer", func() bool {
		ask("desk", 5)
		return has("desk", 5)
	})
	tab.journal.add(5)
	tab.waitFor(25)
	broker.allow()
	brokertest.UntilEvery(t, 50*time.Millisecond, "the reader has its answer", func() bool {
		tab.publisher.Retry()
		return len(tab.publisher.Stats().Denied) == 0 && has("pit", 3)
	})
}

// TestAFlakyNetworkIsNoDenial cuts connections just after an event was added, and just after it was acknowledged: no
// topic is left out, and all events arrive. make soak cuts them at every moment.
func TestAFlakyNetworkIsNoDenial(t *testing.T) { onBothBrokers(t, flakyNetwork) }

func flakyNetwork(t *testing.T, addr string) {
	events := tier.Times(120, 400)
	gate := brokertest.NewGate(t, addr)
	reader := brokertest.Subscribe(t, addr, "sabot/v1/+/+/event")
	tab := patient(t, "tcp://"+gate.Addr(), 0)
	tab.config.ProbeAfter = 20 * time.Millisecond
	tab.start()
	for n := range events {
		tab.journal.add(1)
		tab.state.set(uint64(n))
		if n%4 == 0 {
			switch {
			case tier.InSoak():
				time.Sleep(time.Duration(n%37) * time.Millisecond) // the moments are what is tried
			case n%8 == 0:
				tab.waitFor(uint64(n) + 1)
			}
			gate.Shut()
			gate.Open()
		}
	}
	last := uint64(events)
	tab.waitFor(last)
	brokertest.Until(t, "all events are there", func() bool {
		return slices.Contains(sequences(t, reader.Messages()), last)
	})
	requireAll(t, sequences(t, reader.Messages()), 1, last)
	if tab.log.Count("DENIES") != 0 {
		t.Error("a topic is left out")
	}
}

// TestASecondDaemonIsNoDenial: two of one name disconnect each other, and neither thinks that
// a topic is denied. Mosquitto lets each newcomer take over; the bench's broker keeps both at times.
func TestASecondDaemonIsNoDenial(t *testing.T) {
	addr := brokertest.StartMosquitto(t).Addr()
	one, other := patient(t, "tcp://"+addr, 50).start(), patient(t, "tcp://"+addr, 50).start()
	brokertest.Until(t, "both were disconnected a few times", func() bool {
		return one.publisher.Stats().Reconnects > 20 && other.publisher.Stats().Reconnects > 20
	})
	if one.log.Count("DENIES")+other.log.Count("DENIES") != 0 {
		t.Error("a topic is left out")
	}
}

// TestATooLongMessage: the broker may send the table as much as it likes.
func TestATooLongMessage(t *testing.T) {
	letters := [][]byte{make([]byte, 5<<20), []byte(`{"from":2,"to":3}`)}
	t.Run("fake", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			fake := inBubble(accept)
			fake.letters = map[topic.Kind][][]byte{topic.KindRequest: letters}
			tab := fake.table(t, newJournal(5))
			tab.journal.cursor = 5
			tooLongMessage(t, tab.start(), nil)
		})
	})
	t.Run("mosquitto", func(t *testing.T) {
		tier.Soak(t, "a mosquitto")
		addr := brokertest.StartMosquitto(t).Addr()
		tab := newTable(t, "tcp://"+addr, newJournal(5)).start()
		tooLongMessage(t, tab, func() {
			for _, letter := range letters {
				send(t, addr, tab.topic(topic.KindRequest), letter)
			}
		})
	})
}

// tooLongMessage has the letters sent, unless the broker does that by itself.
func tooLongMessage(t *testing.T, tab *table, sent func()) {
	t.Helper()
	tab.waitFor(5)
	if sent != nil {
		sent()
	}
	brokertest.Until(t, "the request after it is granted", func() bool { return tab.log.Count("sent again") == 1 })
	if tab.log.Count("too long for the table") != 1 || tab.publisher.Stats().Reconnects != 0 {
		t.Error("the long message is not passed over")
	}
}

// send publishes one message that is not retained.
func send(t testing.TB, addr, topic string, payload []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	reader := bufio.NewReader(conn)
	connect := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	connect.ProtocolName, connect.ProtocolVersion, connect.CleanSession = "MQTT", 4, true
	connect.ClientIdentifier = fmt.Sprintf("pit-%s", conn.LocalAddr())
	publish := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	publish.TopicName, publish.Payload, publish.Qos, publish.MessageID = topic, payload, 1, 1
	for _, packet := range []packets.ControlPacket{connect, publish} {
		if err := packet.Write(conn); err != nil {
			t.Fatal(err)
		}
		if _, err := packets.ReadPacket(reader); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRequestedAgain: a reader that lacks events gets them as they were, and nobody else is
// disturbed; nonsense is passed over.
func TestRequestedAgain(t *testing.T) {
	onBothBrokers(t, func(t *testing.T, addr string) {
		reader := brokertest.Subscribe(t, addr, "sabot/v1/+/+/event")
		tab := newTable(t, "tcp://"+addr, newJournal(100)).start()
		tab.waitFor(100)
		request := tab.topic(topic.KindRequest)
		// retained by mistake: read once, not with each connection
		brokertest.Publish(t, addr, request, []byte(`{"from":1}`))
		for _, text := range []string{
			`{"from":0}`, `nonsense`, `{"from":9,"to":3}`, `{"from":101}`, `{"from":-1}`,
			`[]`, strings.Repeat(" ", 2000),
		} {
			send(t, addr, request, []byte(text))
		}
		send(t, addr, request, []byte(`{"from":11,"to":90,"why":"a gap"}`))
		send(t, addr, request, []byte(`{"from":95}`))
		// What is retained may be overtaken: the embedded broker acknowledges before it delivers.
		brokertest.Until(t, "the requested events arrive", func() bool {
			times := map[uint64]int{}
			for _, n := range sequences(t, reader.Messages()) {
				times[n]++
			}
			for n := uint64(11); n <= 100; n++ {
				if requested := n <= 90 || n >= 95; requested && times[n] < 2 {
					return false
				}
			}
			return true
		})
		tab.journal.add(1)
		tab.waitFor(101)
		brokertest.Until(t, "the new one arrives", func() bool {
			return slices.Contains(sequences(t, reader.Messages()), 101)
		})
		first := map[uint64]string{}
		count := map[uint64]int{}
		for _, m := range reader.Messages() {
			n := brokertest.Decode[topic.Event](t, m.Payload).Sequence
			if first[n] == "" {
				first[n] = string(m.Payload)
			}
			if first[n] != string(m.Payload) {
				t.Errorf("event %d was changed", n)
			}
			count[n]++
		}
		for n := uint64(1); n <= 101; n++ {
			if again := n >= 11 && n <= 90 || n >= 95 && n <= 100; count[n] < 1 || again && count[n] < 2 {
				t.Errorf("event %d arrived %d times", n, count[n])
			}
		}
		if tab.journal.kept() > 101 || tab.publisher.Stats().Acknowledged != 101 ||
			tab.log.Count("for events is refused") != 1 {
			t.Errorf("acknowledged %d; the log:\n%s", tab.publisher.Stats().Acknowledged, tab.log.String())
		}
	})
}
