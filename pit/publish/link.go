package publish

import (
	"bufio"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/table/irregularity"
)

// lane says what a message is about. Of all but events and alerts at most one is under
// way, and of alerts one for each irregularity.
type lane int

const (
	laneEvent lane = iota
	laneStatus
	laneState
	laneHealth
	laneAlert
	lanes
)

// delivery is one message on its way to the broker.
type delivery struct {
	lane     lane
	topic    string
	payload  []byte
	retained bool
	// sequence is the event's number, 0 for other messages.
	sequence uint64
	// heard is what a health tells of the journal.
	heard Heard

	id           uint16 // of the PUBLISH
	acknowledged bool
}

// link is one connection to the broker. Messages go in at one end, in order, and
// come out at the other, in the same order, as the broker acknowledges them. Sending
// never waits.
type link struct {
	conn net.Conn
	from io.Reader

	queue    chan any      // to be sent: a delivery, or a packet
	settled  chan delivery // acknowledged
	answered chan byte     // the broker's answer to a subscription
	arrived  chan memory   // the first message that was subscribed to
	lost     chan error    // why the connection ended; holds one
	done     chan struct{} // closed when nobody listens any more
	stopped  chan struct{} // closed when nothing more is written

	mu       sync.Mutex
	underway []delivery // sent, the oldest first
}

// newLink takes over a connection on which the broker has been greeted. The channels hold
// all that may be under way, and a subscription with its end.
func newLink(conn net.Conn, from io.Reader, window int) *link {
	capacity := window + int(lanes) + int(irregularity.Count) + 2
	l := &link{
		conn: conn, from: from,
		queue: make(chan any, capacity), settled: make(chan delivery, capacity),
		answered: make(chan byte, 1), arrived: make(chan memory, 1), lost: make(chan error, 1),
		done: make(chan struct{}), stopped: make(chan struct{}),
	}
	go l.write()
	go l.read()
	return l
}

// send puts a message on its way. The payload must not change any more.
func (l *link) send(d delivery) { l.queue <- d }

// write sends what is in the queue, together what waits together, and pings.
func (l *link) write() {
	defer close(l.stopped)
	ping := time.NewTicker(keepAlive)
	defer ping.Stop()
	to := bufio.NewWriter(l.conn)
	for id := uint16(1); ; {
		var next any
		select {
		case next = <-l.queue:
		case <-ping.C:
			next = packets.NewControlPacket(packets.Pingreq)
		case <-l.done:
			return
		}
		err := l.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
		if err == nil {
			err = l.packet(next, id).Write(to)
		}
		if err == nil && len(l.queue) == 0 {
			err = to.Flush()
		}
		if err != nil {
			l.fail(err)
			return
		}
		if id++; id == 0 {
			id = 1
		}
	}
}

// packet makes what is to be written, and notes a message as under way.
func (l *link) packet(next any, id uint16) packets.ControlPacket {
	switch next := next.(type) {
	case delivery:
		next.id = id
		l.mu.Lock()
		l.underway = append(l.underway, next)
		l.mu.Unlock()
		p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		p.Qos, p.Retain, p.MessageID, p.TopicName, p.Payload = 1, next.retained, id, next.topic, next.payload
		return p
	case *packets.SubscribePacket:
		next.MessageID = id
		return next
	case *packets.UnsubscribePacket:
		next.MessageID = id
		return next
	}
	return next.(packets.ControlPacket)
}

// read takes what the broker sends until the connection ends. The answers to the pings
// keep it alive.
func (l *link) read() {
	for {
		err := l.conn.SetReadDeadline(time.Now().Add(keepAlive + pingTimeout))
		var p packets.ControlPacket
		if err == nil {
			p, err = packets.ReadPacket(l.from)
		}
		switch p := p.(type) {
		case *packets.PubackPacket:
			l.settle(p.MessageID)
		case *packets.SubackPacket:
			if len(p.ReturnCodes) > 0 {
				offer(l.answered, p.ReturnCodes[0])
			}
		case *packets.PublishPacket:
			m := memory{}
			if p.Retain {
				m.payload = p.Payload
			}
			offer(l.arrived, m)
		}
		if err != nil {
			l.fail(err)
			return
		}
	}
}

// settle hands out what is acknowledged, from the oldest message to the first that is not.
func (l *link) settle(id uint16) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.underway, func(d delivery) bool { return d.id == id }); i >= 0 {
		l.underway[i].acknowledged = true
	}
	for len(l.underway) > 0 && l.underway[0].acknowledged {
		l.settled <- l.underway[0]
		l.underway = l.underway[1:]
	}
}

// fail tells why the connection ended. Whoever listens drops the link.
func (l *link) fail(err error) { offer(l.lost, err) }

// offer puts a value into a channel that has room for it; another one there stays.
func offer[T any](to chan<- T, value T) {
	select {
	case to <- value:
	default:
	}
}

// drop ends the connection at once. The broker sends the last will.
func (l *link) drop() {
	close(l.done)
	hangUp(l.conn)
	<-l.stopped
}

// part ends the connection with a goodbye, which keeps the last will from being sent.
func (l *link) part() {
	close(l.done)
	<-l.stopped
	// A broker that is gone already needs none.
	_ = l.conn.SetWriteDeadline(time.Now().Add(partTime))
	_ = packets.NewControlPacket(packets.Disconnect).Write(l.conn)
	hangUp(l.conn)
}
