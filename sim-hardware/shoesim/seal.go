package shoesim

import (
	"errors"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// tamperingEvery is the least time between two alarms about the line, so that who
// writes to it cannot fill the queue with them.
const tamperingEvery = 10 * time.Second

// security is what a shoe with a key needs beside the guard of its keys.
type security struct {
	guard   *wire.Guard
	missing uint64 // frames known to be missing in this session
	damaged bool   // something damaged came since the last frame that was opened
	alarmed bool
	alarmAt time.Duration
}

// Secure gives the shoe the key that it shares with the host. To be called at the
// start; no two starts may have the same seed.
func (c *Core) Secure(key wire.Secret, seed uint64) {
	c.security = &security{guard: wire.ShoeGuard(key, seed)}
	c.decoder.Guard = c.security.guard
	c.id.Capabilities |= wire.Sealed
}

// protocol is the highest version of frames that the shoe speaks.
func (c *Core) protocol() uint8 {
	if c.security != nil {
		return wire.SealedVersion
	}
	return wire.Version
}

// admit says whether what came is the host's word: of a shoe with a key only what
// was sealed in this session, or is about to begin one. Whatever else is intact and
// comes in a session is an attack on it.
func (c *Core) admit(now time.Duration, m *wire.Message, err error) bool {
	var seal *wire.SealError
	t, known := wire.TypeOf(m, err)
	switch {
	case c.security == nil:
		return true
	case m.Counter != 0:
		c.followCounters(now)
		return true
	case known && !t.FromHost():
		return false // an echo of our own
	case m.Type == wire.Challenge && err == nil:
		c.out = wire.AppendFrame(c.out, c.security.guard.Answer(m.Session.Host))
		return false
	}
	c.counts.Refused++
	switch {
	case wire.Damaged(err):
		c.security.damaged = true
	case !errors.As(err, &seal):
		c.raiseTampering(now, wire.Forged)
	default:
		c.unopened(now, seal)
	}
	return false
}

// followCounters notices frames of the host that vanished without a trace. A damaged
// one in their place is noise.
func (c *Core) followCounters(now time.Duration) {
	s := c.security
	missing := s.guard.Missing()
	if missing > s.missing && !s.damaged {
		c.raiseTampering(now, wire.Vanished)
	}
	s.missing, s.damaged = missing, false
}

// unopened follows a seal that was not opened. What is of the session about to begin
// comes again.
func (c *Core) unopened(now time.Duration, seal *wire.SealError) {
	switch seal.Fault {
	case wire.Early:
	case wire.OldCounter:
		c.raiseTampering(now, wire.Replayed)
	default:
		c.raiseTampering(now, wire.Forged)
	}
}

// raiseTampering tells the host what somebody does to its line.
func (c *Core) raiseTampering(now time.Duration, what wire.Tampering) {
	s := c.security
	if !c.session {
		return
	}
	c.counts.Tampered++
	if s.alarmed && now-s.alarmAt < tamperingEvery {
		return
	}
	s.alarmed, s.alarmAt = true, now
	c.RaiseAlarm(now, wire.AlarmTampering, uint16(what))
}

// leave ends the session, and with it what its keys can open.
func (c *Core) leave(now time.Duration) {
	c.session, c.beatAt = false, now
	if c.security != nil {
		c.security.guard.Leave()
	}
}

// exhausted says that the session has no counters left.
func (c *Core) exhausted() bool { return c.security != nil && c.security.guard.Exhausted() }

// send puts a message on the line. A shoe with a key says outside of a session who
// it is, and no more.
func (c *Core) send(m wire.Message) {
	switch {
	case c.security == nil:
		c.out = wire.AppendFrame(c.out, m)
	case c.session:
		c.out = c.security.guard.Append(c.out, m)
	case m.Type == wire.Hello:
		c.out = wire.AppendFrame(c.out, m)
	}
}
