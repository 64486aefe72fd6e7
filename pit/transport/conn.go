package transport

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	// maxTopic is the longest topic that a client may want, in bytes: ours have fewer than 150.
	maxTopic = 256
	// maxAnswer is the longest packet that is not a message: an answer to a subscription to many filters.
	maxAnswer = 64
	// refused is the broker's answer to a filter that it denies.
	refused = 0x80
	// lastCode is the last return code of a CONNACK that means anything.
	lastCode = packets.ErrRefusedNotAuthorised
)

// Guarded is a connection to a broker, for a client library to read from and write to. One goroutine may read; any
// number may write, each whole packets at once.
type Guarded struct {
	net.Conn
	limits Limits

	in                   *bufio.Reader
	head                 []byte // was checked, and not read yet
	rest                 int    // of a message's payload, after head
	messages, sent, size bucket
	err                  error // of all reads from now on

	writing sync.Mutex

	mu     sync.Mutex
	x      exchange
	breach *Breach
}

// Guard is a connection that was just made, on which nothing was sent.
func Guard(conn net.Conn, l Limits) *Guarded {
	return &Guarded{
		Conn: conn, limits: l, in: bufio.NewReader(conn),
		messages: bucket{Rate: l.Messages}, sent: bucket{Rate: l.Packets}, size: bucket{Rate: l.Bytes},
		x: exchange{waits: map[uint16]asked{}},
	}
}

// Breach is why the connection was ended, nil if it was not for a breach.
func (c *Guarded) Breach() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.breach == nil {
		return nil
	}
	return c.breach
}

