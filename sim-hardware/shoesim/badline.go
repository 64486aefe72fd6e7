package shoesim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// FaultRates are how often a line fails. Each is a probability from 0 to 1.
type FaultRates struct {
	// Bits is the probability that a single bit is flipped.
	Bits float64
	// The probabilities that a frame is lost, arrives twice, ends early, misses a run of bytes, and has a burst of
	// garbage before it.
	Lost, Repeated, Cut, Run, Burst float64
}

// LineFaults are what a bad line has done so far.
type LineFaults struct {
	Frames                          uint64
	Bits                            uint64 // flipped
	Lost, Repeated, Cut, Run, Burst uint64 // frames
}

// longestBurst is the most bytes of a burst of garbage.
const longestBurst = 40

// BadLine is one direction of a line, and does to bytes on their way what cables, converters and electric motors do. It
// is pure: bytes and times in, bytes out. The same seed and the same calls give the same faults. A zero time is when it
// began; times never go back. It is not safe for concurrent use.
type BadLine struct {
	random *rand.Rand
	frame  func([]byte) int
	rates  FaultRates
	speeds speeds
	counts LineFaults

	hangs time.Duration // nothing arrives until then
	every time.Duration // between two bytes, 0 for all at once
	free  time.Duration // when the last byte on the way arrives
	onWay []arrival
	buf   []byte
}

// arrival is a byte on its way.
type arrival struct {
	at   time.Duration
	byte byte
}

// NewBadLine returns a line without faults. frame returns the length of the first frame in what is sent at once; nil
// takes all of it for one frame.
func NewBadLine(seed uint64, frame func([]byte) int) *BadLine {
	if frame == nil {
		frame = func(p []byte) int { return len(p) }
	}
	return &BadLine{random: rand.New(rand.NewPCG(seed, 0xFA17)), frame: frame}
}

// Set sets how often the line fails from now on.
func (l *BadLine) Set(r FaultRates) { l.rates = r }

// Speed makes what is sent at one baud rate heard at another; equal ones are right.
func (l *BadLine) Speed(sent, heard int) { l.speeds = speeds{sent, heard} }

// Drip lets bytes arrive one by one with this time between them; 0 ends it.
func (l *BadLine) Drip(every time.Duration) { l.every = every }

// Hang lets nothing arrive until the given time. What is sent meanwhile arrives then.
func (l *BadLine) Hang(until time.Duration) { l.hangs = until }

// Garbage returns so many bytes of garbage.
func (l *BadLine) Garbage(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(l.random.Uint32())
	}
	return p
}

// Counts returns what the line did so far.
func (l *BadLine) Counts() LineFaults { return l.counts }

// Forget drops what is on its way, as when the cable is pulled.
func (l *BadLine) Forget() { l.onWay = l.onWay[:0] }

// Carry takes what is sent at now, and appends to out what arrives until now. It may be
// called with nothing sent.
func (l *BadLine) Carry(now time.Duration, sent, out []byte) []byte {
	l.buf = l.buf[:0]
	for len(sent) > 0 {
		n := min(max(l.frame(sent), 1), len(sent))
		l.counts.Frames++
		l.buf = l.spoil(l.buf, sent[:n])
		sent = sent[n:]
	}
	through := l.speeds.through(l.buf)
	if l.every == 0 && now >= l.hangs && len(l.onWay) == 0 {
		return append(out, through...)
	}
	l.delay(now, through)
	n := 0
	for n < len(l.onWay) && l.onWay[n].at <= now {
		out = append(out, l.onWay[n].byte)
		n++
	}
	l.onWay = slices.Delete(l.onWay, 0, n)
	return out
}

// delay puts bytes on their way, after those already there.
func (l *BadLine) delay(now time.Duration, p []byte) {
	l.free = max(l.free, now, l.hangs)
	for _, b := range p {
		l.free += l.every
		l.onWay = append(l.onWay, arrival{l.free, b})
	}
}

// Wake returns when the next byte arrives, and false if none is on its way.
func (l *BadLine) Wake() (time.Duration, bool) {
	if len(l.onWay) == 0 {
		return 0, false
	}
	return l.onWay[0].at, true
}

func (l *BadLine) happens(probability float64) bool {
	return probability > 0 && l.random.Float64() < probability
}

// spoil appends to out what the rates leave of a frame.
func (l *BadLine) spoil(out, frame []byte) []byte {
	if l.happens(l.rates.Lost) {
		l.counts.Lost++
		return out
	}
	if l.happens(l.rates.Repeated) {
		l.counts.Repeated++
		out = l.damage(out, frame)
	}
	return l.damage(out, frame)
}

// damage appends to out one copy of a frame with its damage.
func (l *BadLine) damage(out, frame []byte) []byte {
	if l.happens(l.rates.Burst) {
		l.counts.Burst++
		out = append(out, l.Garbage(1+l.random.IntN(longestBurst))...)
	}
	begin := len(out)
	switch {
	case l.happens(l.rates.Cut):
		l.counts.Cut++
		out = append(out, frame[:l.random.IntN(len(frame))]...)
	case l.happens(l.rates.Run):
		l.counts.Run++
		from := l.random.IntN(len(frame))
		out = append(out, frame[:from]...)
		out = append(out, frame[from+1+l.random.IntN(len(frame)-from):]...)
	default:
		out = append(out, frame...)
	}
	l.turnBits(out[begin:])
	return out
}

func (l *BadLine) turnBits(p []byte) {
	if l.rates.Bits <= 0 {
		return
	}
	for i := range p {
		for bit := range 8 {
			if l.random.Float64() < l.rates.Bits {
				p[i] ^= 1 << bit
				l.counts.Bits++
			}
		}
	}
}
