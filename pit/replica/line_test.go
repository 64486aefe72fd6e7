package replica

import (
	"context"
	"errors"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// slow is a connection that takes its time to publish.
type slow struct {
	mqtt.Client
	begun, goOn chan struct{}
}

func (s slow) Publish(string, byte, bool, any) mqtt.Token {
	s.begun <- struct{}{}
	<-s.goOn
	return nil
}

// TestTwoAtOnce: while one message is on its way, another may be said; and none without a connection.
func TestTwoAtOnce(t *testing.T) {
	line := &mqttLine{}
	if err := line.Say("a", nil); !errors.Is(err, ErrAway) {
		t.Errorf("without a connection it says %v", err)
	}
	conn := slow{begun: make(chan struct{}), goOn: make(chan struct{})}
	line.has(&transport.Conn{Client: conn})
	ended := make(chan error, 2)
	for range 2 {
		go func() { ended <- line.Say("a", nil) }()
	}
	for range 2 {
		select {
		case <-conn.begun:
		case err := <-ended:
			t.Fatalf("it was not sent: %v", err)
		}
	}
	close(conn.goOn)
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// heard notes the topics of messages.
type heard chan string

func (h heard) Connected(bool, string)        {}
func (h heard) Message(name string, _ []byte) { h <- name }

// TestRetainedIsHeardAgain: a broker that misses a retained message when the pit subscribes is asked once more.
func TestRetainedIsHeardAgain(t *testing.T) {
	b, err := broker.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	says := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + b.Addr()))
	defer says.Disconnect(0)
	for _, token := range []func() mqtt.Token{
		says.Connect,
		func() mqtt.Token { return says.Publish(table.Topic(topic.KindStatus), 1, true, "online") },
	} {
		if err := mqtt.WaitTokenTimeout(token(), brokertest.Deadline); err != nil {
			t.Fatal(err)
		}
	}
	line, err := NewMQTT(Broker{
		Site: "wiesbaden", Reader: "pit", Config: transport.Config{Broker: "tcp://" + b.Addr()},
	})
	if err != nil {
		t.Fatal(err)
	}
	line.(*mqttLine).again = time.Millisecond
	ctx, end := context.WithCancel(t.Context())
	hears, ended := make(heard, 10), make(chan error, 1)
	go func() { ended <- line.Hear(ctx, hears) }()
	for n := range 2 {
		select {
		case <-hears:
		case <-time.After(brokertest.Deadline):
			t.Fatalf("the pit hears what is retained %d times", n)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// asking asks a table as soon as it is told that there is a connection.
type asking struct {
	line Line
	said chan error
}

func (a asking) Connected(up bool, _ string) {
	if up {
		a.said <- a.line.Say("sabot/v1/wiesbaden/bj-1/fetch", nil)
	}
}

func (asking) Message(string, []byte) {}

// TestAskedAtOnce: whoever is told that there is a connection can use it.
func TestAskedAtOnce(t *testing.T) {
	b, err := broker.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	line, err := NewMQTT(Broker{
		Site: "wiesbaden", Reader: "pit", Config: transport.Config{Broker: "tcp://" + b.Addr()},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	said, ended := make(chan error, 1), make(chan error, 1)
	go func() { ended <- line.Hear(ctx, asking{line, said}) }()
	if err := <-said; err != nil {
		t.Errorf("a table cannot be asked: %v", err)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
