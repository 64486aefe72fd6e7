package shoesim

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

const (
	tick = 10 * time.Millisecond
	boot = 0x1F2E3D4C
)

var everything = Identity{Serial: "TEST-1", Capabilities: wire.CanLock | wire.CanLight | wire.HasKeys}

// bench is a core and a host, with the test as the wire between them and a clock of its own.
type bench struct {
	now    time.Duration
	core   *Core
	host   *host // nil while no host is there
	disk   *disk
	toHost func([]byte) []byte
	toCore func([]byte) []byte
	fromH  []byte // on the way to the shoe
}

func newBench() *bench {
	b := &bench{core: NewCore(everything, boot), disk: &disk{}}
	b.startHost()
	return b
}

func (b *bench) startHost() { b.host = &host{disk: b.disk} }

// run lets time pass in small steps.
func (b *bench) run(d time.Duration) {
	for end := b.now + d; b.now < end; b.now += tick {
		in := b.fromH
		if b.toCore != nil {
			in = b.toCore(in)
		}
		out := b.core.Step(b.now, in, nil)
		if b.toHost != nil {
			out = b.toHost(out)
		}
		b.fromH = nil
		if b.host != nil {
			b.fromH = b.host.Step(b.now, out, nil)
		}
	}
}

func (b *bench) draw(n int) {
	for i := range n {
		b.core.Card(b.now, wire.Rank(i%13+1), wire.Spades, 99)
	}
}

// sentBy returns the messages in what a core sent.
func sentBy(t *testing.T, out []byte) []wire.Message {
	t.Helper()
	var all []wire.Message
	var d wire.Decoder
	d.Feed(out, func(m wire.Message, err error) {
		if err != nil {
			t.Fatalf("the core sent %v", err)
		}
		all = append(all, m)
	})
	return all
}

func count(all []wire.Message, t wire.Type) (n int) {
	for _, m := range all {
		if m.Type == t {
			n++
		}
	}
	return n
}

func frame(m wire.Message) []byte { return wire.AppendFrame(nil, m) }

func TestCardsReachTheHostOnce(t *testing.T) {
	b := newBench()
	b.run(time.Second)
	b.draw(100)
	b.core.CutCard(b.now)
	b.run(2 * time.Second)
	if got := len(b.disk.events); got != 101 {
		t.Errorf("%d of 101 events stored", got)
	}
	if b.core.Queued() != 0 || b.core.Counts().Resent != 0 || len(b.host.lost) != 0 {
		t.Errorf("queued %d, counts %+v, lost %v", b.core.Queued(), b.core.Counts(), b.host.lost)
	}
}

func TestNothingIsSentBeforeTheHostsHello(t *testing.T) {
	c := NewCore(everything, boot)
	c.Card(0, 1, wire.Spades, 99)
	c.Step(0, frame(wire.Message{Type: wire.Lamp, Light: wire.LightRed}), nil)
	var out []byte
	for now := tick; now <= 2*time.Second; now += tick {
		out = c.Step(now, nil, out)
	}
	sent := sentBy(t, out)
	if len(sent) != 4 || count(sent, wire.Hello) != 4 {
		t.Errorf("sent %v", sent)
	}
	if c.Light() != wire.LightOff {
		t.Error("a command was obeyed outside of a session")
	}
}

func TestAHelloIsAnsweredBeforeTheEvents(t *testing.T) {
	c := NewCore(everything, boot)
	for range 20 {
		c.Card(0, 1, wire.Spades, 99)
	}
	c.Step(0, nil, nil)
	sent := sentBy(t, c.Step(tick, frame(wire.Message{Type: wire.HostHello, Protocol: 1, Boot: boot, Seq: 4}), nil))
	if len(sent) != 1+wire.Window {
		t.Fatalf("sent %d messages", len(sent))
	}
	if h := sent[0]; h.Type != wire.Hello || !h.InSession || h.First != 5 || h.Last != 20 {
		t.Errorf("answered %s", h.String())
	}
	for i, m := range sent[1:] {
		if m.Seq != uint32(5+i) {
			t.Errorf("place %d: %s", i, m.String())
		}
	}
}

