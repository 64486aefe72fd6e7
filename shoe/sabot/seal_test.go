package sabot

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

var tableKey = wire.Secret{5, 4, 3}

// attack is a world with an attacker on the line between the two.
type attack struct {
	*testing.T
	*world
	heard [][]byte // what the line has carried to the host
	said  [][]byte // and to the shoe
}

// newAttack starts in a world whose sides have these keys, and which leaves nothing to chance.
func newAttack(t *testing.T, hostKey, shoeKey *wire.Secret) *attack {
	a := &attack{T: t, world: newWorld(nil, hostKey, shoeKey)}
	a.listen()
	return a
}

// listen lets everything pass, and records it.
func (a *attack) listen() {
	a.meddleToHost = func(frames [][]byte) [][]byte {
		a.heard = append(a.heard, clones(frames)...)
		return frames
	}
	a.meddleToShoe = func(frames [][]byte) [][]byte {
		a.said = append(a.said, clones(frames)...)
		return frames
	}
}

func clones(frames [][]byte) (copies [][]byte) {
	for _, f := range frames {
		copies = append(copies, bytes.Clone(f))
	}
	return copies
}

// deal draws cards from the shoe and has all of them stored.
func (a *attack) deal(n int) {
	for range n {
		a.core.Card(a.shoeTime(), 9, wire.Hearts, 99)
		a.drawn[shoe.Position{Boot: a.boot, Seq: a.core.Last()}] = shoe.Event{
			Kind: shoe.Drawn,
			Card: cardOf(9, wire.Hearts),
		}
	}
	a.follow(200 * time.Millisecond)
}

func (a *attack) follow(d time.Duration) {
	a.pass(d)
	a.handle()
	a.store()
}

// toldOf returns the alarms that the table was told, from either side, each once.
func (a *attack) toldOf() string {
	var codes []string
	for _, e := range append(slices.Clone(a.told), a.journal...) {
		if e.Kind == shoe.AlarmRaised && !slices.Contains(codes, e.Code) {
			codes = append(codes, e.Code)
		}
	}
	return strings.Join(codes, " ")
}

// cards counts those in the journal.
func (a *attack) cards() (n int) {
	for _, e := range a.journal {
		if e.Kind == shoe.Drawn {
			n++
		}
	}
	return n
}

// lastDown is why the link went down last, nil if it never did.
func (a *attack) lastDown() (why error) {
	for _, e := range a.told {
		if e.Kind == shoe.Down {
			why = e.Err
		}
	}
	return why
}

// well expects everything to be right once the line is honest: exactly the cards drawn, each once and in order.
func (a *attack) well() {
	a.Helper()
	a.listen()
	if err := errors.Join(a.settle(), a.check()); err != nil {
		a.Fatal(err)
	}
}

// forge changes a frame's packet and corrects its CRC.
func forge(frame []byte, change func(packet []byte)) []byte {
	var packet []byte
	for rest := frame[:len(frame)-1]; len(rest) > 0; {
		n := int(rest[0])
		packet = append(packet, rest[1:n]...)
		if rest = rest[n:]; len(rest) > 0 {
			packet = append(packet, 0)
		}
	}
	packet = packet[:len(packet)-4]
	change(packet)
	return wire.AppendPacket(nil, packet)
}

func isCard(frame []byte) bool {
	return len(frame) > 30 && frame[1] == wire.SealedVersion && frame[2] == byte(wire.Card)
}

// onCards meddles once with frames of which the first is a card.
func onCards(meddle func(cards [][]byte) [][]byte) func([][]byte) [][]byte {
	done := false
	return func(frames [][]byte) [][]byte {
		if done || len(frames) == 0 || !isCard(frames[0]) {
			return frames
		}
		done = true
		return meddle(frames)
	}
}