// Write sends to the broker, and notes what may be answered to it.
func (c *Guarded) Write(b []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	err := c.x.note(b)
	c.mu.Unlock()
	if err != nil {
		return 0, err
	}
	if err := c.SetWriteDeadline(time.Now().Add(c.limits.Write)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Read reads what the broker may send. Any error is the last one.
func (c *Guarded) Read(p []byte) (n int, err error) {
	if len(p) == 0 || c.err != nil {
		return 0, c.err
	}
	for len(c.head) == 0 && c.rest == 0 {
		if err := c.next(); err != nil {
			return 0, c.endConnection(err)
		}
	}
	if len(c.head) > 0 {
		n = copy(p, c.head)
		c.head = c.head[n:]
		return n, nil
	}
	n, err = c.in.Read(p[:min(len(p), c.rest)])
	c.rest -= n
	if err != nil {
		return n, c.endConnection(cut(err))
	}
	return n, nil
}

// endConnection makes an error the last one. What a broker sends after a breach is of no interest.
func (c *Guarded) endConnection(err error) error {
	c.err = err
	if b, ok := errors.AsType[*Breach](err); ok {
		c.mu.Lock()
		c.breach = b
		c.mu.Unlock()
		_ = c.Close() // the breach is why, whatever else
	}
	return err
}

// cut is the error of a connection that ends within a packet.
func cut(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// next reads the next packet, of a message only what is before its payload, and checks it.
func (c *Guarded) next() error {
	first, err := c.in.ReadByte()
	if err != nil {
		return err
	}
	c.head = append(c.head[:0], first)
	length, err := c.length()
	if err != nil {
		return err
	}
	kind, flags := first>>4, first&15
	c.mu.Lock()
	introduced, accepted := c.x.introduced, c.x.accepted
	c.mu.Unlock()
	row := taking[kind]
	switch {
	case row.take == nil && kind != packets.Publish:
		return notItsTurn
	case !introduced || !accepted && kind != packets.Connack:
		return notFirst
	case kind == packets.Publish:
		return c.message(flags, length)
	case flags != 0:
		return notMQTT
	case length < row.least || length > row.most:
		return row.wrong
	}
	body, err := c.more(length)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if breach := row.take(&c.x, body); breach != nil {
		return breach
	}
	return nil
}

// length reads the length of a packet's body.
func (c *Guarded) length() (length int, err error) {
	for shift := 0; ; shift += 7 {
		b, err := c.in.ReadByte()
		if err != nil {
			return 0, cut(err)
		}
		c.head = append(c.head, b)
		length |= int(b&0x7f) << shift
		switch {
		case b >= 0x80 && shift == 21, b == 0 && shift > 0:
			return 0, notMQTT // a fifth byte, or one that says nothing
		case b < 0x80:
			return length, nil
		}
	}
}

// more appends n bytes to the head, and returns them.
func (c *Guarded) more(n int) ([]byte, error) {
	at := len(c.head)
	c.head = slices.Grow(c.head, n)[:at+n]
	_, err := io.ReadFull(c.in, c.head[at:])
	return c.head[at:], cut(err)
}

// answer is a packet of the broker's that is not a message.
type answer struct {
	least, most int     // bytes of its body
	wrong       *Breach // any other length
	take        func(x *exchange, body []byte) *Breach
}

// taking has a row for each kind of packet that a broker may send, but for messages.
var taking = [16]answer{
	packets.Connack: {2, 2, badConnack, func(x *exchange, body []byte) *Breach {
		switch {
		case x.accepted:
			return acceptsTwice
		case body[0] > 1 || body[1] > lastCode:
			return badConnack
		}
		x.accepted = body[1] == packets.Accepted
		return nil
	}},
	packets.Puback: {2, 2, badAnswer, func(x *exchange, body []byte) *Breach {
		if _, waited := x.answered(binary.BigEndian.Uint16(body), packets.Puback); !waited {
			return badAnswer
		}
		return nil
	}},
	packets.Suback: {3, maxAnswer, badAnswer, func(x *exchange, body []byte) *Breach {
		a, waited := x.answered(binary.BigEndian.Uint16(body), packets.Suback)
		if !waited || len(body)-2 != a.filters {
			return badAnswer
		}
		for _, code := range body[2:] {
			if code > 2 && code != refused {
				return badGrant
			}
		}
		return nil
	}},
	packets.Unsuback: {2, 2, badAnswer, func(x *exchange, body []byte) *Breach {
		if _, waited := x.answered(binary.BigEndian.Uint16(body), packets.Unsuback); !waited {
			return badAnswer
		}
		return nil
	}},
	packets.Pingresp: {0, 0, badAnswer, func(x *exchange, _ []byte) *Breach {
		if x.pings == 0 {
			return badAnswer
		}
		x.pings--
		return nil
	}},
}

// message checks a message, and hands it on or passes it over.
func (c *Guarded) message(flags byte, length int) error {
	quality, now := flags>>1&3, time.Now()
	least := 2
	if quality > 0 {
		least += 2
	}
	switch {
	case quality > 1 || quality == 0 && flags&8 != 0:
		return badQuality
	case length <= least:
		return badTopic
	case !c.sent.takeTokens(now, 1) || !c.size.takeTokens(now, length):
		return tooMuch
	}
	text, err := c.more(2)
	if err != nil {
		return err
	}
	long := int(binary.BigEndian.Uint16(text))
	if long == 0 || long > length-least {
		return badTopic
	}
	odd := long > maxTopic
	if odd {
		_, err = c.in.Discard(long)
	} else {
		text, err = c.more(long)
	}
	if err != nil {
		return cut(err)
	}
	if !odd {
		if err := c.mayCome(text, quality); err != nil {
			return err
		}
	}
	if quality > 0 {
		number, err := c.more(2)
		if err != nil {
			return err
		}
		c.mu.Lock()
		free := c.x.takeNumber(binary.BigEndian.Uint16(number))
		c.mu.Unlock()
		if !free {
			return badNumber
		}
	}
	rest := length - least - long
	switch {
	case odd:
		return c.pass(OddTopic, length, rest, quality)
	case length > c.limits.Message:
		return c.pass(TooLong, length, rest, quality)
	case !c.messages.takeTokens(now, 1):
		return c.pass(TooMany, length, rest, quality)
	}
	c.rest = rest
	return nil
}

// mayCome says what is wrong with a topic, or with the quality in which a message comes on it.
func (c *Guarded) mayCome(topic []byte, quality byte) error {
	if !utf8.Valid(topic) || bytes.ContainsAny(topic, "\x00+#") {
		return badTopic
	}
	c.mu.Lock()
	best, asked := c.x.quality(string(topic))
	c.mu.Unlock()
	switch {
	case !asked:
		return notAsked
	case quality > best:
		return badQuality
	}
	return nil
}

// pass passes over a message of which so many bytes have not come. The broker waits for its acknowledgement all
// the same, and would send nothing else after some.
func (c *Guarded) pass(why string, length, rest int, quality byte) error {
	if quality > 0 {
		number := c.head[len(c.head)-2:]
		if _, err := c.Write([]byte{packets.Puback << 4, 2, number[0], number[1]}); err != nil {
			return err
		}
	}
	c.head = c.head[:0]
	if c.limits.Passed != nil {
		c.limits.Passed(why, length)
	}
	_, err := c.in.Discard(rest)
	return cut(err)
}
