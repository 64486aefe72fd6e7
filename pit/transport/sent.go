package transport

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// asked is what the client waits for an answer to.
type asked struct {
	answer  byte     // the kind of packet that answers it
	filters []filter // that it subscribes to or gives up
}

// filter is one subscription.
type filter struct {
	text    string
	quality byte
}

// matches says whether a message on a topic may come for the filter.
func (f filter) matches(topic string) bool {
	wild := strings.HasPrefix(f.text, "+") || strings.HasPrefix(f.text, "#")
	if wild && strings.HasPrefix(topic, "$") {
		return false
	}
	text := f.text
	for {
		wants, restWanted, moreWanted := strings.Cut(text, "/")
		if wants == "#" {
			return true
		}
		level, rest, more := strings.Cut(topic, "/")
		if wants != "+" && wants != level {
			return false
		}
		switch {
		case more && moreWanted:
			text, topic = restWanted, rest
		case moreWanted:
			return restWanted == "#" // which includes the level above
		default:
			return !more
		}
	}
}

// exchange is how far the conversation is: what the client has sent, and what the broker may therefore send.
type exchange struct {
	introduced, accepted bool
	pings                int // not answered
	waits                map[uint16]asked
	filters              []filter
	taken                [1 << 16 / 64]uint64 // numbers of messages that the client has not acknowledged
}

// packet is a whole packet of the client's, or of a message only what is before its payload.
type packet struct {
	kind, flags byte
	body        []byte
}

// note notes a packet that the client is about to send.
func (x *exchange) note(p packet) error {
	if do := sending[p.kind]; do != nil {
		return do(x, p)
	}
	return nil
}

// sending is what each packet of the client's means for what the broker may send.
var sending = [16]func(*exchange, packet) error{
	packets.Connect: func(x *exchange, _ packet) error {
		x.introduced = true
		return nil
	},
	packets.Publish: func(x *exchange, p packet) error {
		if p.flags>>1&3 == 0 {
			return nil
		}
		return x.wait(p.body[len(p.body)-2:], asked{answer: packets.Puback})
	},
	packets.Puback: func(x *exchange, p packet) error {
		if len(p.body) != 2 {
			return errOwn
		}
		x.free(binary.BigEndian.Uint16(p.body))
		return nil
	},
	packets.Subscribe:   func(x *exchange, p packet) error { return x.subscribe(p.body, packets.Suback, 1) },
	packets.Unsubscribe: func(x *exchange, p packet) error { return x.subscribe(p.body, packets.Unsuback, 0) },
	packets.Pingreq: func(x *exchange, _ packet) error {
		x.pings++
		return nil
	},
}

// errOwn is a packet of the client library that is not MQTT.
var errOwn = errors.New("the MQTT client's own packet cannot be read; report this")

// wait notes that the broker will answer the packet with a number.
func (x *exchange) wait(number []byte, a asked) error {
	if len(number) < 2 {
		return errOwn
	}
	x.waits[binary.BigEndian.Uint16(number)] = a
	return nil
}

// subscribe notes filters, each followed by so many bytes of its quality.
func (x *exchange) subscribe(body []byte, answer byte, more int) error {
	if len(body) < 2 {
		return errOwn
	}
	a := asked{answer: answer}
	for rest := body[2:]; len(rest) > 0; {
		if len(rest) < 2 {
			return errOwn
		}
		end := 2 + int(binary.BigEndian.Uint16(rest))
		if len(rest) < end+more {
			return errOwn
		}
		f := filter{text: string(rest[2:end])}
		if more > 0 {
			f.quality = rest[end]
		}
		a.filters, rest = append(a.filters, f), rest[end+more:]
	}
	if answer == packets.Suback {
		x.expect(a.filters) // a message may come before the answer
	}
	return x.wait(body, a)
}

// expect notes what messages may come for. A filter that is given up stays: what the broker had
// buffered for it may still come, after its answer too (MQTT 3.1.1, 3.10.4).
func (x *exchange) expect(filters []filter) {
	for _, f := range filters {
		at := slices.IndexFunc(x.filters, func(known filter) bool { return known.text == f.text })
		if at < 0 {
			x.filters = append(x.filters, f)
		} else {
			x.filters[at].quality = max(x.filters[at].quality, f.quality)
		}
	}
}

// answered takes what the client waits for under a number.
func (x *exchange) answered(number uint16, kind byte) (asked, bool) {
	a, waits := x.waits[number]
	if !waits || a.answer != kind {
		return asked{}, false
	}
	delete(x.waits, number)
	return a, true
}

// quality is the best in which a message may come on a topic; false for none.
func (x *exchange) quality(topic string) (best byte, any bool) {
	for _, f := range x.filters {
		if f.matches(topic) {
			best, any = max(best, f.quality), true
		}
	}
	return best, any
}

// takeNumber notes that a message came under a number; false if there is one under it.
func (x *exchange) takeNumber(number uint16) bool {
	word, bit := &x.taken[number/64], uint64(1)<<(number%64)
	if number == 0 || *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

func (x *exchange) free(number uint16) { x.taken[number/64] &^= 1 << (number % 64) }

// splitter finds the packets in what the client writes.
type splitter struct {
	part []byte // of a packet
	skip int    // bytes of a payload
}

// split calls note for each packet in b.
func (s *splitter) split(b []byte, note func(packet) error) error {
	if s.skip > 0 {
		n := min(s.skip, len(b))
		s.skip, b = s.skip-n, b[n:]
	}
	if len(s.part) > 0 {
		b = append(s.part, b...)
		s.part = nil
	}
	for len(b) > 0 {
		p, used, payload, err := first(b)
		if err != nil {
			return err
		}
		if used == 0 {
			s.part = append([]byte(nil), b...)
			return nil
		}
		if err := note(p); err != nil {
			return err
		}
		n := min(payload, len(b)-used)
		s.skip, b = payload-n, b[used+n:]
	}
	return nil
}

// first takes the first packet of b apart. It uses none of b while the packet is not there; payload is what comes
// after what is used.
func first(b []byte) (p packet, used, payload int, err error) {
	length, at := 0, 1
	for shift := 0; ; shift += 7 {
		if shift > 21 {
			return p, 0, 0, errOwn
		}
		if at >= len(b) {
			return p, 0, 0, nil
		}
		length |= int(b[at]&0x7f) << shift
		at++
		if b[at-1] < 0x80 {
			break
		}
	}
	p.kind, p.flags = b[0]>>4, b[0]&15
	body := length
	if p.kind == packets.Publish {
		if len(b) < at+2 {
			return p, 0, 0, nil
		}
		if body = 2 + int(binary.BigEndian.Uint16(b[at:])); p.flags>>1&3 > 0 {
			body += 2
		}
		if body > length {
			return p, 0, 0, errOwn
		}
	}
	if len(b) < at+body {
		return p, 0, 0, nil
	}
	p.body = b[at : at+body]
	return p, at + body, length - body, nil
}