func TestWrongAcknowledgementsChangeNothing(t *testing.T) {
	c := NewCore(everything, boot)
	c.Card(0, 1, wire.Spades, 99)
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1, Boot: boot, Seq: 2}), nil)
	for _, m := range []wire.Message{
		{Type: wire.Acknowledge, Boot: boot + 1, Seq: 1},
		{Type: wire.Acknowledge, Boot: boot, Seq: 2},
		{Type: wire.Acknowledge, Boot: boot, Seq: 0},
	} {
		if c.Step(tick, frame(m), nil); c.Queued() != 1 {
			t.Fatalf("%s took an event off the queue", m.String())
		}
	}
	if c.Step(tick, frame(wire.Message{Type: wire.Acknowledge, Boot: boot, Seq: 1}), nil); c.Queued() != 0 {
		t.Error("the right one did not")
	}
}

func TestUnansweredEventsAreSentAgain(t *testing.T) {
	c := NewCore(everything, boot)
	c.Card(0, 1, wire.Spades, 99)
	c.Card(0, 2, wire.Spades, 99)
	first := sentBy(t, c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil))
	if early := sentBy(t, c.Step(wire.ResendAfter-1, nil, nil)); len(early) != 0 {
		t.Errorf("too early: %v", early)
	}
	again := sentBy(t, c.Step(wire.ResendAfter, nil, nil))
	if len(again) != 2 || again[0] != first[len(first)-2] || again[1] != first[len(first)-1] {
		t.Errorf("first %v, again %v", first, again)
	}
	if got := c.Counts().Resent; got != 2 {
		t.Errorf("counted %d repetitions", got)
	}
}

// An acknowledgement moves the window on; what is on the way is not sent again.
func TestAnAcknowledgementMovesTheWindow(t *testing.T) {
	c := NewCore(everything, boot)
	for range 20 {
		c.Card(0, 1, wire.Spades, 99)
	}
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	sent := sentBy(t, c.Step(tick, frame(wire.Message{Type: wire.Acknowledge, Boot: boot, Seq: 3}), nil))
	if len(sent) != 3 || sent[0].Seq != wire.Window+1 {
		t.Errorf("sent %v", sent)
	}
	if again := sentBy(t, c.Step(wire.ResendAfter, nil, nil)); len(again) != 0 {
		t.Errorf("sent again although there was progress: %v", again)
	}
}

func TestAHelloInASessionGoesBack(t *testing.T) {
	c := NewCore(everything, boot)
	c.Card(0, 1, wire.Spades, 99)
	hello := frame(wire.Message{Type: wire.HostHello, Protocol: 1})
	c.Step(0, hello, nil)
	sent := sentBy(t, c.Step(tick, hello, nil))
	if count(sent, wire.Hello) != 1 || count(sent, wire.Card) != 1 {
		t.Errorf("sent %v", sent)
	}
}

func TestTheExitIsUnlockedAtTheRightFilling(t *testing.T) {
	c := NewCore(everything, boot)
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	for range wire.LockAt - 1 {
		c.Card(0, 1, wire.Spades, 99)
	}
	if c.Locks() != 0 {
		t.Fatal("locked too early")
	}
	c.Card(0, 1, wire.Spades, 99)
	c.Step(0, frame(wire.Message{Type: wire.Acknowledge, Boot: boot, Seq: c.Last() - wire.UnlockAt - 1}), nil)
	if c.Locks() != wire.LockedByQueue {
		t.Errorf("locks %d with %d events queued", c.Locks(), c.Queued())
	}
	c.Step(0, frame(wire.Message{Type: wire.Acknowledge, Boot: boot, Seq: c.Last() - wire.UnlockAt}), nil)
	if c.Locks() != 0 {
		t.Errorf("locks %d with %d events queued", c.Locks(), c.Queued())
	}
}

