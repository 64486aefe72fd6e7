package sabot

import (
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// durable notes that all events of p's boot up to p are stored. For another boot than the present one it matters once
// its shoe is back.
func (l *link) durable(p shoe.Position) {
	b := l.boots.find(p.Boot)
	switch {
	case b == nil || p.Seq > b.taken:
		// From the earlier use of a boot id that was used twice, or long forgotten.
	case p.Seq <= b.stored && l.durableBoot == b.id:
		// Known already.
	default:
		b.stored, l.durableBoot = max(b.stored, p.Seq), b.id
		l.due.acknowledge = l.due.acknowledge || b == &l.boots[0]
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
	stored := l.stored()
	hello := wire.Message{Type: wire.HostHello, Protocol: wire.Version, Boot: stored.Boot, Seq: stored.Seq}
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
		present := &l.boots[0]
		dst = l.append(dst, wire.Message{Type: wire.Acknowledge, Boot: present.id, Seq: present.stored})
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
