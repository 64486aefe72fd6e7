package shoetest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// host is the table's side as a script plays it: it keeps to the protocol when it likes, and listens to the shoe.
type host struct {
	*twin
	guard   *wire.Guard // nil without a key
	decoder wire.Decoder
	boot    uint32
	last    uint32   // of the shoe's events
	said    [][]byte // every frame that went to the shoe
}

func newHost(s *shoeSetup) *host {
	h := &host{twin: newTwin(s), boot: s.boot}
	if s.key != nil {
		h.guard = wire.HostGuard(*s.key)
		h.decoder.Guard = h.guard
	}
	h.listen()
	return h
}

func (h *host) listen() {
	h.decoder.Feed(h.frames, func(m wire.Message, err error) {
		if m.Counter > 0 {
			h.sealed++
		}
		switch {
		case err != nil:
		case m.Type == wire.Answer && h.guard != nil:
			h.guard.Answered(&m)
		case m.Numbered():
			h.last = max(h.last, m.Seq)
		}
	})
}

func (h *host) say(frame []byte) {
	if len(frame) == 0 {
		return
	}
	h.said = append(h.said, bytes.Clone(frame))
	h.receive(frame)
	h.listen()
}

// send sends a message as the shoe expects it.
func (h *host) send(m wire.Message) {
	if h.guard == nil {
		h.say(wire.AppendFrame(nil, m))
		return
	}
	h.say(h.guard.Append(nil, m))
}

// greet begins a session.
func (h *host) greet(nonce wire.Nonce, seq uint32) {
	m := wire.Message{Type: wire.HostHello, Protocol: wire.Version, Boot: h.boot, Seq: seq}
	if h.guard != nil {
		h.guard.Ask(nonce)
		h.say(wire.AppendFrame(nil, h.guard.Challenge()))
	}
	h.send(m)
}

// stay keeps the session alive.
func (h *host) stay(beats int) {
	for range beats {
		h.send(wire.Message{Type: wire.Status})
		h.pass(495)
		h.listen()
	}
}

// bites reads small numbers from bytes, zeros when there are no more.
type bites struct{ left []byte }

func (b *bites) next(n int) int {
	if len(b.left) == 0 {
		return 0
	}
	v := int(b.left[0])
	b.left = b.left[1:]
	return v % n
}

func (b *bites) u32() uint32 {
	var v [4]byte
	b.left = b.left[copy(v[:], b.left):]
	return binary.LittleEndian.Uint32(v[:])
}

func (b *bites) bytes(most int) []byte {
	n := min(b.next(most+1), len(b.left))
	taken := b.left[:n]
	b.left = b.left[n:]
	return taken
}

// setupOf makes a shoe from bytes.
func setupOf(b *bites) *shoeSetup {
	s := &shoeSetup{
		clock: b.u32(), boot: max(1, b.u32()), caps: wire.Capabilities(b.next(64)), seed: uint64(b.u32()),
		serial: "C-TWIN",
		events: []int{wire.LeastQueue, 33, 40, 100, wire.QueueSize}[b.next(5)],
	}
	if b.next(2) == 1 {
		s.key = &wire.Secret{byte(b.next(256)), 7}
	}
	return s
}

// live plays the actions in bytes to a shoe and its host.
func live(b *bites) *twin {
	h := newHost(setupOf(b))
	if b.next(8) == 0 {
		h.begin(math.MaxUint32 - uint32(b.next(60)))
	}
	for steps := 0; len(b.left) > 0 && steps < 2000; steps++ {
		if b.next(2) == 0 {
			h.happen(b)
		} else {
			h.talk(b)
		}
		h.listen()
	}
	return h.twin
}

// happen lets something happen to the shoe.
func (h *host) happen(b *bites) {
	switch b.next(16) {
	case 0:
		for range 1 + b.next(60) {
			h.card(wire.Rank(b.next(15)), wire.Suit(b.next(6)), uint8(b.next(256)))
			h.listen()
		}
	case 1:
		h.cutCard()
	case 2:
		h.key(uint8(b.next(10)), b.next(2) == 1)
	case 3:
		h.alarm(wire.AlarmCode(b.next(256)), uint16(b.u32()))
	case 4:
		h.alarmOver(wire.AlarmCode(b.next(256)))
	case 5:
		h.log(wire.Level(b.next(4)), "x"+string(printables(b.bytes(60))))
	case 6:
		h.pass(uint32(b.next(4)) * 250)
	case 7:
		h.pass(uint32(b.next(8)) * 500)
	case 8:
		if b.next(10) == 0 {
			h.pass(b.u32() % (1 << 30))
		}
	default:
		h.pass(uint32(b.next(100)))
	}
}

func printables(p []byte) []byte {
	p = bytes.Clone(p)
	for i := range p {
		p[i] = ' ' + p[i]%95
	}
	return p
}

