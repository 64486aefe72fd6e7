package replica

import (
	"errors"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/transport"
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
