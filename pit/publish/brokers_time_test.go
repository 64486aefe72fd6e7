package publish_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

// cluster is a few brokers behind addresses. What they got together is in the order in which it came.
type cluster struct {
	brokers map[string]*fakeBroker

	mu     sync.Mutex
	dead   map[string]bool
	events []*packets.PublishPacket
}

func newCluster(addresses ...string) *cluster {
	c := &cluster{brokers: map[string]*fakeBroker{}, dead: map[string]bool{}}
	for _, address := range addresses {
		c.brokers[address] = inBubble(func(p *packets.PublishPacket) verdict {
			if strings.HasSuffix(p.TopicName, string(topic.KindEvent)) {
				c.mu.Lock()
				c.events = append(c.events, p)
				c.mu.Unlock()
			}
			return acknowledge
		})
	}
	return c
}

func (c *cluster) dial(ctx context.Context, address string) (net.Conn, error) {
	c.mu.Lock()
	dead := c.dead[address]
	c.mu.Unlock()
	if dead {
		return nil, errors.New("nobody answers")
	}
	return c.brokers[address].dial(ctx, address)
}

// kill ends a broker, and with it its connections.
func (c *cluster) kill(address string) {
	c.is(address, true)
	c.brokers[address].hangUpOnAll()
}

// is says whether a broker is dead from now on.
func (c *cluster) is(address string, dead bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dead[address] = dead
}

// heard are the events that all of them got.
func (c *cluster) heard() []*packets.PublishPacket {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.events)
}

// clients are the connections that each broker has.
func (c *cluster) clients(addresses ...string) (all []int) {
	for _, address := range addresses {
		b := c.brokers[address]
		b.mu.Lock()
		all = append(all, len(b.conns))
		b.mu.Unlock()
	}
	return all
}

// TestTheNextBroker: a table whose broker dies goes to the next of its list within a second, and from there to the next
// but one; it comes back once an earlier one answers. Each event is there, in order.
func TestTheNextBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const a, b, c = "a:1883", "b:1883", "c:1884"
		all := newCluster(a, b, c)
		tab := newTable(t, "tcp://a tcp://b mqtt://c:1884", newJournal(1))
		tab.config.BackoffMin, tab.config.BackoffMax = 200*time.Millisecond, 10*time.Second
		tab.config.Dial = all.dial
		t.Cleanup(func() { bubble.Pass(time.Minute) })
		last := uint64(1)
		tab.start()
		at := func(pass time.Duration, want ...int) {
			t.Helper()
			tab.journal.add(10)
			last += 10
			bubble.Pass(pass)
			if got := all.clients(a, b, c); !slices.Equal(got, want) {
				t.Fatalf("the brokers have %v connections, not %v:\n%s", got, want, tab.log.String())
			}
			requireAll(t, numbersOf(t, all.heard()), 1, last)
		}
		at(time.Second, 1, 0, 0)
		all.kill(a)
		at(time.Second, 0, 1, 0)
		at(20*time.Minute, 0, 1, 0)
		all.kill(b)
		at(time.Second, 0, 0, 1)
		all.is(b, false)
		at(5*time.Minute+time.Second, 0, 1, 0)
		if all.brokers[c].goodbyes() != 1 {
			t.Error("the table went back without a goodbye, as if it had died")
		}
		if !strings.Contains(tab.log.String(), "the table goes back to it") {
			t.Errorf("the log does not say why the table left a broker:\n%s", tab.log.String())
		}
		all.brokers[a].refuses(packets.ErrRefusedServerUnavailable) // up, in a cluster without its majority
		all.is(a, false)
		at(20*time.Minute, 0, 1, 0)
		if all.brokers[b].goodbyes() != 0 {
			t.Error("the table left a broker for one that lets nobody in")
		}
		all.brokers[a].refuses(packets.Accepted)
		at(5*time.Minute+time.Second, 1, 0, 0)
		for _, broker := range []string{a, b, c} {
			all.kill(broker)
		}
		bubble.Pass(time.Minute)
		all.is(c, false)
		at(11*time.Second, 0, 0, 1)
		if err := tab.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestABrokerTwice: a list that names a broker twice, or what is no broker, is refused.
func TestABrokerTwice(t *testing.T) {
	for list, want := range map[string]string{
		"tcp://a tcp://b tcp://a:1883": "the MQTT broker at a:1883 is in the list twice: name each once",
		"tcp://a http://b":             `the MQTT broker's address "http://b" has an unknown scheme`,
	} {
		tab := newTable(t, list, newJournal(1))
		none := func() publish.Condition { return publish.Condition{} }
		if _, err := publish.New(tab.config, tab.journal, tab.state, none); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", list, err)
		}
	}
}
