package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// asked is what the client waits for an answer to.
type asked struct {
	answer  byte // the kind of packet that answers it
	filters int  // to how many it subscribes
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

// errOwn is a packet of the client library that is not MQTT, or that it did not write as a whole.
var errOwn = errors.New("the MQTT client's own packet cannot be read; report this")

// note notes a packet that the client is about to send, and what the broker may send for that. The library writes each
// with one call.
func (x *exchange) note(b []byte) error {
	length, n := binary.Uvarint(b[min(1, len(b)):]) // MQTT writes lengths in the same way
	if n <= 0 || uint64(len(b)-1-n) != length {
		return errOwn
	}
	body := b[1+n:]
	switch b[0] >> 4 {
	case packets.Connect:
		x.introduced = true
	case packets.Pingreq:
		x.pings++
	case packets.Publish:
		if b[0]>>1&3 > 0 {
			return x.publish(body)
		}
	case packets.Puback:
		if len(body) != 2 {
			return errOwn
		}
		x.free(binary.BigEndian.Uint16(body))
	case packets.Subscribe, packets.Unsubscribe:
		return x.subscribe(b)
	}
	return nil
}

// publish notes a message, whose number comes after its topic.
func (x *exchange) publish(body []byte) error {
	if len(body) < 2 {
		return errOwn
	}
	at := 2 + int(binary.BigEndian.Uint16(body))
	if len(body) < at+2 {
		return errOwn
	}
	x.waits[binary.BigEndian.Uint16(body[at:])] = asked{answer: packets.Puback}
	return nil
}

// subscribe notes filters that the client subscribes to or gives up.
func (x *exchange) subscribe(b []byte) error {
	read, err := packets.ReadPacket(bytes.NewReader(b))
	if err != nil {
		return errOwn
	}
	switch p := read.(type) {
	case *packets.SubscribePacket:
		for i, text := range p.Topics {
			x.expect(filter{text, p.Qoss[i]}) // a message may come before the answer
		}
		x.waits[p.MessageID] = asked{packets.Suback, len(p.Topics)}
	case *packets.UnsubscribePacket:
		x.waits[p.MessageID] = asked{answer: packets.Unsuback}
	}
	return nil
}

// expect notes what messages may come for. A filter that is given up stays: what the broker had
// buffered for it may still come, after its answer too (MQTT 3.1.1, 3.10.4).
func (x *exchange) expect(f filter) {
	at := slices.IndexFunc(x.filters, func(known filter) bool { return known.text == f.text })
	if at < 0 {
		x.filters = append(x.filters, f)
	} else {
		x.filters[at].quality = max(x.filters[at].quality, f.quality)
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
