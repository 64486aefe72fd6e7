package shoesim

import (
	"errors"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// tamperingEvery is the least time between two alarms about the line, so that an attacker cannot fill the queue with
// them.
const tamperingEvery = 10 * time.Second

// security is what a shoe with a key needs besides the guard of its keys.
type security struct {
	guard   *wire.Guard
	missing uint64 // frames known to be missing in this session
	damaged bool   // something damaged arrived since the last opened frame
	alarmed bool
	alarmAt time.Duration
}

// Secure gives the shoe the key that it shares with the host. Call it at the start; no two starts may have the same
// seed.
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

// admit says whether a message is from the host: for a shoe with a key only what was sealed in this session, or begins
// one. Anything else that is intact and arrives in a session is an attack on it.
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

// unopened handles a seal that could not be opened. What belongs to the session about to begin will be sent again.
func (c *Core) unopened(now time.Duration, seal *wire.SealError) {
	switch seal.Fault {
	case wire.Early:
	case wire.OldCounter:
		c.raiseTampering(now, wire.Replayed)
	default:
		c.raiseTampering(now, wire.Forged)
	}
}

// raiseTampering reports tampering with the line to the host.
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

// leave ends the session; its keys open nothing more.
func (c *Core) leave(now time.Duration) {
	c.session, c.beatAt = false, now
	if c.security != nil {
		c.security.guard.Leave()
	}
}

// exhausted says that the session has no counters left.
func (c *Core) exhausted() bool { return c.security != nil && c.security.guard.Exhausted() }

// send sends a message. Outside a session a shoe with a key only identifies itself.
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
