package simtest

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// Site and Name are the table's, as the pit knows it.
const (
	Site = "storm"
	Name = "bj-1"
)

// errGone is a broker that nobody reaches.
var errGone = errors.New("connection refused")

// broker is a simulated MQTT broker with a pit that listens to it. It can be gone, mute, forbid topics, and forget.
type broker struct {
	world *World

	mu      sync.Mutex
	gone    bool
	mute    bool
	deny    string // the part of a topic that is forbidden, "" for none
	forever bool   // it stays so, in the calm too
	// a forbidden message ends the connection, as with mosquitto 2.0.11; otherwise it is acknowledged
	hangsUp  bool
	loses    int                          // how many events it still acknowledges and does not pass on
	conns    map[net.Conn]map[string]bool // and what they subscribe to
	retained map[string]retainedMessage
	pit      pit
}

type retainedMessage struct {
	topic   string
	payload []byte
}

func newBroker(w *World) *broker {
	return &broker{
		world: w, conns: map[net.Conn]map[string]bool{}, retained: map[string]retainedMessage{},
		pit: pit{events: map[int][]byte{}},
	}
}

// dial connects a table.
func (b *broker) dial() (net.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone {
		return nil, errGone
	}
	table, mine := connect()
	b.conns[mine] = map[string]bool{}
	go b.serve(mine)
	return table, nil
}

// change changes how the broker behaves; again undoes it after a time.
func (b *broker) change(d time.Duration, change, again func()) {
	b.mu.Lock()
	change()
	b.mu.Unlock()
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		again()
	})
}

// hangUp ends all connections. The lock is held.
func (b *broker) hangUp() {
	for c := range b.conns {
		_ = c.Close()
	}
}

// calm makes everything well.
func (b *broker) calm() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = false
	if !b.forever {
		b.deny = ""
	}
	if b.mute {
		b.mute = false
		b.hangUp()
	}
}

// serve speaks with one table until either hangs up.
func (b *broker) serve(c net.Conn) {
	defer func() {
		_ = c.Close()
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.conns, c)
	}()
	var will *packets.ConnectPacket
	for reader := bufio.NewReader(c); ; {
		p, err := packets.ReadPacket(reader)
		if err != nil {
			b.lastWill(will)
			return
		}
		switch p := p.(type) {
		case *packets.ConnectPacket:
			will = p
		case *packets.DisconnectPacket:
			return
		case *packets.PublishPacket:
			b.world.tick(Message)
		}
		answers, goOn := b.answer(c, p)
		var out bytes.Buffer
		for _, a := range answers {
			_ = a.Write(&out)
		}
		if _, err := c.Write(out.Bytes()); err != nil || !goOn {
			b.lastWill(will)
			return
		}
	}
}

func (b *broker) lastWill(c *packets.ConnectPacket) {
	if c == nil || !c.WillFlag {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.retained[c.WillTopic] = retainedMessage{c.WillTopic, c.WillMessage}
}

// answer is what the broker answers to a packet, and whether it goes on listening.
func (b *broker) answer(c net.Conn, p packets.ControlPacket) (answers []packets.ControlPacket, goOn bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mute {
		return nil, true
	}
	if b.gone {
		return nil, false
	}
	switch p := p.(type) {
	case *packets.ConnectPacket:
		return []packets.ControlPacket{packets.NewControlPacket(packets.Connack)}, true
	case *packets.PublishPacket:
		return b.publish(p)
	case *packets.SubscribePacket:
		return b.subscribe(c, p), true
	case *packets.UnsubscribePacket:
		a := packets.NewControlPacket(packets.Unsuback).(*packets.UnsubackPacket)
		a.MessageID = p.MessageID
		return []packets.ControlPacket{a}, true
	case *packets.PingreqPacket:
		return []packets.ControlPacket{packets.NewControlPacket(packets.Pingresp)}, true
	}
	return nil, true
}

func (b *broker) publish(p *packets.PublishPacket) (answers []packets.ControlPacket, goOn bool) {
	denied := b.deny != "" && strings.Contains(p.TopicName, b.deny)
	if denied && b.hangsUp {
		return nil, false
	}
	if !denied {
		if p.Retain {
			b.retained[p.TopicName] = retainedMessage{p.TopicName, bytes.Clone(p.Payload)}
		}
		b.deliver(p)
	} else if strings.HasSuffix(p.TopicName, "/event") {
		b.pit.excused++
	}
	a := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
	a.MessageID = p.MessageID
	return []packets.ControlPacket{a}, true
}

// deliver passes a message on to the pit.
func (b *broker) deliver(p *packets.PublishPacket) {
	switch {
	case strings.HasSuffix(p.TopicName, "/health"):
		b.pit.health(p.Payload)
	case !strings.HasSuffix(p.TopicName, "/event"):
	case b.loses > 0:
		b.loses--
		b.pit.excused++
	default:
		b.pit.take(bytes.Clone(p.Payload))
	}
}

func (b *broker) subscribe(c net.Conn, p *packets.SubscribePacket) (answers []packets.ControlPacket) {
	a := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
	a.MessageID, a.ReturnCodes = p.MessageID, make([]byte, len(p.Topics))
	answers = append(answers, a)
	for _, topic := range p.Topics {
		if at := b.conns[c]; at != nil {
			at[topic] = true
		}
		if m, ok := b.retained[topic]; ok && len(m.payload) > 0 {
			out := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
			out.TopicName, out.Payload, out.Retain = m.topic, m.payload, true
			answers = append(answers, out)
		}
	}
	return answers
}
