package device

import (
	"fmt"
	"strings"
)

// Losses are what the kernel counts at a port's receiver: bytes that were lost, or arrived wrong.
type Losses struct {
	Overruns       uint64 // bytes lost in the hardware, since the kernel came too late
	BufferOverruns uint64 // bytes lost in the kernel, since nobody read them
	Framing        uint64 // bytes without a stop bit: noise, or the wrong speed
	Parity         uint64 // bytes with the wrong parity
	Breaks         uint64 // times that the line was held low
}

// LossCounter is a port that says what its receiver lost.
type LossCounter interface {
	// Losses returns the counts since some moment in the past, and false if the port does not count: a network
	// connection, a pseudo-terminal, and adapters whose drivers do not count.
	Losses() (Losses, bool)
}

// lossKind is one of the counts, with its name in counters and in words.
type lossKind struct {
	of                 func(*Losses) *uint64
	counter, one, many string
}

var lossKinds = []lossKind{
	{func(l *Losses) *uint64 { return &l.Overruns }, "overruns", "overrun", "overruns"},
	{func(l *Losses) *uint64 { return &l.BufferOverruns }, "buffer_overruns", "buffer overrun", "buffer overruns"},
	{func(l *Losses) *uint64 { return &l.Framing }, "framing_errors", "framing error", "framing errors"},
	{func(l *Losses) *uint64 { return &l.Parity }, "parity_errors", "parity error", "parity errors"},
	{func(l *Losses) *uint64 { return &l.Breaks }, "breaks", "break", "breaks"},
}

// String lists the counts that are not zero.
func (l Losses) String() string {
	var words []string
	for _, k := range lossKinds {
		switch n := *k.of(&l); n {
		case 0:
		case 1:
			words = append(words, "1 "+k.one)
		default:
			words = append(words, fmt.Sprintf("%d %s", n, k.many))
		}
	}
	return strings.Join(words, ", ")
}

// LossMeter measures what open ports lose, one after the other.
type LossMeter struct {
	port   LossCounter // nil if the port does not count
	last   Losses
	total  Losses
	counts bool // at least one port counted
}

// Open begins to measure on a port that was just opened.
func (m *LossMeter) Open(p Port) {
	m.port = nil
	if counter, ok := p.(LossCounter); ok {
		if last, counts := counter.Losses(); counts {
			m.port, m.last, m.counts = counter, last, true
		}
	}
}

// AddTo puts what was lost on all ports into a table of counters, if at least one of them counts.
func (m *LossMeter) AddTo(counters map[string]uint64) {
	if !m.counts {
		return
	}
	for _, k := range lossKinds {
		counters[k.counter] = *k.of(&m.total)
	}
}

// Lost returns what was lost since the last call.
func (m *LossMeter) Lost() (lost Losses) {
	if m.port == nil {
		return Losses{}
	}
	if now, ok := m.port.Losses(); ok && now != m.last {
		return m.since(now)
	}
	return Losses{}
}

func (m *LossMeter) since(now Losses) (lost Losses) {
	for _, k := range lossKinds {
		is, was := *k.of(&now), *k.of(&m.last)
		if is < was {
			was = 0 // the driver has begun again
		}
		*k.of(&lost) = is - was
		*k.of(&m.total) += is - was
	}
	m.last = now
	return lost
}
