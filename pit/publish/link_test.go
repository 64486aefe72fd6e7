package publish

import (
	"bufio"
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// newPipe returns a link and the broker's end of its connection.
func newPipe(window int) (*link, net.Conn) {
	near, far := net.Pipe()
	return newLink(near, bufio.NewReader(near), window), far
}

// TestSilence: a broker that answers pings is kept although nothing else happens, and one
// that does not is left.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, broker := newPipe(1)
		defer l.drop()
		const answered = 5
		for range answered {
			p, err := packets.ReadPacket(broker)
			if _, ping := p.(*packets.PingreqPacket); !ping {
				t.Fatalf("in silence the broker got %v, %v", p, err)
			}
			if err := packets.NewControlPacket(packets.Pingresp).Write(broker); err != nil {
				t.Fatal(err)
			}
		}
		last := time.Now()
		if _, err := packets.ReadPacket(broker); err != nil {
			t.Fatal(err)
		}
		if err := <-l.lost; !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the link ended with %v", err)
		}
		if waited := time.Since(last); waited != keepAlive+pingTimeout {
			t.Errorf("the silence was found after %s", waited)
		}
	})
}

// TestNumbers: the numbers of messages begin again after the last, without 0, which MQTT
// forbids; messages come out in their order whatever the broker acknowledges first.
func TestNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, broker := newPipe(2)
		defer l.drop()
		var sequence uint64
		for want := uint16(1); sequence < 1<<17; {
			var ids [2]uint16
			for i := range ids {
				sequence++
				l.send(delivery{topic: "t", sequence: sequence})
				p, err := packets.ReadPacket(broker)
				if err != nil {
					t.Fatal(err)
				}
				if ids[i] = p.Details().MessageID; ids[i] != want {
					t.Fatalf("message %d has number %d, not %d", sequence, ids[i], want)
				}
				if want++; want == 0 {
					want = 1
				}
			}
			for _, id := range []uint16{ids[1], ids[0]} {
				ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
				ack.MessageID = id
				if err := ack.Write(broker); err != nil {
					t.Fatal(err)
				}
			}
			for _, s := range []uint64{sequence - 1, sequence} {
				if d := <-l.settled; d.sequence != s {
					t.Fatalf("message %d came out before %d", d.sequence, s)
				}
			}
		}
	})
}