// talk lets the host, or an attacker on the line, send something.
func (h *host) talk(b *bites) {
	switch b.next(13) {
	case 0:
		h.greet(wire.Nonce(b.next(8)), b.u32()%8)
	case 1, 2:
		h.send(wire.Message{Type: wire.Acknowledge, Boot: h.boot, Seq: h.last - min(h.last, uint32(b.next(12)))})
	case 3:
		h.send(wire.Message{Type: wire.Lock, Locked: b.next(2) == 1})
	case 4:
		h.send(wire.Message{Type: wire.Lamp, Light: wire.Light(b.next(4))})
	case 5:
		h.send(wire.Message{Type: wire.Status})
	case 6:
		h.receive(append(bytes.Clone(b.bytes(100)), 0))
	case 7: // any packet with a good CRC
		h.receive(wire.AppendPacket(nil, b.bytes(58)))
	case 8: // what was said before
		if n := len(h.said); n > 0 {
			h.receive(h.said[b.next(n)])
		}
	case 9: // a frame gets lost
		if h.guard != nil {
			h.guard.Append(nil, wire.Message{Type: wire.Status})
		}
	case 10:
		h.stay(b.next(25))
	case 11: // noise
		h.receive([]byte{9, 9, 0})
	default: // what was said before, changed
		if n := len(h.said); n > 0 {
			f := bytes.Clone(h.said[b.next(n)])
			f[b.next(len(f))] ^= 1 << b.next(8)
			h.receive(f)
		}
	}
}

func FuzzShoe(f *testing.F) {
	f.Add(bytes.Repeat([]byte{3, 0, 1, 9, 9, 9}, 30))
	f.Add(slices.Concat(make([]byte, 14), []byte{1, 7, 1, 0, 1, 0, 0, 0, 0},
		bytes.Repeat([]byte{0, 0, 5, 1, 1, 1, 1, 1, 2}, 20)))
	h := startHarness(f)
	f.Fuzz(func(t *testing.T, script []byte) { live(&bites{script}).compare(t, h) })
}

// Whatever happens to a shoe, and whatever its line brings: the C shoe sends, byte for byte and at the same time, what
// the Go shoe sends.
func TestTheShoesAreTwins(t *testing.T) {
	lives := tier.Times[uint64](200, 1000)
	h := startHarness(t)
	var sealed, lost, tampered, resent uint32
	for seed := range lives {
		random := rand.New(rand.NewPCG(seed, 0))
		script := make([]byte, 20+random.IntN(3000))
		for i := range script {
			script[i] = byte(random.Uint32())
		}
		shoe := live(&bites{script})
		shoe.compare(t, h)
		c := shoe.core.Counts()
		lost, tampered, resent = lost+c.Lost, tampered+c.Tampered, resent+c.Resent
		sealed += shoe.sealed
	}
	t.Logf("sealed frames %d, events lost %d, tampered %d, resent %d", sealed, lost, tampered, resent)
	if uint64(min(sealed, lost, tampered, resent)) < lives {
		t.Error("the lives are too quiet")
	}
}

// After the last number there is, and once all of it is stored, neither shoe says a hello, which would have to name the
// number 0, and an acknowledgement takes nothing more from the queue.
func TestTheTwinsRunOutOfNumbers(t *testing.T) {
	bothTwins(t, func(h *host) {
		h.begin(math.MaxUint32 - 2)
		h.greet(1, 0)
		for range 4 {
			h.card(9, wire.Hearts, 99)
			h.listen()
		}
		for range 3 {
			h.send(wire.Message{Type: wire.Acknowledge, Boot: h.boot, Seq: math.MaxUint32})
			h.send(wire.Message{Type: wire.Acknowledge, Boot: h.boot, Seq: 5})
			h.stay(2)
			h.greet(2, 5)
			h.pass(3000)
		}
		if !h.core.UsedUp() || h.last != math.MaxUint32 || h.core.Counts().Lost == 0 {
			t.Errorf("used up %t, last %d, %+v", h.core.UsedUp(), h.last, h.core.Counts())
		}
	})
}

// bothTwins plays a life to twins without a key and with one.
func bothTwins(t *testing.T, life func(*host)) {
	harness := startHarness(t)
	for _, key := range []*wire.Secret{nil, {1}} {
		h := newHost(&shoeSetup{boot: 7, events: wire.QueueSize, serial: "C-TWIN", key: key})
		life(h)
		h.compare(t, harness)
	}
}

// What the hardware reports as damaged is noise, and so is forgotten with the next good frame: what vanishes after that
// is reported.
func TestDamageExplainsWhatIsMissing(t *testing.T) {
	status := wire.Message{Type: wire.Status}
	lose := func(h *host) { h.guard.Append(nil, status) }
	// The Go shoe has no hardware: it hears noise where the C shoe is told of damage.
	damage := func(h *host) {
		h.script = append(h.script, 'd')
		h.flush([]byte{9, 9, 0})
	}
	noise := func(h *host) { h.receive([]byte{9, 9, 0}) }
	good := func(h *host) { h.send(status) }
	harness := startHarness(t)
	for name, tc := range map[string]struct {
		line   []func(*host)
		alarms uint32
	}{
		"nothing is missing":        {[]func(*host){noise, good, damage, good}, 0},
		"missing without a trace":   {[]func(*host){lose, good}, 1},
		"missing in noise":          {[]func(*host){lose, noise, good}, 0},
		"lost in the hardware":      {[]func(*host){lose, damage, good}, 0},
		"noise before a good frame": {[]func(*host){noise, good, lose, good}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(&shoeSetup{boot: 7, events: wire.QueueSize, serial: "C-TWIN", key: &wire.Secret{1}})
			h.greet(1, 0)
			for _, what := range tc.line {
				what(h)
			}
			if got := h.core.Counts().Tampered; got != tc.alarms || h.core.Last() != tc.alarms {
				t.Errorf("%d alarms, want %d", got, tc.alarms)
			}
			h.compare(t, harness)
		})
	}
}