func TestSilenceEndsTheSession(t *testing.T) {
	b := newBench()
	b.host.commands = []wire.Message{{Type: wire.Lock, Locked: true}, {Type: wire.Lamp, Light: wire.LightAmber}}
	b.run(time.Second)
	b.host = nil
	b.run(wire.LinkLostAfter + wire.HeartbeatEvery)
	if b.core.InSession() {
		t.Error("still in a session without a host")
	}
	if b.core.Locks() != wire.LockedByHost || b.core.Light() != wire.LightAmber {
		t.Errorf("lock %d and lamp %d changed on their own", b.core.Locks(), b.core.Light())
	}
}

func TestUnknownFramesFromTheHostKeepTheSession(t *testing.T) {
	c := NewCore(everything, boot)
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	unknown := []byte{0x07, 0x01, 0x8F, 0x0F, 0xBD, 0xC5, 0x25, 0x00} // the vector unknown-type-host
	for now := tick; now < 3*wire.LinkLostAfter; now += 50 * tick {
		c.Step(now, unknown, nil)
	}
	if !c.InSession() {
		t.Error("the session ended although the host was heard")
	}
}

func TestHostRestart(t *testing.T) {
	b := newBench()
	b.run(time.Second)
	b.draw(5)
	b.run(100 * time.Millisecond)
	b.host = nil
	b.draw(7)
	b.run(3 * time.Second)
	if b.core.Queued() != 7 {
		t.Fatalf("%d events kept, want 7", b.core.Queued())
	}
	b.startHost()
	b.run(time.Second)
	if len(b.disk.events) != 12 || b.core.Queued() != 0 || len(b.host.lost) != 0 {
		t.Errorf("%d of 12 stored, %d queued, lost %v", len(b.disk.events), b.core.Queued(), b.host.lost)
	}
}

func TestShoeRestart(t *testing.T) {
	b := newBench()
	b.run(time.Second)
	b.draw(5)
	b.run(time.Second)
	b.core = NewCore(everything, boot+1)
	b.now = 0
	b.host.heard, b.host.helloAt = 0, 0
	b.draw(3)
	b.run(2 * time.Second)
	if len(b.disk.events) != 8 || b.disk.boot != boot+1 || b.disk.seq != 3 {
		t.Errorf("%d of 8 stored, up to %08x/%d", len(b.disk.events), b.disk.boot, b.disk.seq)
	}
	if len(b.host.lost) != 1 || b.host.lost[0] != 0 {
		t.Errorf("lost %v: a restart of the shoe must be reported once, as of unknown size", b.host.lost)
	}
}

func TestStatusAndLog(t *testing.T) {
	c := NewCore(everything, boot)
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	c.Log(wire.LevelInfo, "lid closed")
	sent := sentBy(t, c.Step(tick, frame(wire.Message{Type: wire.Status}), nil))
	if count(sent, wire.Heartbeat) != 1 || count(sent, wire.Log) != 1 {
		t.Errorf("sent %v", sent)
	}
}

func TestCommandsNeedTheHardware(t *testing.T) {
	c := NewCore(Identity{Serial: "BARE"}, boot)
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	c.Step(0, frame(wire.Message{Type: wire.Lock, Locked: true}), nil)
	c.Step(0, frame(wire.Message{Type: wire.Lamp, Light: wire.LightRed}), nil)
	if c.Locks() != 0 || c.Light() != 0 || c.Last() != 0 {
		t.Errorf("a shoe without lock and lamp: locks %d, light %d, events %d", c.Locks(), c.Light(), c.Last())
	}
	for range wire.LockAt {
		c.Card(0, 1, wire.Spades, 99)
	}
	if c.Locks() != 0 || c.Queued() != wire.LockAt+1 {
		t.Errorf("locks %d, queued %d: want the alarm only", c.Locks(), c.Queued())
	}
}

func TestWakeIsWhenSomethingIsDue(t *testing.T) {
	c := NewCore(everything, boot)
	c.Step(0, nil, nil)
	if got := c.Wake(); got != wire.HelloEvery {
		t.Errorf("waiting: %v", got)
	}
	c.Step(0, frame(wire.Message{Type: wire.HostHello, Protocol: 1}), nil)
	if got := c.Wake(); got != wire.HeartbeatEvery {
		t.Errorf("quiet session: %v", got)
	}
	c.Card(tick, 1, wire.Spades, 99)
	c.Step(tick, nil, nil)
	if got := c.Wake(); got != tick+wire.ResendAfter {
		t.Errorf("with an event on the way: %v", got)
	}
}

