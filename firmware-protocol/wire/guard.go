package wire

import "math"

// Guard is one side's link security: it agrees on a session's keys with the other side, seals what goes out and opens
// what comes in. HostGuard or ShoeGuard makes one. It has no clock and no randomness of its own, and is not safe for
// concurrent use.
//
// Of its two channels one is in use and the other agreed on but not yet used: a session continues until a sealed hello,
// which only the other side can have sent now, opens the next one.
type Guard struct {
	// Limit is the highest counter that this side uses in one session; one lower than the protocol's renews the keys
	// more often.
	Limit uint32

	key  Secret
	host bool

	nonce  Nonce // the host's, while it asks
	asking bool

	seed, made uint64 // the shoe's, for its nonces

	current, next channel
}

// channel is a session's keys and counters.
type channel struct {
	agreed        bool
	session       Session
	send, receive Secret
	sent, seen    uint32
	missing       uint64
}

// HostGuard returns the table's side.
func HostGuard(k Secret) *Guard { return &Guard{key: k, host: true, Limit: math.MaxUint32} }

// ShoeGuard returns the shoe's side. No two lives of a shoe may have the same seed.
func ShoeGuard(k Secret, seed uint64) *Guard {
	return &Guard{key: k, seed: seed, Limit: math.MaxUint32}
}

// Asking says whether the host waits for the shoe to open a session.
func (g *Guard) Asking() bool { return g.asking }

// Ask begins a new session, for which the host has chosen a nonce. The session in use continues.
func (g *Guard) Ask(n Nonce) { g.asking, g.nonce, g.next = true, n, channel{} }

// Challenge returns the message by which the host asks for a session.
func (g *Guard) Challenge() Message {
	return Message{Type: Challenge, Session: Session{Host: g.nonce}}
}

// Answered takes the shoe's answer to the challenge. What the host seals from then on belongs to the new session, and
// must begin with its hello. A repeated answer changes nothing; fresh is then false.
func (g *Guard) Answered(m *Message) (fresh bool, err error) {
	if g.current.agreed && m.Session == g.current.session {
		return false, nil
	}
	if !g.asking || m.Session.Host != g.nonce {
		return false, ErrOtherChallenge
	}
	if m.Proof != m.Session.Proof(&g.key) {
		return false, ErrProof
	}
	if !g.next.agreed || g.next.session != m.Session {
		g.agree(m.Session)
	}
	return true, nil
}

// Answer returns the shoe's answer to a challenge: always the same to the same challenge.
func (g *Guard) Answer(host Nonce) Message {
	for _, c := range []*channel{&g.current, &g.next} {
		if c.agreed && c.session.Host == host {
			return g.answer(c.session)
		}
	}
	g.made++
	s := Session{host, NthNonce(&g.key, g.seed, g.made)}
	g.agree(s)
	return g.answer(s)
}

func (g *Guard) answer(s Session) Message {
	return Message{Type: Answer, Session: s, Proof: s.Proof(&g.key)}
}

func (g *Guard) agree(s Session) {
	g.next = channel{agreed: true, session: s}
	g.next.receive, g.next.send = s.Keys(&g.key)
	if g.host {
		g.next.receive, g.next.send = g.next.send, g.next.receive
	}
}

// Leave forgets the session in use, but not the one agreed on.
func (g *Guard) Leave() { g.current = channel{} }

// Drop forgets all sessions, and that the host has asked for one.
func (g *Guard) Drop() { g.current, g.next, g.asking = channel{}, channel{}, false }

// Opened says whether a session is in use, and not about to be replaced.
func (g *Guard) Opened() bool { return g.current.agreed && !(g.host && g.next.agreed) }

// Missing counts the frames of the session in use that never arrived.
func (g *Guard) Missing() uint64 { return g.current.missing }

// Exhausted says that no counter is left: the session must be replaced.
func (g *Guard) Exhausted() bool { return g.sender().sent >= g.Limit }

// Append appends the message as one sealed frame, as AppendFrame does without a seal. Without a session, or a counter,
// it appends nothing.
func (g *Guard) Append(dst []byte, m Message) []byte {
	c := g.sender()
	if !c.agreed || g.Exhausted() {
		return dst
	}
	c.sent++
	return appendSealed(dst, &m, &c.send, c.sent)
}

// sender is the channel for sending: a host's hello is the first message in the next one.
func (g *Guard) sender() *channel {
	if g.host && g.next.agreed {
		return &g.next
	}
	return &g.current
}

// open says whether a sealed frame is the other side's next one.
func (g *Guard) open(t Type, s *seal) error {
	switch {
	case g == nil || !g.current.agreed && !g.next.agreed:
		return &SealError{t, s.counter, NoKey}
	case g.current.opens(s):
		if s.counter <= g.current.seen {
			return &SealError{t, s.counter, OldCounter}
		}
		g.current.missing += uint64(s.counter - g.current.seen - 1)
		g.current.seen = s.counter
		return nil
	case !g.next.opens(s):
		return &SealError{t, s.counter, BadTag}
	case t != g.opener() || s.counter == 0:
		return &SealError{t, s.counter, Early}
	}
	g.current, g.next, g.asking = g.next, channel{}, false
	g.current.seen = s.counter
	return nil
}

// opener is the type of the message with which the other side opens a session.
func (g *Guard) opener() Type {
	if g.host {
		return Hello
	}
	return HostHello
}

func (c *channel) opens(s *seal) bool { return c.agreed && SipHash(&c.receive, s.body) == s.tag }
