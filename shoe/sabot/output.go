package sabot

import (
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// durable notes that all events up to p are stored. A position of another boot than the shoe's present one changes only
// what the next host-hello says.
func (l *link) durable(p shoe.Position) {
	switch {
	case p.Boot == l.taken.Boot && p.Seq > l.taken.Seq:
		// From the earlier use of a boot id that was used twice.
	case p.Boot == l.stored.Boot && p.Seq <= l.stored.Seq:
		// Known already.
	case p.Boot == l.taken.Boot:
		l.stored = p
		l.due.acknowledge = true
	case p.Boot == l.stored.Boot:
		l.stored = p
	}
}

func (l *link) setLock(locked bool) {
	if want := (setting[bool]{wanted: locked, known: true}); l.lock != want && !l.ended {
		l.lock = want
		l.needLock(true)
	}
}

func (l *link) setLamp(light wire.Light) {
	if want := (setting[wire.Light]{wanted: light, known: true}); l.lamp != want && !l.ended {
		l.lamp = want
		l.needLamp(true)
	}
}

// needLock sets whether the shoe must be sent its lock's state, if it has a lock.
func (l *link) needLock(need bool) {
	l.due.lock = need && l.session && l.lock.known && l.can&wire.CanLock != 0
}

// needLamp does the same for the lamp.
func (l *link) needLamp(need bool) {
	l.due.lamp = need && l.session && l.lamp.known && l.can&wire.CanLight != 0
}

// farewell unlocks what was locked and turns off what was lit, for good, and says whether there is a shoe to be told.
func (l *link) farewell() bool {
	defer func() { l.ended = true }()
	if l.lock.known {
		l.setLock(false)
	}
	if l.lamp.known {
		l.setLamp(wire.LightOff)
	}
	return l.due.lock || l.due.lamp
}

// appendOutput appends the frames to be sent now.
func (l *link) appendOutput(dst []byte) []byte {
	if !l.open {
		return dst
	}
	if l.due.zero {
		dst = append(dst, 0) // ends what was cut off when the line broke
	}
	dst = l.appendHello(dst)
	if l.session && (l.security == nil || l.security.guard.Opened()) {
		dst = l.appendSession(dst)
	}
	return dst
}

// appendHello appends what begins a session. With a key that is a challenge and, once it is answered, the sealed hello.
func (l *link) appendHello(dst []byte) []byte {
	hello := wire.Message{Type: wire.HostHello, Protocol: wire.Version, Boot: l.stored.Boot, Seq: l.stored.Seq}
	if l.security != nil {
		hello.Protocol, hello.Capabilities = wire.SealedVersion, wire.Sealed
	}
	switch {
	case l.due.hello && l.security == nil, l.due.sealed:
		dst = l.append(dst, hello)
	case l.due.hello:
		dst = wire.AppendFrame(dst, l.security.guard.Challenge())
	}
	l.due.zero, l.due.hello, l.due.sealed = false, false, false
	return dst
}

func (l *link) appendSession(dst []byte) []byte {
	if l.due.acknowledge {
		m := wire.Message{Type: wire.Acknowledge, Boot: l.taken.Boot}
		if l.stored.Boot == m.Boot {
			m.Seq = l.stored.Seq
		}
		dst = l.append(dst, m)
	}
	if l.due.lock {
		dst = l.append(dst, wire.Message{Type: wire.Lock, Locked: l.lock.wanted})
	}
	if l.due.lamp {
		dst = l.append(dst, wire.Message{Type: wire.Lamp, Light: l.lamp.wanted})
	}
	l.due.acknowledge, l.due.lock, l.due.lamp = false, false, false
	return dst
}