func TestAttacksOnASession(t *testing.T) {
	plain := func(m wire.Message) []byte { return wire.AppendFrame(nil, m) }
	forgedCard := plain(wire.Message{Type: wire.Card, Boot: 1, Seq: 3, Micros: 1, Rank: 1, Suit: wire.Spades})
	inject := func(frame []byte) func([][]byte) [][]byte {
		return onCards(func(cards [][]byte) [][]byte { return append([][]byte{frame}, cards...) })
	}
	for name, tc := range map[string]struct {
		meddle func(a *attack)
		want   string
	}{
		"nothing": {func(*attack) {}, ""},
		"a card twice": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte { return append(c, c[0]) })
		}, "tampering-replayed"},
		"two cards in the wrong order": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte { c[0], c[1] = c[1], c[0]; return c })
		}, "tampering-vanished tampering-replayed"},
		"a card taken away": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte { return c[1:] })
		}, "tampering-vanished"},
		"a card of before": {func(a *attack) {
			old := a.heard[slices.IndexFunc(a.heard, isCard)]
			a.meddleToHost = inject(old)
		}, "tampering-replayed"},
		"another rank": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte {
				c[0] = forge(c[0], func(p []byte) { p[18] = 1 })
				return c
			})
		}, "tampering-forged tampering-vanished"},
		"another counter": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte {
				return append(c, forge(c[0], func(p []byte) { p[21] += 9 }))
			})
		}, "tampering-forged"},
		"a card without a seal": {func(a *attack) { a.meddleToHost = inject(forgedCard) }, "tampering-forged"},
		"an unknown event without a seal": {func(a *attack) {
			a.meddleToHost = inject(forge(forgedCard, func(p []byte) { p[1] = 0x2A }))
		}, "tampering-forged"},
		"another version": {func(a *attack) {
			a.meddleToHost = inject(forge(forgedCard, func(p []byte) { p[0] = 7 }))
		}, "tampering-forged"},
		"a hello of a shoe without a key": {func(a *attack) {
			a.meddleToHost = inject(plain(wire.Message{Type: wire.Hello, Boot: 9, First: 1}))
		}, "tampering-forged"},
		"a hello as if answered": {func(a *attack) {
			a.meddleToHost = inject(plain(wire.Message{
				Type: wire.Hello, InSession: true, Capabilities: wire.Sealed,
				Boot: 9, First: 1,
			}))
		}, "tampering-forged"},
		"an unrequested answer": {func(a *attack) {
			a.meddleToHost = inject(plain(wire.Message{Type: wire.Answer, Session: wire.Session{Host: 99, Shoe: 1}}))
		}, "tampering-replayed"},
		"the host's own frame": {func(a *attack) { a.meddleToHost = inject(a.said[len(a.said)-1]) }, ""},
		"one bit of noise": {func(a *attack) {
			a.meddleToHost = onCards(func(c [][]byte) [][]byte { c[0][9] ^= 0x40; return c })
		}, ""},

		"a forged acknowledgement": {func(a *attack) {
			a.toShoe = append(a.toShoe, plain(wire.Message{Type: wire.Acknowledge, Boot: 1, Seq: 4})...)
		}, "tampering-forged"},
		"a hello that knows all": {func(a *attack) {
			a.toShoe = append(a.toShoe, plain(wire.Message{Type: wire.HostHello, Protocol: 1, Boot: 1, Seq: 4})...)
		}, "tampering-forged"},
		"the host's frame again": {func(a *attack) {
			a.toShoe = append(a.toShoe, a.said[len(a.said)-1]...)
		}, "tampering-replayed"},
		"the shoe's own frame": {func(a *attack) { a.toShoe = append(a.toShoe, a.heard[len(a.heard)-1]...) }, ""},
		"acknowledgements taken away": {func(a *attack) {
			a.meddleToShoe = func(frames [][]byte) [][]byte {
				if len(frames) > 0 {
					a.listen()
				}
				return nil
			}
		}, "tampering-vanished"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, &tableKey, &tableKey)
			a.follow(time.Second)
			a.deal(2)
			if a.cards() != 2 || a.toldOf() != "" {
				a.Fatalf("before the attack there are %d cards of 2, and alarms %q", a.cards(), a.toldOf())
			}
			tc.meddle(a)
			a.deal(2)
			a.follow(time.Second)
			if got := a.toldOf(); got != tc.want {
				a.Errorf("the table was told of %q, want %q", got, tc.want)
			}
			if why := a.lastDown(); why != nil {
				a.Errorf("the session broke down: %v", why)
			}
			a.well()
			if a.cards() != 4 {
				a.Errorf("%d of 4 cards arrived", a.cards())
			}
		})
	}
}

