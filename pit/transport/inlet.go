package transport

import (
	"bufio"
	"errors"
	"io"
	"net"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// subackBody is the length of the answer to a subscription: its number, and a code for its one filter. The client
// library looks for a filter to every code, and panics where the answer has more codes than were asked for.
const subackBody = 3

// inlet is a connection that passes over MQTT packets that are too long.
type inlet struct {
	net.Conn
	most    int            // bytes of a packet's body
	tooLong func(body int) // is told of one that is longer
	in      *bufio.Reader
	head    []byte // of the packet: type and length, not read yet
	rest    int    // bytes of the packet's body that are not read yet
}

// Read reads from the packets that are not too long.
func (c *inlet) Read(p []byte) (n int, err error) {
	for len(c.head) == 0 && c.rest == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if len(c.head) > 0 {
		n = copy(p, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	n, err = c.in.Read(p[:min(len(p), c.rest)])
	c.rest -= n
	return n, err
}

// next reads the head of a packet, and skips the packet if it is too long.
func (c *inlet) next() error {
	kind, err := c.in.ReadByte()
	if err != nil {
		return err
	}
	head, length := []byte{kind}, 0
	for shift := 0; ; shift += 7 {
		if shift > 21 {
			return errors.New("the broker sends something that is not MQTT: look at what listens at its address")
		}
		b, err := c.in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		head = append(head, b)
		length |= int(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	if kind>>4 == packets.Suback && length != subackBody {
		return errors.New("the broker answers a subscription in a way that is not MQTT: look at what listens at its address")
	}
	if length <= c.most {
		c.head, c.rest = head, length
		return nil
	}
	c.tooLong(length)
	_, err = c.in.Discard(length)
	return unexpected(err)
}

// unexpected is the error of a connection that ends within a packet.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
