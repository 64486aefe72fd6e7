package brokertest

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

var clients atomic.Uint64

// Message is what a subscriber got.
type Message struct {
	Topic    string
	Payload  []byte
	Retained bool
}

// Subscriber keeps every message that the broker sent to it, in order, up to the
// last byte before the connection ended.
type Subscriber struct {
	conn net.Conn
	done chan struct{}

	mu       sync.Mutex
	messages []Message
}

// Subscribe connects to the broker and returns when it has confirmed the
// subscription. The subscription is of QoS 0, so that the subscriber never writes:
// a broker that dies does not take messages with it that it had sent already. It
// ends with the test, or with its broker.
func Subscribe(t testing.TB, addr, filter string) *Subscriber {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatalf("subscribe at %s: %v", addr, err)
	}
	reader := bufio.NewReader(conn)
	greet(t, conn, reader)
	subscribe := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
	subscribe.MessageID, subscribe.Topics, subscribe.Qoss = 1, []string{filter}, []byte{0}
	s := &Subscriber{conn: conn, done: make(chan struct{})}
	s.messages = exchange(t, conn, reader, subscribe, packets.Suback)
	go s.listen(reader)
	t.Cleanup(func() {
		_ = conn.Close() // the broker may have closed it long ago
		<-s.done
	})
	return s
}

// greet connects as a client with a name of its own.
func greet(t testing.TB, conn net.Conn, reader *bufio.Reader) {
	t.Helper()
	connect := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	connect.ProtocolName, connect.ProtocolVersion, connect.CleanSession = "MQTT", 4, true
	connect.ClientIdentifier = fmt.Sprintf("test-%d", clients.Add(1))
	connect.Keepalive = 3600
	exchange(t, conn, reader, connect, packets.Connack)
}

// exchange sends a packet and takes its answer, and returns the messages that came before it: a broker may send those
// of a subscription before it confirms that (MQTT 3.1.1, 3.8.4).
func exchange(t testing.TB, conn net.Conn, reader *bufio.Reader, question packets.ControlPacket,
	answer byte,
) (before []Message) {
	t.Helper()
	if err := conn.SetDeadline(time.Now().Add(Deadline)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.SetDeadline(time.Time{}) }() // what comes later may take its time
	if err := question.Write(conn); err != nil {
		t.Fatalf("write to the broker: %v", err)
	}
	want, err := packets.NewControlPacketWithHeader(packets.FixedHeader{MessageType: answer})
	if err != nil {
		t.Fatal(err)
	}
	for {
		got, err := packets.ReadPacket(reader)
		if err != nil {
			t.Fatalf("read from the broker: %v", err)
		}
		message, early := got.(*packets.PublishPacket)
		switch {
		case early && answer == packets.Suback:
			before = append(before, messageOf(message))
		case fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want):
			t.Fatalf("the broker answered %s to %s", got, question)
		default:
			return before
		}
	}
}

func messageOf(p *packets.PublishPacket) Message { return Message{p.TopicName, p.Payload, p.Retain} }

// Messages returns all that came so far.
func (s *Subscriber) Messages() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages[:len(s.messages):len(s.messages)]
}

// Wait returns when the broker has gone and all that it had sent is read.
func (s *Subscriber) Wait() { <-s.done }

func (s *Subscriber) listen(reader *bufio.Reader) {
	defer close(s.done)
	for {
		packet, err := packets.ReadPacket(reader)
		if err != nil {
			return
		}
		if message, ok := packet.(*packets.PublishPacket); ok {
			s.mu.Lock()
			s.messages = append(s.messages, messageOf(message))
			s.mu.Unlock()
		}
	}
}

// Publish sends one retained message through a connection of its own.
func Publish(t testing.TB, addr, topic string, payload []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatalf("publish at %s: %v", addr, err)
	}
	defer func() { _ = conn.Close() }() // all is acknowledged by then
	reader := bufio.NewReader(conn)
	greet(t, conn, reader)
	publish := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	publish.MessageID, publish.Qos, publish.Retain = 1, 1, true
	publish.TopicName, publish.Payload = topic, payload
	exchange(t, conn, reader, publish, packets.Puback)
}
