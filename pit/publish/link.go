package publish

import (
	"fmt"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/irregularity"
)

// lane says what a message is about. Except for events and alerts, at most one message of a
// lane is under way; of alerts, one for each irregularity.
type lane int

const (
	laneEvent lane = iota
	laneStatus
	laneState
	laneHealth
	laneTotals
	laneAlert
	// laneRepeat is an event that the pit has requested again.
	laneRepeat
	// laneRecords is records that a reader has fetched.
	laneRecords
	// laneStream is records as they become durable.
	laneStream
	// laneAnswer is what became of a command.
	laneAnswer
	// laneAnnounce is for others than the pit.
	laneAnnounce
	lanes
)

// delivery is one message on its way to the broker.
type delivery struct {
	lane     lane
	topic    string
	key      string // under which its permission is kept
	payload  []byte
	retained bool
	// sequence is the event's number, 0 for messages other than events.
	sequence uint64
	// card is when the table took a card that an event tells of, in Unix nanoseconds; 0 for any other message.
	card int64
	// heard is what a health says about the journal.
	heard Heard
	// announces is the announcement that is sent.
	announces Announcement
	// answers is the fetch that the records answer.
	answers wait

	token mqtt.Token
	err   error
}

// link is one connection to the broker. Messages go in at one end, in order, and come out
// at the other, in the same order, as the broker acknowledges them. Sending never waits.
type link struct {
	client *transport.Conn

	queue   chan *delivery // to be sent
	sent    chan *delivery // sent, not acknowledged
	settled chan *delivery // acknowledged or failed
	mail    chan struct{}  // holds one: readers have written
	heeds   chan heed      // the broker's answers to subscriptions
	gone    chan struct{}  // closed when the connection was lost
	why     error          // why it was lost, once gone is closed
	done    chan struct{}  // closed when the session has ended
}

const (
	// causePatience is how long a message that failed waits for the reason, which the client
	// reports a moment later.
	causePatience = time.Second
	// mostHeeds is more subscriptions than a connection ever makes at once.
	mostHeeds = 64
	// drainPatience is how long the end of a session waits for the acknowledgements that came
	// before a connection was lost.
	drainPatience = 100 * time.Millisecond
)

// newLink takes over a connected client. The channels have room for all messages under way.
func newLink(client *transport.Conn, window int) *link {
	capacity := window + repeatBatch + int(lanes) + int(irregularity.Count)
	l := &link{
		client:  client,
		queue:   make(chan *delivery, capacity),
		sent:    make(chan *delivery, capacity),
		settled: make(chan *delivery, capacity),
		mail:    make(chan struct{}, 1),
		heeds:   make(chan heed, mostHeeds),
		gone:    make(chan struct{}),
		done:    make(chan struct{}),
	}
	go l.watch(client.Lost)
	go l.pump()
	go l.collect()
	return l
}

// watch waits for the loss of the connection.
func (l *link) watch(lost <-chan error) {
	select {
	case err := <-lost:
		l.why = fmt.Errorf("the connection was lost: %w", err)
		close(l.gone)
	case <-l.done:
	}
}

// send sends a message. The payload must not change after that.
func (l *link) send(d delivery) { l.queue <- &d }

// pump hands messages to the client, which may wait for the network.
func (l *link) pump() {
	for {
		select {
		case d := <-l.queue:
			d.token = l.client.Publish(d.topic, 1, d.retained, d.payload)
			l.sent <- d
		case <-l.done:
			return
		}
	}
}

// collect waits for the oldest message's acknowledgement, then for the next one's.
// Nothing comes after a failure.
func (l *link) collect() {
	for {
		var d *delivery
		select {
		case d = <-l.sent:
		case <-l.done:
			return
		}
		select {
		case <-d.token.Done():
		case <-l.done:
			return
		}
		if d.err = d.token.Error(); d.err != nil {
			d.err = l.cause(d.err)
			l.settled <- d
			return
		}
		l.settled <- d
	}
}

// cause finds why a message failed: the client reports it more clearly than the message does.
func (l *link) cause(err error) error {
	select {
	case <-l.gone:
		return l.why
	case <-time.After(causePatience):
		return err
	}
}

// drop ends the connection at once. The broker sends the last will.
func (l *link) drop() {
	close(l.done)
	l.client.Drop()
}

// part ends the connection with a goodbye, which keeps the last will from being sent.
func (l *link) part() {
	close(l.done)
	l.client.Part()
}