// Without the key there is no session, and the table is told why.
func TestNoSessionWithoutTheKey(t *testing.T) {
	for name, tc := range map[string]struct {
		host, shoe *wire.Secret
		want       error
	}{
		"the shoe has another key": {&tableKey, &wire.Secret{1}, ErrWrongKey},
		"the shoe has none":        {&tableKey, nil, ErrUnsecured},
		"the table has none":       {nil, &tableKey, ErrNeedsKey},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAttack(t, tc.host, tc.shoe)
			a.deal(3)
			a.follow(time.Minute)
			if len(a.journal) != 0 || a.core.InSession() || !errors.Is(a.lastDown(), tc.want) {
				a.Errorf("%d cards came, the shoe is in a session: %t, the link is down for %v", len(a.journal),
					a.core.InSession(), a.lastDown())
			}
			if strays := a.link.counts.Strays; (strays > 0) != (tc.host != nil) {
				a.Errorf("%d strays were counted", strays)
			}
			if len(a.told) > 2 {
				a.Errorf("the table was told %d times in a minute: %v", len(a.told), a.told)
			}
			// With the right key everything continues, and nothing was lost.
			a.hostKey = a.shoeKey
			a.startHost()
			a.well()
			if a.cards() != 3 {
				a.Errorf("%d of 3 cards arrived", a.cards())
			}
		})
	}
}

// A recording of a whole session is played to a table that waits for its shoe.
func TestARecordingIsNotAShoe(t *testing.T) {
	a := newAttack(t, &tableKey, &tableKey)
	a.follow(time.Second)
	a.deal(5)
	recording := clones(a.heard)
	if n := a.cards(); n != 5 || !slices.ContainsFunc(recording, isCard) {
		a.Fatalf("the recording has no cards: %d", n)
	}
	a.journal = nil
	a.startHost()
	a.meddleToShoe = func([][]byte) [][]byte { return nil }
	a.meddleToHost = func([][]byte) [][]byte {
		next := recording[0]
		recording = append(recording[1:], next)
		return [][]byte{next}
	}
	a.follow(time.Minute)
	if len(a.journal) != 0 || !errors.Is(a.lastDown(), ErrOtherSession) {
		a.Errorf("%d events came from a recording; the link is down for %v", len(a.journal), a.lastDown())
	}
}

// A recorded session is played into a live one: none of it is used.
func TestARecordingInASession(t *testing.T) {
	a := newAttack(t, &tableKey, &tableKey)
	a.follow(time.Second)
	a.deal(5)
	recording := clones(a.heard)
	a.startHost()
	a.follow(time.Second)
	before := a.link.counts.Sessions
	for _, frame := range recording {
		a.toHost = append(a.toHost, frame...)
		a.follow(20 * time.Millisecond)
	}
	a.follow(time.Second)
	if got := a.toldOf(); !strings.Contains(got, "tampering-forged") {
		a.Errorf("the table was told of %q", got)
	}
	if a.lastDown() != nil || before == 0 {
		a.Errorf("the session broke down: %v", a.lastDown())
	}
	a.deal(1)
	a.well()
	if a.cards() != 6 {
		a.Errorf("%d of 6 cards arrived", a.cards())
	}
}

