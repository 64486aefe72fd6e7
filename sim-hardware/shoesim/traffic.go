package shoesim

import (
	"errors"
	"fmt"
	"time"
)

// listen processes what arrives on one line until it is unplugged.
func (s *Shoe) listen(l line) {
	buf := make([]byte, 256)
	for {
		n, err := l.read(buf)
		s.mu.Lock()
		if s.line != l {
			s.mu.Unlock()
			return
		}
		if err != nil {
			s.fault = errors.Join(s.fault, fmt.Errorf("reading from the host: %w", err))
			s.announce()
			s.mu.Unlock()
			return
		}
		in := buf[:n]
		if s.options.FromHost != nil && n > 0 {
			in = s.options.FromHost(in)
		}
		s.advance(in)
		s.mu.Unlock()
	}
}

// keepTime steps the firmware whenever one of its timers or of the line's is due.
func (s *Shoe) keepTime() {
	for {
		s.mu.Lock()
		wait := min(s.firmware.Wake()-time.Since(s.booted), s.cable.wait())
		s.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-s.stop:
			return
		case <-s.kick:
		case <-timer.C:
			s.mu.Lock()
			s.advance(nil)
			s.mu.Unlock()
		}
		timer.Stop()
	}
}

// advance steps the firmware with what has arrived and sends its output. The lock is held.
func (s *Shoe) advance(in []byte) {
	in = s.cable.fromHost(in)
	s.out = s.firmware.Step(time.Since(s.booted), in, s.out[:0])
	if s.core != nil && s.core.UsedUp() {
		s.startAnew()
		s.out = s.firmware.Step(0, nil, s.out)
	}
	s.transmit()
	s.announce()
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// transmit sends the firmware's output, as far as the line carries it.
func (s *Shoe) transmit() {
	out := s.out
	if len(out) > 0 && s.options.ToHost != nil {
		out = s.options.ToHost(out)
	}
	out = s.cable.toHost(out)
	if s.line == nil || s.closed {
		return
	}
	out, pulled := s.cable.pull(out)
	if err := s.give(out); err != nil {
		s.fault = errors.Join(s.fault, fmt.Errorf("sending to the host: %w", err))
	}
	if pulled {
		s.fault = errors.Join(s.fault, s.letRead(), s.unplug())
	}
}

// give sends bytes to the host.
func (s *Shoe) give(out []byte) error {
	err := s.discardStale(len(out) > 0)
	if len(out) == 0 {
		return err
	}
	return errors.Join(err, s.line.send(out))
}

// keeping is a line that keeps what its host has not read: a terminal.
type keeping interface {
	unread() (int, error)
	forget() error
}

// discardStale drops what waits in a terminal that no host reads, like a port that nobody has open. A sabot shoe knows
// whether a host is there; the others check now and then.
func (s *Shoe) discardStale(sending bool) error {
	t, waits := s.line.(keeping)
	switch {
	case !waits:
		return nil
	case s.core == nil:
		stale := s.cable.look()
		if sending {
			s.cable.sent()
		}
		if !stale {
			return nil
		}
	case !sending || s.core.InSession():
		return nil
	}
	return t.forget()
}

// letRead waits a moment for the host to read what it received, which would be lost with the terminal.
func (s *Shoe) letRead() error {
	t, waits := s.line.(keeping)
	if !waits {
		return nil
	}
	for range 100 {
		if n, err := t.unread(); n == 0 || err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}
