package gpio

import (
	"errors"
	"time"

	periph "periph.io/x/conn/v3/gpio"

	"github.com/sabot-table/sabot/device/keys"
)

// seek looks for missing lines, and requests those that it finds.
func (b *Board) seek(now time.Duration) {
	b.sought = now
	chips, err := b.kernel.chips()
	defer closeAll(chips)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.slots {
		if s := &b.slots[i]; s.line == nil {
			b.request(i, now, chips, err)
		}
	}
	b.tell()
}

// request requests a missing line if there is one; unread is why some chips cannot be seen.
func (b *Board) request(i int, now time.Duration, chips []Chip, unread error) {
	s := &b.slots[i]
	at, err := find(chips, s.is, s.was)
	switch {
	case err == nil:
		err = b.claimLine(i, now, chips[at.chip], at.number)
	case errors.Is(err, ErrNoLine) && errors.Is(s.err, ErrGone):
		return // that its chip is gone is still all that there is to say
	case errors.Is(err, ErrNoLine) && unread != nil:
		err = unread
	}
	s.err = err
}

// claimLine takes a line of a chip.
func (b *Board) claimLine(i int, now time.Duration, c Chip, number int) error {
	s := &b.slots[i]
	if s.was == nil && c.numbered(s.is.chip) {
		s.was = &c
	}
	if err := b.alone(s.is, c, number); err != nil {
		return err
	}
	l := b.kernel.line(c, number)
	s.line, s.on, s.number = l, b.held(c, now), number
	var err error
	closed := false
	if s.is.output {
		err = b.light(c, s)
	} else {
		closed, err = b.listen(i)
	}
	if err != nil {
		l.Close()
		s.line, s.edges = nil, nil
		return s.is.refused(err, c.Lines[number], c.answers())
	}
	if !s.is.output {
		b.edges = append(b.edges, keys.Edge{Key: i, Back: true, Closed: closed, At: now})
	}
	return nil
}

// light requests a line as an output, and makes it what it is set to. The driver of an expander that lost its power
// takes it for an output, and would leave it as it is: it is made an input first.
func (b *Board) light(c Chip, s *slot) error {
	if _, _, expander := c.Bus(); expander {
		if err := s.line.In(periph.PullNoChange, periph.NoEdge); err != nil {
			return err
		}
	}
	if err := s.out(); err != nil {
		return err
	}
	return b.kernel.there(c, s.line)
}

// listen requests a line as an input, and says whether its contact is closed. Edges from before that are forgotten.
func (b *Board) listen(key int) (closed bool, err error) {
	s := &b.slots[key]
	if err := s.line.In(wires[s.is.pull], periph.BothEdges); err != nil {
		return false, err
	}
	if s.edges, err = newReader(s.line.descriptor()); err != nil {
		return false, err
	}
	return b.look(key)
}

// wires are the pulls as periph has them.
var wires = map[Pull]periph.Pull{PullUp: periph.PullUp, PullDown: periph.PullDown, PullNone: periph.PullNoChange}

// alone refuses a line that another use already has.
func (b *Board) alone(l Line, c Chip, number int) error {
	for _, other := range b.slots {
		if other.line != nil && other.on.chip.Name == c.Name && other.number == number {
			return l.fault("open", ErrTwice, "it is the same line as "+other.is.Use+" ("+other.is.Address()+
				"): give each a line of its own")
		}
	}
	return nil
}

// held returns the chip as the other lines of it know it.
func (b *Board) held(c Chip, now time.Duration) *held {
	for _, other := range b.slots {
		if other.line != nil && other.on.chip.Name == c.Name {
			return other.on
		}
	}
	return &held{chip: c, worked: now}
}
