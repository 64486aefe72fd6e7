package simtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/pit/topic"
)

// pit is a reader of the table's events, who follows pit/README.md: it keeps each event once, sees gaps, and requests
// what is missing. The broker's lock guards it.
type pit struct {
	events map[int][]byte // by their numbers
	whole  int            // all events up to this one are there
	last   int            // the highest that has come
	told   int            // the highest that the table says is acknowledged
	lacks  time.Time      // since when something is missing, the zero time for nothing
	// excused counts the events that the broker has acknowledged and not passed on.
	excused  int
	requests int
	faults   []string
	healths  []topic.Health
}

// take takes an event.
func (p *pit) take(payload []byte) {
	var e struct {
		Sequence int `json:"sequence"`
	}
	err := json.Unmarshal(payload, &e)
	known := p.events[e.Sequence]
	switch {
	case err != nil:
		p.fault("an event cannot be read: %v", err)
		return
	case e.Sequence < 1:
		p.fault("an event has the number %d", e.Sequence)
		return
	case known != nil && !bytes.Equal(known, payload):
		p.fault("event %d was %s, and then %s", e.Sequence, known, payload)
	case e.Sequence > p.last+1 && p.excused == 0:
		p.fault("event %d follows event %d, and the broker has lost none", e.Sequence, p.last)
	}
	p.events[e.Sequence] = payload
	p.last = max(p.last, e.Sequence)
	for p.events[p.whole+1] != nil {
		p.whole++
	}
}

// health takes what the table says of its journal.
func (p *pit) health(payload []byte) {
	var h topic.Health
	if err := json.Unmarshal(payload, &h); err != nil {
		p.fault("a health cannot be read: %v", err)
		return
	}
	p.told = max(p.told, int(h.Journal.LastSequence-h.Journal.Unacknowledged))
	p.healths = append(p.healths, h)
}

// missing is the first gap, false for none.
func (p *pit) missing() (from, to int, is bool) {
	if p.whole >= max(p.last, p.told) {
		return 0, 0, false
	}
	for to = p.whole + 1; to < max(p.last, p.told) && p.events[to+1] == nil; to++ {
	}
	return p.whole + 1, to, true
}

func (p *pit) fault(what string, args ...any) {
	if len(p.faults) < 5 {
		p.faults = append(p.faults, fmt.Sprintf(what, args...))
	}
}

// How long the reader waits before a request, and before the next one.
const (
	requestAfter = 5 * time.Second
	requestAgain = 10 * time.Second
)

// read requests what the pit lacks, until ctx ends.
func (b *broker) read(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, time.Second)
		b.mu.Lock()
		b.request()
		b.mu.Unlock()
	}
}

// request requests the first gap when its time has come. The lock is held.
func (b *broker) request() {
	from, to, is := b.pit.missing()
	switch {
	case !is:
		b.pit.lacks = time.Time{}
		return
	case b.pit.lacks.IsZero():
		b.pit.lacks = time.Now().Add(requestAfter)
		return
	case time.Now().Before(b.pit.lacks):
		return
	}
	b.pit.lacks = time.Now().Add(requestAgain)
	b.pit.requests++
	out := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	out.TopicName, out.Payload = "sabot/v1/"+Site+"/"+Name+"/request", fmt.Appendf(nil, `{"from":%d,"to":%d}`, from, to)
	for c, topics := range b.conns {
		if !b.mute && topics[out.TopicName] {
			_ = out.Write(c)
		}
	}
}

// complete says whether the pit has all that it knows of, and every table has told it so lately.
func (b *broker) complete() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _, is := b.pit.missing()
	return !is
}