// Whatever the line does to the bytes and however often the host restarts, once the line is good every event is stored,
// once and in order.
func TestNoEventIsLostOnABadLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := newBench()
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "noise"), 0))
		wrong := rapid.IntRange(1, 60).Draw(t, "one byte wrong in")
		b.toHost = func(p []byte) []byte { return spoil(random, wrong, p) }
		b.toCore = b.toHost
		var drawn int
		for range rapid.IntRange(1, 25).Draw(t, "actions") {
			switch rapid.IntRange(0, 3).Draw(t, "action") {
			case 0:
				b.startHost()
			case 1:
				b.host = nil
			default:
				n := rapid.IntRange(1, 15).Draw(t, "cards")
				b.draw(n)
				drawn += n
			}
			b.run(rapid.SampledFrom([]time.Duration{tick, 20 * tick, 200 * tick}).Draw(t, "pause"))
		}
		b.toHost, b.toCore = nil, nil
		b.startHost()
		b.run(5 * time.Second)
		if len(b.disk.events) != drawn || b.core.Queued() != 0 {
			t.Fatalf("drawn %d, stored %d, queued %d", drawn, len(b.disk.events), b.core.Queued())
		}
		for i, m := range b.disk.events {
			if m.Seq != uint32(i+1) || m.Type != wire.Card {
				t.Fatalf("place %d holds %s", i, m.String())
			}
		}
	})
}

// spoil changes, drops or repeats about one byte in n.
func spoil(random *rand.Rand, n int, p []byte) []byte {
	var out []byte
	for _, b := range p {
		switch {
		case random.IntN(n) != 0:
			out = append(out, b)
		case random.IntN(3) == 0:
			out = append(out, b^byte(1+random.IntN(255)))
		case random.IntN(2) == 0:
			out = append(out, b, b)
		}
	}
	return out
}

func TestQueueFull(t *testing.T) {
	b := newBench()
	b.run(time.Second)
	b.core.Key(b.now, 2, true)
	b.core.Key(b.now, 2, true)
	b.core.Key(b.now, wire.MaxKey+1, true)
	b.run(time.Second)
	b.host = nil
	b.draw(wire.LockAt)
	if b.core.Locks() != wire.LockedByQueue {
		t.Fatalf("locks %d after %d events", b.core.Locks(), wire.LockAt)
	}
	b.core.Key(b.now, 2, false)
	b.core.Key(b.now, 3, true)
	room := wire.QueueSize - b.core.Queued()
	b.draw(room + 5)
	if b.core.Queued() != wire.QueueSize || b.core.Counts().Lost != 5 {
		t.Fatalf("queued %d, lost %d", b.core.Queued(), b.core.Counts().Lost)
	}
	b.startHost()
	b.run(10 * time.Second)
	if b.core.Locks() != 0 || b.core.Queued() != 0 {
		t.Errorf("locks %d, queued %d after the host came back", b.core.Locks(), b.core.Queued())
	}
	var got []string
	for _, m := range b.disk.events {
		switch m.Type {
		case wire.LockState:
			got = append(got, fmt.Sprintf("locks %d", m.Locks))
		case wire.AlarmRaised, wire.AlarmCleared:
			got = append(got, fmt.Sprintf("%s %s %d", m.Type, m.Alarm, m.Detail))
		case wire.Key:
			got = append(got, fmt.Sprintf("key %d %t", m.KeyNumber, m.Down))
		}
	}
	want := []string{
		"key 2 true", "locks 2", "alarm-raised queue-full 496", "alarm-raised events-lost 5",
		"alarm-cleared queue-full 0", "locks 0", "key 2 false", "key 3 true",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("told %q\nwant %q", got, want)
	}
	if n := count(b.disk.events, wire.Card); n != wire.LockAt+room {
		t.Errorf("%d cards stored of %d that had a place", n, wire.LockAt+room)
	}
}