// An attacker who floods the line fills neither the table's queue nor the shoe's.
func TestAFloodOfForgeries(t *testing.T) {
	a := newAttack(t, &tableKey, &tableKey)
	a.follow(time.Second)
	forged := wire.AppendFrame(nil, wire.Message{Type: wire.Acknowledge, Boot: 1, Seq: 1})
	for range 2000 {
		a.toShoe = append(a.toShoe, forged...)
		a.toHost = append(a.toHost, wire.AppendFrame(nil, wire.Message{Type: wire.CutCard, Boot: 1, Seq: 1})...)
		a.pass(20 * time.Millisecond)
	}
	if n := len(a.link.queue.events); n > 10 || a.link.counts.Tampered[wire.Forged] < 1000 {
		a.Errorf("%d events wait for the table after %d forgeries", n, a.link.counts.Tampered[wire.Forged])
	}
	if n := a.core.Last(); n > 5 || a.core.Counts().Tampered < 1000 {
		a.Errorf("the shoe made %d events out of %d forgeries", n, a.core.Counts().Tampered)
	}
	a.well()
}

// A table that runs out of counters starts a new session, without anybody noticing.
func TestCountersRunOut(t *testing.T) {
	a := newAttack(t, &tableKey, &tableKey)
	a.link.security.guard.Limit = 20
	for range 100 {
		a.deal(1)
		a.follow(time.Second)
	}
	a.well()
	if a.cards() != 100 || a.lastDown() != nil || a.toldOf() != "" || a.link.counts.Sessions < 10 {
		a.Errorf("%d cards came of 100, in %d sessions; down for %v, alarms %q", a.cards(), a.link.counts.Sessions,
			a.lastDown(), a.toldOf())
	}
}

// meddler does at random what an attacker on the line can do without a key.
type meddler struct {
	random *rand.Rand
	past   [][]byte // of both directions
}

func (m *meddler) pass(frames [][]byte) (out [][]byte) {
	for _, f := range frames {
		m.keep(f)
		switch m.random.IntN(12) {
		case 0:
		case 1:
			out = append(out, f, f)
		case 2:
			out = slices.Insert(out, m.random.IntN(len(out)+1), f)
		case 3:
			out = append(out, m.change(f))
		case 4:
			out = append(out, f, m.past[m.random.IntN(len(m.past))])
		case 5:
			out = append(out, f, m.change(m.past[m.random.IntN(len(m.past))]))
		case 6:
			out = append(out, m.claim(), f)
		default:
			out = append(out, f)
		}
	}
	return out
}

// keep remembers early and recent frames.
func (m *meddler) keep(f []byte) {
	if len(m.past) < 300 {
		m.past = append(m.past, bytes.Clone(f))
	} else {
		m.past[m.random.IntN(len(m.past))] = bytes.Clone(f)
	}
}

// change flips bits of a frame and corrects its CRC.
func (m *meddler) change(f []byte) []byte {
	if len(f) < 8 {
		return f
	}
	return forge(f, func(p []byte) {
		for range 1 + m.random.IntN(3) {
			p[m.random.IntN(len(p))] ^= 1 << m.random.IntN(8)
		}
	})
}

// claim makes up a frame of either side, without a seal or with a made-up one.
func (m *meddler) claim() []byte {
	types := []wire.Type{
		wire.Hello, wire.Heartbeat, wire.Card, wire.CutCard, wire.AlarmRaised, wire.Answer,
		wire.HostHello, wire.Acknowledge, wire.Lock, wire.Status, wire.Challenge,
	}
	frame := wire.AppendFrame(nil, wire.Message{
		Type: types[m.random.IntN(len(types))], Boot: 1 + m.random.Uint32N(3), Seq: m.random.Uint32N(30), First: 1,
		Last:     m.random.Uint32N(30),
		Protocol: 2, InSession: m.random.IntN(2) == 0, Capabilities: wire.Capabilities(m.random.IntN(2)) << 16,
		Rank: 1, Suit: wire.Spades, Session: wire.Session{
			Host: wire.Nonce(m.random.IntN(20)),
			Shoe: wire.Nonce(m.random.Uint64()),
		},
		Alarm: wire.AlarmEventsLost, Text: wire.TextOf("EVIL"),
	})
	if m.random.IntN(2) == 0 {
		return frame
	}
	return forge(frame, func(p []byte) { p[0] = wire.SealedVersion })
}

