package broker_test

import (
	"bufio"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// start runs a broker for the test.
func start(t *testing.T, log *slog.Logger) *broker.Broker {
	t.Helper()
	return startPatiently(t, log, time.Minute)
}

func startPatiently(t *testing.T, log *slog.Logger, patience time.Duration) *broker.Broker {
	t.Helper()
	b, err := broker.ListenPatiently("127.0.0.1:0", log, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// connect returns a client of the broker.
func connect(t *testing.T, b *broker.Broker, name string) paho.Client {
	t.Helper()
	client := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID(name))
	wait(t, client.Connect())
	t.Cleanup(func() { client.Disconnect(100) })
	return client
}

func wait(t *testing.T, token paho.Token) {
	t.Helper()
	if err := paho.WaitTokenTimeout(token, brokertest.Deadline); err != nil {
		t.Fatal(err)
	}
}

func TestDeliversAndRetains(t *testing.T) {
	b := start(t, nil)
	before := brokertest.Subscribe(t, b.Addr(), "a/+")
	client := connect(t, b, "publisher")
	wait(t, client.Publish("a/kept", 1, true, "one"))
	wait(t, client.Publish("a/passing", 1, false, "two"))
	// The retained one may come again, even last, as the answer to the subscription.
	brokertest.Until(t, "both messages are there", func() bool {
		there := map[string]bool{}
		for _, m := range before.Messages() {
			there[m.Topic] = true
		}
		return there["a/kept"] && there["a/passing"]
	})
	after := brokertest.Subscribe(t, b.Addr(), "a/+")
	brokertest.Until(t, "the retained message is there", func() bool { return len(after.Messages()) == 1 })
	if got := after.Messages()[0]; got.Topic != "a/kept" || string(got.Payload) != "one" || !got.Retained {
		t.Errorf("retained %+v", got)
	}
}

func TestThePortIsTaken(t *testing.T) {
	b := start(t, nil)
	_, port, err := net.SplitHostPort(b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	second, err := broker.Listen(b.Addr(), nil)
	if err == nil {
		t.Fatal("two brokers on one port", second.Close())
	}
	for _, want := range []string{b.Addr(), "port " + port, "mosquitto", "stop it", "another port"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:0": "this computer only",
		":1883":     "127.0.0.1:1883",
		"nonsense":  "127.0.0.1:1883",
		"127.0.0.1": "127.0.0.1:1883",
		"[::]:0":    "this computer only",
	} {
		b, err := broker.Listen(addr, nil)
		if err == nil {
			t.Errorf("%s was taken", addr)
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error %q does not say %q", addr, err, want)
		}
	}
}

// TestCloseWaitsForNobody closes a broker with a client that never introduced
// itself, and another that is connected.
func TestCloseWaitsForNobody(t *testing.T) {
	b, err := broker.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	connected := brokertest.Subscribe(t, b.Addr(), "#")
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	connected.Wait()
	if err := silent.SetReadDeadline(time.Now().Add(brokertest.Deadline)); err != nil {
		t.Fatal(err)
	}
	if _, err := silent.Read(make([]byte, 1)); err == nil {
		t.Error("the silent client is still connected")
	}
}

// TestASlowReaderIsCutOff subscribes and then never reads: the broker must say so
// and hang up, and neither drop behind the reader's back nor keep others waiting.
func TestASlowReaderIsCutOff(t *testing.T) {
	for _, qos := range []byte{0, 1} {
		var log brokertest.Log
		b := startPatiently(t, log.Logger(), 200*time.Millisecond)
		conn, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		introduce(t, conn, qos)
		client := connect(t, b, "publisher")
		payload := make([]byte, 64<<10)
		brokertest.Until(t, "the reader is cut off", func() bool {
			wait(t, client.Publish("a/b", 1, false, payload))
			return log.Count("was disconnected") > 0
		})
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if got := log.Count("was disconnected"); got != 1 || !strings.Contains(log.String(), "client=sleeper") {
			t.Errorf("QoS %d: the log does not say it once, with the reader's name:\n%s", qos, log.String())
		}
		wait(t, client.Publish("a/b", 1, false, "the others are served on"))
	}
}

// introduce connects and subscribes by hand, and reads no further than the answers.
func introduce(t *testing.T, conn net.Conn, qos byte) {
	t.Helper()
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession = "MQTT", 4, true
	hello.ClientIdentifier, hello.Keepalive = "sleeper", 600
	subscribe := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
	subscribe.MessageID, subscribe.Topics, subscribe.Qoss = 1, []string{"#"}, []byte{qos}
	reader := bufio.NewReader(conn)
	for _, packet := range []packets.ControlPacket{hello, subscribe} {
		if err := packet.Write(conn); err != nil {
			t.Fatal(err)
		}
		if _, err := packets.ReadPacket(reader); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAnyNumberOfASubscription: a client that numbers a subscription as a message that it has not acknowledged gets the
// answer of MQTT 3, under its own number, and what it has subscribed to; the same of the end of a subscription.
func TestAnyNumberOfASubscription(t *testing.T) {
	b := start(t, nil)
	conn, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(brokertest.Deadline)); err != nil {
		t.Fatal(err)
	}
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier = "MQTT", 4, true, "bridge"
	reader := bufio.NewReader(conn)
	said := func(ask packets.ControlPacket) packets.ControlPacket {
		t.Helper()
		if ask != nil {
			if err := ask.Write(conn); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := packets.ReadPacket(reader)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	subscribe := func(number uint16, topic string) packets.ControlPacket {
		ask := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
		ask.MessageID, ask.Topics, ask.Qoss = number, []string{topic}, []byte{1}
		return ask
	}
	said(hello)
	said(subscribe(9, "a"))
	client := connect(t, b, "publisher")
	wait(t, client.Publish("a", 1, false, "not acknowledged"))
	number := said(nil).(*packets.PublishPacket).MessageID
	granted := said(subscribe(number, "b")).(*packets.SubackPacket)
	if granted.MessageID != number || len(granted.ReturnCodes) != 1 || granted.ReturnCodes[0] != 1 {
		t.Errorf("the subscription %d is answered %d with %x", number, granted.MessageID, granted.ReturnCodes)
	}
	wait(t, client.Publish("b", 1, false, "subscribed"))
	if came := said(nil).(*packets.PublishPacket); came.TopicName != "b" {
		t.Errorf("what came is of %q", came.TopicName)
	}
	end := packets.NewControlPacket(packets.Unsubscribe).(*packets.UnsubscribePacket)
	end.MessageID, end.Topics = number, []string{"b"}
	if ended := said(end).(*packets.UnsubackPacket); ended.MessageID != number {
		t.Errorf("the end %d is answered %d", number, ended.MessageID)
	}
	wait(t, client.Publish("b", 1, false, "not subscribed"))
	wait(t, client.Publish("a", 1, false, "the last"))
	if came := said(nil).(*packets.PublishPacket); came.TopicName != "a" {
		t.Errorf("after its end, something of %q came", came.TopicName)
	}
}
