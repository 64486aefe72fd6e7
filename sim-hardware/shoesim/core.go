package shoesim

import (
	"errors"
	"math"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// Identity is what a shoe says about itself in its hello.
type Identity struct {
	Serial       string
	Firmware     [3]uint8
	Capabilities wire.Capabilities
}

// Core is a shoe's firmware without its hardware: bytes and times in, bytes out.
// It follows firmware-protocol/SPEC.md, has no goroutine and reads no clock. All
// times are since boot and never go back.
//
// What happens to the shoe (Card, Key, ...) is queued; Step sends it.
type Core struct {
	id      Identity
	boot    uint32
	decoder wire.Decoder
	out     []byte

	queue queue
	onWay int    // how many of the queue, from the oldest, have been sent and not acknowledged
	sent  uint32 // highest number ever sent, to recognize a repetition

	session  bool
	heard    time.Duration // when the host was last heard
	beatAt   time.Duration // when the next heartbeat or hello is due
	resendAt time.Duration // when to go back; it counts only while onWay > 0

	locks     wire.LockBits
	light     wire.Light
	queueFull bool // the alarm is raised
	lost      int  // events without a place, not reported yet
	keysDown  uint8
	keysTold  uint8

	security *security // nil without a key
	counts   Counts
}

// Counts are what a Core has done since boot.
type Counts struct {
	Acked   uint32 // events acknowledged
	Resent  uint32 // event frames sent again
	Lost    uint32 // events for which the queue had no place
	Refused uint32 // host frames that were not usable
	// Tampered counts what a shoe with a key took for an attack.
	Tampered uint32
}

// NewCore returns the firmware at the moment of its start, time 0. boot is not 0.
func NewCore(id Identity, boot uint32) *Core {
	return &Core{id: id, boot: boot, out: []byte{0}, queue: queue{ring: make([]record, wire.QueueSize)}}
}

// Keep gives the shoe memory for a number of events other than wire.QueueSize, at least wire.LeastQueue. Call it at the
// start.
func (c *Core) Keep(events int) { c.queue.ring = make([]record, events) }

// Begin gives the next event the number after last, as after a long life. Call it at the start.
func (c *Core) Begin(last uint32) { c.queue.last, c.sent = last, last }

// UsedUp says that the boot has no more numbers, and that nothing waits: the shoe must start anew, with another boot
// id. Until then it says no hello, which it could not.
func (c *Core) UsedUp() bool { return c.queue.usedUp() && c.queue.size == 0 }

// Step takes the bytes received since the last step, does what is due at now, and
// appends what the shoe sends to out.
func (c *Core) Step(now time.Duration, in, out []byte) []byte {
	c.out = append(out, c.out...)
	c.decoder.Feed(in, func(m wire.Message, err error) { c.receive(now, m, err) })
	c.runTimers(now)
	c.sendEvents(now)
	out, c.out = c.out, nil
	return out
}

// Wake returns the time at which the next Step is due even if nothing happens.
func (c *Core) Wake() time.Duration {
	wake := c.beatAt
	if !c.session {
		return wake
	}
	if c.onWay > 0 {
		wake = min(wake, c.resendAt)
	}
	return min(wake, c.heard+wire.LinkLostAfter)
}

func (c *Core) receive(now time.Duration, m wire.Message, err error) {
	if !c.admit(now, &m, err) {
		return
	}
	if unknown, is := errors.AsType[*wire.UnknownTypeError](err); is && unknown.Type.FromHost() {
		c.heard = now
		return
	}
	if err != nil {
		c.counts.Refused++
		return
	}
	if !m.Type.FromHost() {
		return
	}
	c.heard = now
	if m.Type == wire.HostHello {
		c.greet(now, m)
		return
	}
	if c.session {
		c.obey(now, m)
	}
}

func (c *Core) greet(now time.Duration, m wire.Message) {
	c.acknowledge(now, m.Boot, m.Seq)
	if !c.session {
		c.session = true
		c.beatAt = now + wire.HeartbeatEvery
	}
	c.sendHello()
	c.onWay = 0
}

func (c *Core) obey(now time.Duration, m wire.Message) {
	switch m.Type {
	case wire.Acknowledge:
		c.acknowledge(now, m.Boot, m.Seq)
	case wire.Lock:
		if c.has(wire.CanLock) {
			c.setLock(now, wire.LockedByHost, m.Locked)
		}
	case wire.Lamp:
		if c.has(wire.CanLight) {
			c.light = m.Light
		}
	case wire.Status:
		c.sendHeartbeat()
	}
}

func (c *Core) acknowledge(now time.Duration, boot, seq uint32) {
	if boot != c.boot || c.queue.size == 0 || seq > c.queue.last || seq < c.queue.first() {
		return
	}
	n := c.queue.dropThrough(seq)
	c.counts.Acked += uint32(n)
	c.onWay = max(0, c.onWay-n)
	c.resendAt = now + wire.ResendAfter
	c.relieve(now)
}

func (c *Core) runTimers(now time.Duration) {
	if c.session && (now >= c.heard+wire.LinkLostAfter || c.exhausted()) {
		c.leave(now)
	}
	if now >= c.beatAt {
		c.beat(now)
	}
	if c.session && c.onWay > 0 && now >= c.resendAt {
		c.onWay = 0
	}
}

func (c *Core) beat(now time.Duration) {
	if c.session {
		c.sendHeartbeat()
		c.beatAt = now + wire.HeartbeatEvery
		return
	}
	c.sendHello()
	c.beatAt = now + wire.HelloEvery
}

// sendEvents fills the window, continuing after what is already on the way.
func (c *Core) sendEvents(now time.Duration) {
	for c.session && c.onWay < min(c.queue.size, wire.Window) {
		if c.onWay == 0 {
			c.resendAt = now + wire.ResendAfter
		}
		m := c.queue.message(c.onWay, c.boot)
		c.send(m)
		c.onWay++
		if m.Seq <= c.sent {
			c.counts.Resent++
		}
		c.sent = max(c.sent, m.Seq)
	}
}

func (c *Core) sendHello() {
	if c.UsedUp() {
		return
	}
	c.send(wire.Message{
		Type: wire.Hello, Protocol: c.protocol(), InSession: c.session, Capabilities: c.id.Capabilities, Boot: c.boot,
		First: c.queue.first(), Last: c.queue.last, Firmware: c.id.Firmware, Text: wire.TextOf(c.id.Serial),
	})
}

func (c *Core) sendHeartbeat() {
	c.send(wire.Message{
		Type: wire.Heartbeat, Boot: c.boot, Last: c.queue.last, Queued: uint16(c.queue.size), Locks: c.locks,
		Light: c.light,
	})
}

func (c *Core) has(capability wire.Capabilities) bool { return c.id.Capabilities&capability != 0 }

// lostDetail is the count of lost events as an alarm reports it.
func lostDetail(n int) uint16 { return uint16(min(n, math.MaxUint16)) }
