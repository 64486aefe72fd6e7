package wire

import (
	"errors"
	"math"
	"testing"
)

var shared = Secret{1, 2, 3}

// pair is both sides of a line, with what each receives.
type pair struct {
	t          *testing.T
	host, shoe *Guard
	toHost     Decoder
	toShoe     Decoder
}

func newPair(t *testing.T, host, shoe Secret) *pair {
	p := &pair{t: t, host: HostGuard(host), shoe: ShoeGuard(shoe, 77)}
	p.toHost.Guard, p.toShoe.Guard = p.host, p.shoe
	return p
}

// one expects a single frame and returns what became of it.
func (p *pair) one(d *Decoder, frame []byte) (Message, error) {
	p.t.Helper()
	got := feed(d, frame)
	if len(got) != 1 {
		p.t.Fatalf("one frame gave %d reports", len(got))
	}
	return got[0].m, got[0].err
}

// agree goes through challenge and answer.
func (p *pair) agree(n Nonce) {
	p.t.Helper()
	p.host.Ask(n)
	answer := p.shoe.Answer(p.host.Challenge().Session.Host)
	if fresh, err := p.host.Answered(&answer); !fresh || err != nil {
		p.t.Fatalf("the answer is fresh: %t, %v", fresh, err)
	}
}

// open continues to both hellos.
func (p *pair) open(n Nonce) {
	p.t.Helper()
	p.agree(n)
	_, errShoe := p.one(&p.toShoe, p.host.Append(nil, Message{Type: HostHello, Protocol: 2}))
	_, errHost := p.one(&p.toHost, p.shoe.Append(nil, samples[0]))
	if err := errors.Join(errShoe, errHost); err != nil {
		p.t.Fatal(err)
	}
}

// refused expects a sealed frame not to be opened, for this reason.
func (p *pair) refused(d *Decoder, frame []byte, want SealFault) {
	p.t.Helper()
	m, err := p.one(d, frame)
	var seal *SealError
	if !errors.As(err, &seal) || seal.Fault != want || m != (Message{}) {
		p.t.Errorf("%s: %v; want fault %d", m.String(), err, want)
	}
}

func TestGuardsOpenASession(t *testing.T) {
	p := newPair(t, shared, shared)
	if p.host.Opened() || p.shoe.Opened() {
		t.Error("a session is open from the start")
	}
	p.open(5)
	if !p.host.Opened() || !p.shoe.Opened() || p.host.Asking() {
		t.Error("no session after both hellos")
	}
	for i, m := range samples {
		d, g := &p.toHost, p.shoe
		if m.Type.FromHost() {
			d, g = &p.toShoe, p.host
		}
		got, err := p.one(d, g.Append(nil, m))
		if got.Counter < 2 || int(got.Counter) > i+2 {
			t.Errorf("%s has counter %d", got.Type, got.Counter)
		}
		if got.Counter = 0; err != nil || got != m {
			t.Errorf("sent %s, received %s, %v", m.String(), got.String(), err)
		}
	}
}

func TestGuardsWithOtherKeys(t *testing.T) {
	p := newPair(t, shared, Secret{9})
	p.host.Ask(5)
	answer := p.shoe.Answer(5)
	if _, err := p.host.Answered(&answer); !errors.Is(err, ErrProof) {
		t.Errorf("the proof of another key: %v", err)
	}
	if p.host.Append(nil, Message{Type: HostHello, Protocol: 2}) != nil {
		t.Error("sealed something without a session")
	}
	p.refused(&p.toShoe, appendSealed(nil, &Message{Type: HostHello, Protocol: 2}, &shared, 1), BadTag)
}

func TestAnswersToOtherChallenges(t *testing.T) {
	p := newPair(t, shared, shared)
	old := p.shoe.Answer(4)
	if _, err := p.host.Answered(&old); !errors.Is(err, ErrOtherChallenge) {
		t.Errorf("an unrequested answer: %v", err)
	}
	p.host.Ask(5)
	if _, err := p.host.Answered(&old); !errors.Is(err, ErrOtherChallenge) {
		t.Errorf("the answer to an earlier challenge: %v", err)
	}
	forged := old
	forged.Session.Host = 5
	if _, err := p.host.Answered(&forged); !errors.Is(err, ErrProof) {
		t.Errorf("an earlier answer made to fit: %v", err)
	}
}

// The line may repeat a challenge or an answer: the session is the same, and its counters continue.
func TestTheSameChallengeHasTheSameAnswer(t *testing.T) {
	p := newPair(t, shared, shared)
	p.agree(5)
	again := p.shoe.Answer(5)
	if fresh, err := p.host.Answered(&again); !fresh || err != nil {
		t.Errorf("the answer before the hello: %t, %v", fresh, err)
	}
	p.one(&p.toShoe, p.host.Append(nil, Message{Type: HostHello, Protocol: 2}))
	if late := p.shoe.Answer(5); late != again {
		t.Errorf("answered %s, and then %s", again.String(), late.String())
	}
	p.host.Answered(&again)
	if m, err := p.one(&p.toShoe, p.host.Append(nil, Message{Type: HostHello, Protocol: 2})); err != nil ||
		m.Counter != 2 {
		t.Errorf("the second hello: %s, %v", m.String(), err)
	}
	p.one(&p.toHost, p.shoe.Append(nil, samples[0]))
	if fresh, err := p.host.Answered(&again); fresh || err != nil {
		t.Errorf("the answer of the session in use: %t, %v", fresh, err)
	}
	if other := p.shoe.Answer(6); other.Session.Shoe == again.Session.Shoe {
		t.Error("two challenges have the same nonce of the shoe")
	}
}

