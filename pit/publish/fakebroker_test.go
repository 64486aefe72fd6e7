package publish_test

import (
	"bufio"
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/topic"
)

// verdict is what the fake broker does with a message.
type verdict int

const (
	acknowledge verdict = iota
	ignore              // never acknowledge it
	defer_              // acknowledge it after the next message
	oneBehind           // acknowledge the one before it, which was judged likewise
	cut                 // hang up instead of acknowledging it
	acknowledgeAndCut
	verdicts
)

// fakeBroker is a broker that does as a test wants. It delivers to nobody, but keeps
// what it got.
type fakeBroker struct {
	listener net.Listener
	work     sync.WaitGroup
	// connack is the code of its welcome.
	connack byte
	// judge decides about each message. It is called under a lock.
	judge func(*packets.PublishPacket) verdict
	// granted is the code with which a subscription is answered, and retained what is
	// then sent; with nil it is not answered at all.
	granted  byte
	retained []byte
	// refuseWill refuses a connection with a will, and cutSubscribe hangs up on a
	// subscription.
	refuseWill, cutSubscribe bool
	// letters are sent to a table that subscribes to its own topics, by their kind, and reply is
	// what a reader sends on fetch when a message arrives; nil for nothing.
	letters map[topic.Kind][][]byte
	reply   func(*packets.PublishPacket) []byte

	mu       sync.Mutex
	conns    map[net.Conn]struct{}
	connects []*packets.ConnectPacket
	got      []*packets.PublishPacket
	parted   int // connections that ended with a goodbye
	// unsubscribed counts subscriptions that were given up.
	unsubscribed int
}

func startFake(t testing.TB, connack byte, judge func(*packets.PublishPacket) verdict) *fakeBroker {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeBroker{listener: listener, connack: connack, judge: judge, conns: map[net.Conn]struct{}{}}
	f.work.Go(f.accept)
	t.Cleanup(f.stop)
	return f
}

// inBubble makes a broker that is reached without a network, as in a bubble of testing/synctest.
func inBubble(judge func(*packets.PublishPacket) verdict) *fakeBroker {
	return &fakeBroker{conns: map[net.Conn]struct{}{}, granted: 1, judge: judge}
}

// table is a table that does not run yet, for a broker that inBubble made.
func (f *fakeBroker) table(t testing.TB, journal *memoryJournal) *table {
	t.Helper()
	tab := newTable(t, "tcp://nowhere", journal)
	tab.config.Dial = f.dial
	// what the library was given before a connection was lost, it gives up by then
	t.Cleanup(func() { bubble.Pass(time.Minute) })
	return tab
}

// patient is a patient table, for a broker that inBubble made.
func (f *fakeBroker) patient(t *testing.T, events int) *table {
	t.Helper()
	tab := patient(t, "tcp://nowhere", events)
	tab.config.Dial = f.dial
	t.Cleanup(func() { bubble.Pass(time.Minute) })
	return tab
}

// dial connects a table to a broker that inBubble made.
func (f *fakeBroker) dial(context.Context, string) (net.Conn, error) {
	near, far := net.Pipe()
	f.take(far)
	return near, nil
}

// take serves a connection until it ends.
func (f *fakeBroker) take(conn net.Conn) {
	f.mu.Lock()
	f.conns[conn] = struct{}{}
	f.mu.Unlock()
	f.work.Go(func() {
		f.serve(conn)
		_ = conn.Close() // the client may have closed it
		f.mu.Lock()
		delete(f.conns, conn)
		f.mu.Unlock()
	})
}

func (f *fakeBroker) stop() {
	if f.listener != nil {
		_ = f.listener.Close() // stop may be called twice
	}
	f.mu.Lock()
	for conn := range f.conns {
		_ = conn.Close()
	}
	f.mu.Unlock()
	f.work.Wait()
}

func (f *fakeBroker) url() string { return "tcp://" + f.listener.Addr().String() }

// received returns the messages on a topic so far.
func (f *fakeBroker) received(topic string) []*packets.PublishPacket {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []*packets.PublishPacket
	for _, message := range f.got {
		if message.TopicName == topic {
			found = append(found, message)
		}
	}
	return found
}

// messages counts all messages so far.
func (f *fakeBroker) messages() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.got)
}

