package shoesim

import (
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// disk is what a host has stored durably; it outlives the host.
type disk struct {
	boot   uint32
	seq    uint32
	events []wire.Message
}

// host is the smallest host that follows SPEC.md, pure like Core. It stores each event at once.
type host struct {
	disk     *disk
	decoder  wire.Decoder
	session  bool
	boot     uint32
	expected uint32
	started  bool
	heard    time.Duration
	helloAt  time.Duration
	commands []wire.Message // to be sent in the session
	lost     []uint32       // what hellos showed to be lost; 0 if unknown
	texts    []string
	faults   []error
	beats    int
	out      []byte
}

func (h *host) Step(now time.Duration, in, out []byte) []byte {
	h.out = out
	if !h.started {
		h.started, h.heard = true, now
		h.out = append(h.out, 0)
		h.greet(now)
	}
	h.decoder.Feed(in, func(m wire.Message, err error) { h.receive(now, m, err) })
	if h.session && now >= h.heard+wire.LinkLostAfter {
		h.greet(now)
	}
	if !h.session && now >= h.helloAt {
		h.greet(now)
	}
	if h.session {
		for _, m := range h.commands {
			h.send(m)
		}
		h.commands = nil
	}
	return h.out
}

func (h *host) send(m wire.Message) { h.out = wire.AppendFrame(h.out, m) }

func (h *host) greet(now time.Duration) {
	h.session = false
	h.helloAt = now + wire.HelloEvery
	h.send(wire.Message{Type: wire.HostHello, Protocol: wire.Version, Boot: h.disk.boot, Seq: h.disk.seq})
}

func (h *host) receive(now time.Duration, m wire.Message, err error) {
	if err != nil {
		h.faults = append(h.faults, err)
		if !m.Numbered() {
			return
		}
	}
	h.heard = now
	switch {
	case m.Type == wire.Hello && !m.InSession:
		h.greet(now)
	case m.Type == wire.Hello:
		h.compare(m)
	case m.Type == wire.Log:
		h.texts = append(h.texts, m.Text.String())
	case !h.session:
	case m.Boot != h.boot:
		h.greet(now)
	case m.Type == wire.Heartbeat:
		h.beats++
		h.acknowledge()
		if m.Last-uint32(m.Queued)+1 > h.expected {
			h.greet(now)
		}
	case m.Numbered():
		h.take(m)
	}
}

func (h *host) compare(m wire.Message) {
	next := uint32(1)
	switch {
	case m.Boot == h.disk.boot && m.Last < h.disk.seq:
		h.lost = append(h.lost, 0)
		next = m.First
	case m.Boot == h.disk.boot:
		next = h.disk.seq + 1
	case h.disk.boot != 0:
		h.lost = append(h.lost, 0)
	}
	if m.First > next {
		h.lost = append(h.lost, m.First-next)
	}
	h.session, h.boot, h.expected = true, m.Boot, max(m.First, next)
	h.disk.boot, h.disk.seq = h.boot, h.expected-1
}

func (h *host) take(m wire.Message) {
	if m.Seq > h.expected {
		return
	}
	if m.Seq == h.expected {
		h.expected++
		h.disk.events = append(h.disk.events, m)
		h.disk.seq = m.Seq
	}
	h.acknowledge()
}

func (h *host) acknowledge() {
	h.send(wire.Message{Type: wire.Acknowledge, Boot: h.boot, Seq: h.disk.seq})
}