// Until a sealed hello opens the next session, the one in use continues.
func TestASessionContinuesUntilTheNextIsOpened(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	card := samples[3]
	p.agree(6)
	if _, err := p.one(&p.toHost, p.shoe.Append(nil, card)); err != nil {
		t.Errorf("a card of the session in use: %v", err)
	}
	if p.host.Opened() {
		t.Error("the host has sent its hello in the next session, but may still seal in the one before")
	}
	old := p.shoe.Append(nil, card)
	p.one(&p.toShoe, p.host.Append(nil, Message{Type: HostHello, Protocol: 2}))
	p.refused(&p.toHost, p.shoe.Append(nil, card), Early)
	if _, err := p.one(&p.toHost, p.shoe.Append(nil, samples[0])); err != nil {
		t.Fatal(err)
	}
	p.refused(&p.toHost, old, BadTag)
}

func TestFramesMayGetLostButNotComeBack(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	card := samples[3]
	first, second := p.shoe.Append(nil, card), p.shoe.Append(nil, card)
	p.shoe.Append(nil, card)
	fourth := p.shoe.Append(nil, card)
	if _, err := p.one(&p.toHost, second); err != nil || p.host.Missing() != 1 {
		t.Errorf("the second frame: %v, missing %d", err, p.host.Missing())
	}
	p.refused(&p.toHost, first, OldCounter)
	p.refused(&p.toHost, second, OldCounter)
	if _, err := p.one(&p.toHost, fourth); err != nil || p.host.Missing() != 2 {
		t.Errorf("the fourth frame: %v, missing %d", err, p.host.Missing())
	}
}

func TestNothingOfADroppedSessionIsOpened(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	p.host.Drop()
	p.refused(&p.toHost, p.shoe.Append(nil, samples[3]), NoKey)
	p.host.Ask(6)
	p.refused(&p.toHost, p.shoe.Append(nil, samples[0]), NoKey)
}

func TestCountersEnd(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	p.shoe.current.sent = math.MaxUint32 - 1
	if m, err := p.one(&p.toHost, p.shoe.Append(nil, samples[3])); err != nil || m.Counter != math.MaxUint32 {
		t.Errorf("the last counter: %s, %v", m.String(), err)
	}
	if !p.shoe.Exhausted() || p.shoe.Append(nil, samples[3]) != nil {
		t.Error("a counter was used twice")
	}
	p.open(6)
	if p.shoe.Exhausted() {
		t.Error("the next session has no counters")
	}
}

func TestSealingAllocatesNothing(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	buf := make([]byte, 0, MaxFrame)
	handle := func(Message, error) {}
	for _, m := range samples {
		if m.Type.FromHost() {
			continue
		}
		if n := testing.AllocsPerRun(100, func() {
			buf = p.shoe.Append(buf[:0], m)
			p.toHost.Feed(buf, handle)
		}); n != 0 {
			t.Errorf("%s: %v allocations", m.Type, n)
		}
	}
	if p.host.Missing() != 0 || p.toHost.Stats().Sealed != 0 {
		t.Errorf("missing %d, %+v", p.host.Missing(), p.toHost.Stats())
	}
}

// One bit changed anywhere in the packet, with a matching CRC: the tag reveals it.
func TestOneForgedBitIsNoticed(t *testing.T) {
	p := newPair(t, shared, shared)
	p.open(5)
	frame := p.shoe.Append(nil, samples[3])
	plain, ok := unstuff(append([]byte(nil), frame[:len(frame)-1]...))
	if !ok {
		t.Fatal("the frame cannot be read")
	}
	for i := range len(plain) - crcSize {
		for bit := range 8 {
			changed := append([]byte{0}, plain[:len(plain)-crcSize]...)
			changed[1+i] ^= 1 << bit
			m, err := p.one(&p.toHost, finish(changed, 0))
			if err == nil && m.Counter != 0 {
				t.Errorf("byte %d bit %d changed, and opened as %s", i, bit, m.String())
			}
		}
	}
	if _, err := p.one(&p.toHost, frame); err != nil {
		t.Errorf("the true frame, afterwards: %v", err)
	}
}

func BenchmarkSealOpenCard(b *testing.B) {
	host, shoe := HostGuard(shared), ShoeGuard(shared, 77)
	host.Ask(5)
	answer := shoe.Answer(5)
	host.Answered(&answer)
	toHost, toShoe := Decoder{Guard: host}, Decoder{Guard: shoe}
	handle := func(Message, error) {}
	toShoe.Feed(host.Append(nil, Message{Type: HostHello, Protocol: 2}), handle)
	toHost.Feed(shoe.Append(nil, samples[0]), handle)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = shoe.Append(buf[:0], samples[3])
		toHost.Feed(buf, handle)
	}
	if s := toHost.Stats(); s.Sealed != 0 {
		b.Fatalf("%+v", s)
	}
	b.SetBytes(int64(len(buf)))
}
