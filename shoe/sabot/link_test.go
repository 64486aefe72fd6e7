package sabot

import (
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

func TestCardOf(t *testing.T) {
	seen := map[card.Card]bool{}
	for r := range 256 {
		for s := range 256 {
			rank, suit := wire.Rank(r), wire.Suit(s)
			got := cardOf(rank, suit)
			switch {
			case r >= 1 && r <= 13 && s >= 1 && s <= 4:
				want, err := card.Parse(string("A23456789TJQK"[r-1]) + string("SHDC"[s-1]))
				if err != nil || got != want {
					t.Errorf("rank %d, suit %d is %v, want %v, %v", r, s, got, want, err)
				}
			case r == 255 && s == 0:
				if got != card.Joker {
					t.Errorf("rank %d, suit %d is %v, want the Joker", r, s, got)
				}
			case got != card.Unread:
				t.Errorf("rank %d, suit %d is %v, want unread", r, s, got)
			}
			seen[got] = true
		}
	}
	if len(seen) != 54 {
		t.Errorf("%d different cards, want 52, the Joker and unread", len(seen))
	}
}

func TestGapsInARowAddUp(t *testing.T) {
	gap := func(seq, missing uint32) shoe.Event {
		return shoe.Event{Kind: shoe.Gap, Position: shoe.Position{Boot: 1, Seq: seq}, Missing: missing}
	}
	up := shoe.Event{Kind: shoe.Up}
	for name, tc := range map[string]struct {
		in   []shoe.Event
		want uint32
	}{
		"known":         {[]shoe.Event{gap(2, 2), gap(5, 3)}, 5},
		"with the link": {[]shoe.Event{gap(2, 2), up, gap(5, 3)}, 5},
		"first unknown": {[]shoe.Event{gap(2, 0), gap(5, 3)}, 0},
		"then unknown":  {[]shoe.Event{gap(2, 2), gap(5, 0)}, 0},
		"too many":      {[]shoe.Event{gap(2, 1<<32-1), gap(5, 3)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var q queue
			for _, e := range tc.in {
				q.push(e)
			}
			e, _ := q.events.Pop()
			if e.Kind != shoe.Gap || e.Missing != tc.want || e.Position.Seq != 5 {
				t.Errorf("got %+v, want one gap up to 5 with %d missing", e, tc.want)
			}
			if e, ok := q.events.Pop(); ok && e.Kind != shoe.Up {
				t.Errorf("%+v is left", e)
			}
		})
	}
}

// A zero goes first over a newly opened port, so that what was cut off before it does not spoil the hello.
func TestAPortBeginsWithAZero(t *testing.T) {
	l := newLink()
	for range 2 {
		l.opened(time.Unix(0, 0))
		if out := l.appendOutput(nil); len(out) < 2 || out[0] != 0 || out[1] == 0 {
			t.Errorf("first sent % x", out)
		}
		l.greet(time.Unix(1, 0))
		if out := l.appendOutput(nil); len(out) == 0 || out[0] == 0 {
			t.Errorf("then sent % x", out)
		}
		l.closed(time.Unix(2, 0), errors.New("cable pulled"))
	}
}

// Events for which there is no room are left with the shoe, and taken when they come again.
func TestAFullQueueLeavesEventsWithTheShoe(t *testing.T) {
	now := time.Unix(0, 0)
	l := newLink()
	l.opened(now)
	l.receive(now, wire.Message{Type: wire.Hello, InSession: true, Boot: 7, First: 1}, nil)
	l.queue.events.Pop() // the link is up
	drawn := func(seq uint32) {
		l.receive(now, wire.Message{Type: wire.Card, Boot: 7, Seq: seq, Rank: 9, Suit: wire.Hearts}, nil)
	}
	for seq := range uint32(queueLimit + 1) {
		drawn(seq + 1)
	}
	if l.taken().Seq != queueLimit || l.counts.Deferred != 1 || l.counts.Events != queueLimit {
		t.Fatalf("taken up to %d, %+v", l.taken().Seq, l.counts)
	}
	l.queue.events.Pop()
	drawn(queueLimit + 1)
	if l.taken().Seq != queueLimit+1 || l.counts.Deferred != 1 {
		t.Errorf("with room for it taken up to %d, %+v", l.taken().Seq, l.counts)
	}
}

// messageOf makes any message out of eleven bytes, with a boot id and a number as the
// codec lets them pass.
func messageOf(b []byte) (wire.Message, error) {
	m := wire.Message{
		Type: wire.Type(b[0]), Boot: uint32(b[1]%3) + 1, Seq: uint32(b[2]%15) + 1, First: uint32(b[3]%16) + 1,
		Last: uint32(b[4] % 16), Queued: uint16(b[5]), InSession: b[6]&1 != 0, Rank: wire.Rank(b[7]),
		Suit:  wire.Suit(b[8]),
		Alarm: wire.AlarmCode(b[7]), Detail: binary.LittleEndian.Uint16(b[7:]), Locks: wire.LockBits(b[8]),
	}
	m.Queued = min(m.Queued, uint16(m.Last))
	if b[9] == 1 && m.Numbered() {
		return m, &wire.UnknownTypeError{Type: m.Type}
	}
	if b[9] == 2 {
		return wire.Message{}, wire.ErrCRC
	}
	return m, nil
}

// Nothing that a shoe says breaks the link, and events come in order.
func FuzzLink(f *testing.F) {
	hello := []byte{byte(wire.Hello), 1, 0, 0, 9, 0, 1, 0, 0, 0, 0}
	drawn := []byte{byte(wire.Card), 1, 1, 0, 0, 0, 0, 9, 2, 0, 0}
	f.Add(append(hello, drawn...))
	f.Fuzz(func(t *testing.T, b []byte) {
		now := time.Unix(0, 0)
		l := newLink()
		l.opened(now)
		var at shoe.Position
		for ; len(b) >= 11; b = b[11:] {
			m, err := messageOf(b)
			l.receive(now, m, err)
			now = now.Add(time.Duration(b[10]) * 10 * time.Millisecond)
			if err := l.tick(now); err != nil && !errors.Is(err, ErrSilent) && !errors.Is(err, ErrGarbage) {
				t.Fatalf("the port is given up for %v", err)
			}
			at = inOrder(t, l, at)
			if out := l.appendOutput(nil); len(out) > 5*wire.MaxFrame {
				t.Fatalf("%d bytes are to be sent at once", len(out))
			}
		}
	})
}

// inOrder removes the events and expects each to follow the one before.
func inOrder(t *testing.T, l *link, at shoe.Position) shoe.Position {
	t.Helper()
	for e, ok := l.queue.events.Pop(); ok; e, ok = l.queue.events.Pop() {
		if isLink(e.Kind) {
			continue
		}
		next := e.Position.Seq == at.Seq+1 && (e.Position.Boot == at.Boot || at == shoe.Position{})
		if e.Kind != shoe.Gap && !next && (at != shoe.Position{} || e.Position.Seq != 1) {
			t.Fatalf("%v at %v follows %v", e.Kind, e.Position, at)
		}
		at = e.Position
		l.durable(at)
	}
	return at
}

// BenchmarkCard takes one card from the line to the table, with its acknowledgement.
func BenchmarkCard(b *testing.B) { benchmarkCard(b, plainCards(b)) }

// BenchmarkSealedCard does the same with a shoe that shares a key.
func BenchmarkSealedCard(b *testing.B) { benchmarkCard(b, sealedCards(b)) }

func benchmarkCard(b *testing.B, c *cardsOfAShoe) {
	b.ReportAllocs()
	for b.Loop() {
		c.card(b)
	}
	c.arrived(b)
}

// TestPatience: a link that is told the time only when it asks for it does everything on time, with and without a key.
func TestPatience(t *testing.T) {
	t.Run("open", func(t *testing.T) { testPatience(t, newLink()) })
	t.Run("sealed", func(t *testing.T) {
		l := newLink()
		l.secure(tableKey, func() wire.Nonce { return 1 })
		testPatience(t, l)
	})
}

func testPatience(t *testing.T, l *link) {
	begun := time.Unix(1, 0)
	l.opened(begun)
	var lost time.Duration
	greetings, now := 0, begun
	for err := error(nil); err == nil; err = l.tick(now) {
		if now == begun {
			now = begun.Add(l.patience(now) / 3) // something woke it
			continue
		}
		for e, ok := l.queue.events.Pop(); ok; e, ok = l.queue.events.Pop() {
			lost = e.At.Sub(begun)
		}
		if l.due.hello {
			l.due.hello = false
			if at := l.times.greeted.Sub(begun); at != time.Duration(greetings)*wire.HelloEvery {
				t.Errorf("greeting %d was sent after %s", greetings, at)
			}
			greetings++
		}
		wait := l.patience(now)
		if wait <= 0 || wait > steady/2 {
			t.Fatalf("after %s the link waits %s", now.Sub(begun), wait)
		}
		now = now.Add(wait)
	}
	if lost != wire.LinkLostAfter || now.Sub(begun) != reopenAfter || greetings != int(reopenAfter/wire.HelloEvery) {
		t.Errorf("lost after %s, given up after %s and %d greetings", lost, now.Sub(begun), greetings)
	}
}