// Whatever an attacker on the line drops, repeats, reorders, changes, makes up, or replays from any session: with a key
// only true cards come, in their true order, each once, and none gets lost; as soon as he leaves, everything is right
// again.
func TestNobodyOnTheLineMakesACard(t *testing.T) {
	var noticed uint64
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, &tableKey, &tableKey)
		m := &meddler{random: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "meddler"), 0))}
		w.meddleToHost, w.meddleToShoe = m.pass, m.pass
		t.Repeat(w.actions())
		w.meddleToHost, w.meddleToShoe = nil, nil
		if err := errors.Join(w.settleAll(), w.check()); err != nil {
			t.Fatal(err)
		}
		for _, n := range w.link.counts.Tampered {
			noticed += n
		}
	})
	if noticed == 0 {
		t.Error("no attack was noticed: none reached a session")
	}
}

// Each newly opened port is challenged with a nonce of its own, and the hello that follows the answer says that this
// side seals.
func TestAPortBeginsWithAChallengeOfItsOwn(t *testing.T) {
	now := time.Unix(0, 0)
	l, nonces := newLink(), wire.Nonce(0)
	l.secure(tableKey, func() wire.Nonce { nonces++; return nonces })
	guard := wire.ShoeGuard(tableKey, 1)
	for port := range wire.Nonce(2) {
		l.opened(now)
		var hello wire.Message
		toShoe := wire.Decoder{Guard: guard}
		take := func(m wire.Message, err error) {
			if hello = m; err != nil {
				t.Error(err)
			}
		}
		toShoe.Feed(l.appendOutput(nil), take)
		if hello.Type != wire.Challenge || hello.Session.Host != port+1 {
			t.Errorf("port %d starts with %s", port, hello.String())
		}
		if port == 0 {
			l.closed(now, errors.New("cable pulled"))
			continue
		}
		l.receive(now, guard.Answer(hello.Session.Host), nil)
		toShoe.Feed(l.appendOutput(nil), take)
		if hello.Type != wire.HostHello || hello.Counter != 1 || hello.Protocol != wire.SealedVersion ||
			hello.Capabilities != wire.Sealed {
			t.Errorf("the answer is followed by %s", hello.String())
		}
	}
}

// A shoe that says without a seal that it has a key, as after a restart, is challenged at once.
func TestAShoeThatRestartsIsChallengedAtOnce(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink()
	l.secure(tableKey, func() wire.Nonce { return 1 })
	l.opened(now)
	l.appendOutput(nil)
	l.receive(now, wire.Message{Type: wire.Hello, Capabilities: wire.Sealed, Boot: 7, First: 1}, nil)
	challenged := false
	toShoe := wire.Decoder{Guard: wire.ShoeGuard(tableKey, 1)}
	toShoe.Feed(l.appendOutput(nil), func(m wire.Message, err error) {
		challenged = err == nil && m.Type == wire.Challenge
	})
	if !challenged {
		t.Error("nothing answers its hello")
	}
}

