package brokertest

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
)

// copyistPatience is how long a Copyist waits for an answer before it fetches again.
const copyistPatience = time.Second

// Copyist is a reader that copies one table's journal by fetching, as pit/README.md describes
// it.
type Copyist struct {
	t      testing.TB
	client mqtt.Client
	table  topic.Table
	reader string

	mu sync.Mutex
	// journal is the one that is being copied, and copies are the texts of records, by journal
	// and number.
	journal string
	copies  map[string]map[uint64]string
	have    uint64 // the last record of the journal
	gaps    []topic.Gap
	former  []topic.Former
	// rolledBack counts answers whose head was below what the copy has.
	rolledBack int
	asked      time.Time // zero if nothing is to be answered
	behind     bool
}

// KeepCopy connects a reader of that name, until the test ends, and again whenever the broker
// comes back.
func KeepCopy(t testing.TB, addr string, table topic.Table, reader string) *Copyist {
	t.Helper()
	c := &Copyist{t: t, table: table, reader: reader, copies: map[string]map[uint64]string{}}
	filters := map[string]byte{
		table.Topic(topic.KindEvent): 0, table.Topic(topic.KindHealth): 0,
		table.Records(reader): 1,
	}
	subscribed := make(chan struct{}, 1)
	options := mqtt.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("copyist-" + table.Name() + "-" + reader).
		SetMaxReconnectInterval(200 * time.Millisecond).
		SetOnConnectHandler(func(client mqtt.Client) {
			client.SubscribeMultiple(filters, c.take).Wait()
			c.mu.Lock()
			c.fetch()
			c.mu.Unlock()
			select {
			case subscribed <- struct{}{}:
			default:
			}
		})
	c.client = mqtt.NewClient(options)
	if token := c.client.Connect(); !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatalf("the copyist cannot reach the broker at %s: %v", addr, token.Error())
	}
	done := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() { c.insist(done) })
	t.Cleanup(func() {
		close(done)
		work.Wait()
		c.client.Disconnect(100)
	})
	select {
	case <-subscribed:
	case <-time.After(Deadline):
		t.Fatal("the copyist could not subscribe")
	}
	return c
}

// insist fetches again what was not answered.
func (c *Copyist) insist(done <-chan struct{}) {
	tick := time.NewTicker(copyistPatience / 4)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.mu.Lock()
			if !c.asked.IsZero() && time.Since(c.asked) > copyistPatience {
				c.fetch()
			}
			c.mu.Unlock()
		case <-done:
			return
		}
	}
}

// fetch asks for what comes after the copy. The caller holds the lock.
func (c *Copyist) fetch() {
	c.asked, c.behind = time.Now(), false
	c.client.Publish(c.table.Topic(topic.KindFetch), 0, false,
		topic.AppendFetch(nil, topic.Fetch{Reader: c.reader, Journal: c.journal, After: c.have}))
}

// want fetches once what is under way has come. The caller holds the lock.
func (c *Copyist) want() {
	if c.behind = true; c.asked.IsZero() {
		c.fetch()
	}
}

func (c *Copyist) take(_ mqtt.Client, m mqtt.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case strings.HasSuffix(m.Topic(), "/event"):
		c.want()
	case strings.HasSuffix(m.Topic(), "/health"):
		var health topic.Health
		if err := json.Unmarshal(m.Payload(), &health); err != nil {
			c.t.Errorf("the health %s: %v", m.Payload(), err)
		} else if h := health.Journal.Head; h != nil && (h.ID != c.journal || h.Record > c.have) {
			c.want()
		}
	default:
		r, err := topic.ParseRecords(m.Payload())
		if err != nil {
			c.t.Errorf("%s: %v\n%s", m.Topic(), err, m.Payload())
			return
		}
		c.keep(r)
	}
}

// keep adds an answer to the copy, and fetches the rest.
func (c *Copyist) keep(r topic.Records) {
	c.asked = time.Time{}
	if r.Journal != c.journal {
		c.journal, c.have = r.Journal, 0
		if c.copies[r.Journal] == nil {
			c.copies[r.Journal] = map[uint64]string{}
		}
	}
	if r.Former != nil && r.After == 0 {
		c.former = append(c.former, *r.Former)
	}
	if r.After > c.have {
		c.t.Errorf("the answer begins after record %d, and the copy ends with %d", r.After, c.have)
	}
	number := r.After
	if r.Gap != nil {
		number = r.Gap.Last
		c.gaps = append(c.gaps, *r.Gap)
	}
	for i := range r.Records {
		number++
		frame := string(r.Frame(i))
		if was, has := c.copies[r.Journal][number]; has && was != frame {
			c.t.Errorf("record %d is\n%s and\n%s", number, was, frame)
		}
		c.copies[r.Journal][number] = frame
	}
	if r.Head.Record < c.have {
		c.rolledBack++
	}
	c.have = max(c.have, number)
	if c.behind || r.Head.Record > c.have {
		c.fetch()
	}
}

// Has returns the journal that is being copied, and its last record in the copy.
func (c *Copyist) Has() (journal string, record uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.journal, c.have
}

// RolledBack counts the answers whose head was below what the copy had.
func (c *Copyist) RolledBack() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rolledBack
}

// Gaps are the gaps that were named, and Former the journals that were replaced.
func (c *Copyist) Gaps() (gaps []topic.Gap, former []topic.Former) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append(gaps, c.gaps...), append(former, c.former...)
}

// Text is the copy of a journal's record, "" if it is not there.
func (c *Copyist) Text(journal string, record uint64) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.copies[journal][record]
}