// welcomed returns the clients' greetings so far.
func (f *fakeBroker) welcomed() []*packets.ConnectPacket {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]*packets.ConnectPacket(nil), f.connects...)
}

func (f *fakeBroker) goodbyes() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.parted
}

func (f *fakeBroker) accept() {
	for {
		conn, err := f.listener.Accept()
		if err != nil {
			return
		}
		f.take(conn)
	}
}

// serve speaks with one client until either hangs up.
func (f *fakeBroker) serve(conn net.Conn) {
	var deferred []uint16
	for reader := bufio.NewReader(conn); ; {
		packet, err := packets.ReadPacket(reader)
		if err != nil {
			return
		}
		var answers []packets.ControlPacket
		goOn := true
		switch p := packet.(type) {
		case *packets.ConnectPacket:
			answers = append(answers, f.welcome(p))
		case *packets.PublishPacket:
			var ids []uint16
			ids, deferred, goOn = f.keep(p, deferred)
			for _, id := range ids {
				puback := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
				puback.MessageID = id
				answers = append(answers, puback)
			}
			if f.reply != nil {
				if fetch := f.reply(p); fetch != nil {
					answers = append(answers, letterOf("sabot/v1/wiesbaden/bj1/fetch", fetch))
				}
			}
		case *packets.SubscribePacket:
			answers = append(answers, f.subscribe(p)...)
			goOn = !f.cutSubscribe
		case *packets.UnsubscribePacket:
			f.mu.Lock()
			f.unsubscribed++
			f.mu.Unlock()
			unsuback := packets.NewControlPacket(packets.Unsuback).(*packets.UnsubackPacket)
			unsuback.MessageID = p.MessageID
			answers = append(answers, unsuback)
		case *packets.PingreqPacket:
			answers = append(answers, packets.NewControlPacket(packets.Pingresp))
		case *packets.DisconnectPacket:
			f.mu.Lock()
			f.parted++
			f.mu.Unlock()
		}
		for _, answer := range answers {
			if answer.Write(conn) != nil {
				return
			}
		}
		if !goOn {
			return
		}
	}
}

// refuses has each connection from now on be answered with a code.
func (f *fakeBroker) refuses(code byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connack = code
}

func (f *fakeBroker) welcome(greeting *packets.ConnectPacket) packets.ControlPacket {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects = append(f.connects, greeting)
	connack := packets.NewControlPacket(packets.Connack).(*packets.ConnackPacket)
	connack.ReturnCode = f.connack
	if f.refuseWill && greeting.WillFlag {
		connack.ReturnCode = packets.ErrRefusedNotAuthorised
	}
	return connack
}

func (f *fakeBroker) subscribe(p *packets.SubscribePacket) (answers []packets.ControlPacket) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.retained == nil && f.granted == 0 {
		return nil
	}
	suback := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
	suback.MessageID, suback.ReturnCodes = p.MessageID, []byte{f.granted}
	answers = append(answers, suback)
	_, kind, _ := topic.Parse(p.Topics[0])
	for _, letter := range f.letters[kind] {
		answers = append(answers, letterOf(p.Topics[0], letter))
	}
	if f.retained != nil {
		message := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		message.TopicName, message.Payload, message.Retain = p.Topics[0], f.retained, true
		answers = append(answers, message)
	}
	return answers
}

// letterOf is what a reader writes.
func letterOf(name string, payload []byte) packets.ControlPacket {
	message := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	message.TopicName, message.Payload = name, payload
	return message
}

// hangUpOnAll ends the connections that there are.
func (f *fakeBroker) hangUpOnAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn := range f.conns {
		_ = conn.Close() // the publisher sees it go
	}
}

// givenUp counts the subscriptions that were given up.
func (f *fakeBroker) givenUp() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unsubscribed
}

// keep keeps a message. It returns what to acknowledge now and what later, and
// whether to go on.
func (f *fakeBroker) keep(message *packets.PublishPacket, deferred []uint16) (now, later []uint16, goOn bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.got = append(f.got, message)
	id := message.MessageID
	switch f.judge(message) {
	case acknowledge:
		return append([]uint16{id}, deferred...), nil, true
	case defer_:
		return nil, append(deferred, id), true
	case oneBehind:
		return deferred, []uint16{id}, true
	case acknowledgeAndCut:
		return []uint16{id}, nil, false
	case cut:
		return nil, nil, false
	}
	return nil, deferred, true
}