// Each sign of tampering is counted; of one kind an alarm goes to the table at once, then one
// every ten seconds, and the log has the rest. Frames that noise has damaged are no sign.
func TestSignsOfTampering(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink()
	l.secure(tableKey, func() wire.Nonce { return 1 })
	guard := wire.ShoeGuard(tableKey, 1)
	toHost, toShoe := wire.Decoder{Guard: l.security.guard}, wire.Decoder{Guard: guard}
	hear := func(frame []byte) {
		toHost.Feed(frame, func(m wire.Message, err error) { l.receive(now, m, err) })
	}
	sealed := func() []byte { return guard.Append(nil, wire.Message{Type: wire.Heartbeat, Boot: 7}) }
	l.opened(now)
	l.receive(now, guard.Answer(1), nil)
	toShoe.Feed(l.appendOutput(nil), func(wire.Message, error) {})
	hear(guard.Append(nil, wire.Message{
		Type: wire.Hello, Protocol: 2, InSession: true, Boot: 7, First: 1,
		Text: wire.TextOf("SB-1"),
	}))
	if !l.session {
		t.Fatal("no session")
	}
	l.queue.events = nil
	old := sealed()
	hear(old)
	for _, c := range []struct {
		what     string
		do       func()
		counts   Stats
		alarm    bool
		remarked int
	}{
		{
			"a frame that vanished", func() { sealed(); hear(sealed()) },
			Stats{Missing: 1, Tampered: [4]uint64{wire.Vanished: 1}},
			true, 0,
		},
		{"two that noise took", func() {
			sealed()
			sealed()
			l.receive(now, wire.Message{},
				wire.ErrCRC)
			hear(sealed())
		}, Stats{Missing: 2}, false, 0},
		{"none", func() { hear(sealed()) }, Stats{}, false, 0},
		{
			"another soon after", func() { now = now.Add(tamperingEvery - 1); sealed(); hear(sealed()) },
			Stats{Missing: 1, Tampered: [4]uint64{wire.Vanished: 1}},
			false, 1,
		},
		{
			"another later", func() { now = now.Add(1); sealed(); hear(sealed()) },
			Stats{Missing: 1, Tampered: [4]uint64{wire.Vanished: 1}},
			true, 0,
		},
		{"those that the port lost", func() {
			l.arrived(now, nil, device.Losses{Overruns: 30})
			hear(sealed()) // may have come before them
			sealed()
			hear(sealed())
		}, Stats{Missing: 1}, false, 0},
		{"those that it lost, in what was read soon after", func() {
			now = now.Add(settled - 1)
			l.arrived(now, nil, device.Losses{})
			hear(sealed())
			sealed()
			hear(sealed())
		}, Stats{Missing: 1}, false, 0},
		{"those after which nothing came for a pause", func() {
			now = now.Add(settled)
			l.arrived(now, nil, device.Losses{})
			sealed()
			hear(sealed())
		}, Stats{Missing: 1}, false, 0},
		{"one that vanished thereafter", func() {
			now = now.Add(tamperingEvery)
			l.arrived(now, nil, device.Losses{})
			sealed()
			hear(sealed())
		}, Stats{Missing: 1, Tampered: [4]uint64{wire.Vanished: 1}}, true, 0},
		{"one that comes again", func() { hear(old) }, Stats{Tampered: [4]uint64{wire.Replayed: 1}}, true, 0},
		{
			"one without a seal", func() { hear(wire.AppendFrame(nil, wire.Message{Type: wire.Heartbeat, Boot: 7})) },
			Stats{Tampered: [4]uint64{wire.Forged: 1}},
			true, 0,
		},
		{
			"our own words", func() { hear(wire.AppendFrame(nil, wire.Message{Type: wire.Lock})) },
			Stats{Skipped: 1},
			false, 0,
		},
	} {
		before := l.counts
		l.queue.events = nil
		l.remarks = remarks{}
		c.do()
		got := l.counts
		got.Missing -= before.Missing
		got.Skipped -= before.Skipped
		for i := range got.Tampered {
			got.Tampered[i] -= before.Tampered[i]
		}
		sums, _ := l.remarks.due(now)
		attacks := slices.DeleteFunc(sums, func(s shoe.RemarkSum) bool { return s.Text != attacked })
		if got.Missing != c.counts.Missing || got.Skipped != c.counts.Skipped || got.Tampered != c.counts.Tampered ||
			(len(l.queue.events) == 1) != c.alarm || len(attacks) != c.remarked {
			t.Errorf("%s: counted %+v, told %+v, remarked %v", c.what, got, l.queue.events, attacks)
		}
	}
}
