package shoesim

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// lines are frames that end with a newline.
func lines(p []byte) int { return bytes.IndexByte(p, '\n') + 1 }

// A line without faults changes nothing.
func TestGoodLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewBadLine(1, lines)
		p := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		if got := l.Carry(0, p, nil); !bytes.Equal(got, p) {
			t.Fatalf("% x arrived of % x", got, p)
		}
		if _, onWay := l.Wake(); onWay {
			t.Fatal("bytes are still on their way")
		}
	})
}

// The same seed and calls give the same faults; another seed others.
func TestSeed(t *testing.T) {
	all := FaultRates{Bits: 0.01, Lost: 0.1, Repeated: 0.1, Cut: 0.1, Run: 0.1, Burst: 0.1}
	send := func(seed uint64) (arrived []byte) {
		l := NewBadLine(seed, lines)
		l.Set(all)
		for range 100 {
			arrived = l.Carry(0, []byte("a frame\nand another\n"), arrived)
		}
		return arrived
	}
	if !bytes.Equal(send(1), send(1)) || bytes.Equal(send(1), send(2)) {
		t.Error("the seed does not decide")
	}
}

// Each fault on its own: how often it occurs, and what it leaves.
func TestRates(t *testing.T) {
	const frames = 20_000
	frame := []byte("seven!\n")
	for name, tc := range map[string]struct {
		rates   FaultRates
		count   func(LineFaults) uint64
		per     float64 // times per frame
		perhaps func(arrived []byte) bool
	}{
		"bits": {FaultRates{Bits: 1e-3}, func(c LineFaults) uint64 { return c.Bits }, 56e-3, func(p []byte) bool {
			return len(p) == len(frame)
		}},
		"lost": {FaultRates{Lost: 0.01}, func(c LineFaults) uint64 { return c.Lost }, 0.01, func(p []byte) bool {
			return len(p) == 0
		}},
		"repeated": {
			FaultRates{Repeated: 0.01},
			func(c LineFaults) uint64 { return c.Repeated }, 0.01,
			func(p []byte) bool { return bytes.Equal(p, append(frame, frame...)) },
		},
		"cut": {FaultRates{Cut: 0.05}, func(c LineFaults) uint64 { return c.Cut }, 0.05, func(p []byte) bool {
			return len(p) < len(frame) && bytes.HasPrefix(frame, p)
		}},
		"run": {FaultRates{Run: 0.05}, func(c LineFaults) uint64 { return c.Run }, 0.05, func(p []byte) bool {
			return len(p) < len(frame)
		}},
		"burst": {FaultRates{Burst: 0.05}, func(c LineFaults) uint64 { return c.Burst }, 0.05, func(p []byte) bool {
			return len(p) > len(frame) && bytes.HasSuffix(p, frame)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewBadLine(3, lines)
			l.Set(tc.rates)
			for range frames {
				before := tc.count(l.Counts())
				arrived := l.Carry(0, frame, nil)
				if happened := tc.count(l.Counts()) > before; happened != !bytes.Equal(arrived, frame) || happened &&
					!tc.perhaps(arrived) {
					t.Fatalf("%q arrived, and the fault was counted: %t", arrived, happened)
				}
			}
			c := l.Counts()
			if got := float64(tc.count(c)) / frames; got < 0.8*tc.per || got > 1.2*tc.per || c.Frames != frames {
				t.Errorf("%g a frame in %d frames, want %g in %d", got, c.Frames, tc.per, frames)
			}
		})
	}
}

// Bytes that drip or hang arrive late, in order, and all of them.
func TestLate(t *testing.T) {
	const ms = time.Millisecond
	l := NewBadLine(1, nil)
	l.Drip(10 * ms)
	var arrived []byte
	at := func(now time.Duration, sent, want string) {
		t.Helper()
		if arrived = l.Carry(now, []byte(sent), arrived[:0]); string(arrived) != want {
			t.Errorf("at %v %q arrived, want %q", now, arrived, want)
		}
	}
	at(0, "abc", "")
	if wake, ok := l.Wake(); !ok || wake != 10*ms {
		t.Errorf("the next byte is due at %v, %t", wake, ok)
	}
	at(15*ms, "d", "a")
	l.Drip(0)
	at(35*ms, "e", "bc")
	at(40*ms, "", "de")
	at(41*ms, "f", "f")

	l.Hang(100 * ms)
	at(50*ms, "gh", "")
	at(99*ms, "i", "")
	at(100*ms, "", "ghi")
	at(101*ms, "j", "j")

	l.Hang(200 * ms)
	at(150*ms, "k", "")
	l.Forget()
	at(200*ms, "l", "l")
}

// What is heard at a wrong speed, calculated by hand.
func TestSpeeds(t *testing.T) {
	for _, tc := range []struct {
		sent, heard int
		bytes, want []byte
	}{
		{9600, 9600, []byte("any"), []byte("any")},
		// The start bit takes two of the receiver's bits, the rest is high.
		{4800, 9600, []byte{0xFF}, []byte{0xFE}},
		// Low until the stop bit: the receiver finds none.
		{4800, 9600, []byte{0x00}, []byte{0}},
		// Over before the receiver samples the start bit.
		{9600, 4800, []byte{0xFF}, nil},
		// Two low bits are its start bit; then 11, 11, 11, 1 and the line at rest.
		{9600, 4800, []byte{0xFE}, []byte{0xFF}},
		// The samples are its bits 2, 4 and 6, which are low, the stop bit, and the line at rest.
		{9600, 4800, []byte{0xA8}, []byte{0xF8}},
	} {
		got := speeds{tc.sent, tc.heard}.through(tc.bytes)
		if !bytes.Equal(got, tc.want) {
			t.Errorf("% x at %d is heard at %d as % x, want % x", tc.bytes, tc.sent, tc.heard, got, tc.want)
		}
	}
}

// A receiver at a slightly wrong speed hears everything.
func TestNearlyTheSameSpeed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "bytes")
		sent := rapid.IntRange(9500, 9700).Draw(t, "speed")
		if got := (speeds{sent, 9600}).through(p); !slices.Equal(got, p) && len(p) > 0 {
			t.Fatalf("% x at %d is heard at 9600 as % x", p, sent, got)
		}
	})
}
