// Package gpio gives the lines of a board's GPIO chips as contacts and outputs. It
// uses the kernel's character devices, and so works on every Linux board. It knows
// nothing about presses or what a line is for.
package gpio

import (
	"context"
	"errors"
	"slices"
	"sync"
	"syscall"
	"time"

	periph "periph.io/x/conn/v3/gpio"

	"github.com/sabot-table/sabot/device/keys"
)

// The times of a Board.
const (
	// look is the longest wait before the lines are checked again: kernels before 6.5 do not wake a waiter when a chip
	// vanishes.
	look = 200 * time.Millisecond
	// prove is how often a chip is asked whether it is there while nothing happens.
	prove = time.Second
	// again is how long to wait before missing lines are looked for again.
	again = time.Second
)

// Board is the lines of one table: inputs, which are contacts, and outputs. A line that cannot be had, or whose chip
// vanishes, is missing until it can be had; the others work meanwhile. A chip that comes back under another number is
// found by what names it: the line's name, the chip's label or device, or, for a line named by the chip's number, what
// the chip with that number was.
//
// One goroutine may use the contacts while another sets outputs; missing lines are looked for while the contacts are
// waited for. Close comes after both.
type Board struct {
	kernel kernel
	inputs int
	// Only the goroutine of the contacts uses these.
	edges  []keys.Edge
	polled []pollFd
	proved time.Duration // when the chips were last proved to be there
	sought time.Duration // when missing lines were last looked for

	// The goroutine of the contacts alone changes which lines there are, with the lock.
	mu      sync.Mutex
	slots   []slot // the inputs, then the outputs
	missing []keys.Missing
	changed chan struct{}
}

// slot is one of a board's lines.
type slot struct {
	is Line
	// line is nil while the line is missing, and err why.
	line line
	err  error
	// on is the chip that the line is of, and number the line there.
	on     *held
	number int
	// edges are those of an input.
	edges *reader
	// set is what an output is to be.
	set bool
	// was is the chip that had the number by which the line is named, nil before it was found.
	was *Chip
}

// held is a chip of which some lines are requested.
type held struct {
	chip Chip
	// worked is when it last did, and failed why it does not.
	worked time.Duration
	failed error
}

// Open requests the lines, each in its order. Outputs are off until they are set.
func Open(inputs, outputs []Line) (*Board, error) { return open(inputs, outputs, system{}) }

func open(inputs, outputs []Line, k kernel) (*Board, error) {
	b := &Board{kernel: k, inputs: len(inputs), changed: make(chan struct{})}
	for _, l := range slices.Concat(inputs, outputs) {
		b.slots = append(b.slots, slot{is: l})
	}
	now, err := monotonic()
	if err != nil {
		return nil, err
	}
	b.seek(now)
	return b, nil
}

// Missing returns the lines that cannot be used now, and a channel that is closed when that changes.
func (b *Board) Missing() ([]keys.Missing, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.missing, b.changed
}

// Closed says which contacts are closed now.
func (b *Board) Closed() (closed []bool, now time.Duration, err error) {
	closed = make([]bool, b.inputs)
	b.mu.Lock()
	defer b.mu.Unlock()
	for key := range closed {
		if s := &b.slots[key]; s.line != nil {
			closed[key], err = b.look(key)
			s.failed(err)
		}
	}
	now, err = monotonic()
	return closed, now, err
}

// look says whether a contact is closed now. Its edges up to now are forgotten. A chip that works after it was read has
// said the truth.
func (b *Board) look(key int) (closed bool, err error) {
	s := &b.slots[key]
	if err := s.edges.drain(key, s.is, func(keys.Edge) {}); err != nil {
		return false, err
	}
	high, err := s.line.high()
	if err == nil {
		err = b.kernel.there(s.on.chip, s.line)
	}
	return err == nil && s.is.closed(high), err
}

// failed notes that a line's chip does not work. Its lines are given up by the goroutine of the contacts.
func (s *slot) failed(err error) {
	if err != nil && s.on.failed == nil {
		s.on.failed = err
	}
}

// Wait returns the edges that occurred, as keys.Bank specifies. Their times are the kernel's, which takes them in the
// interrupt and passes them on a moment later.
func (b *Board) Wait(ctx context.Context, until time.Duration) (edges []keys.Edge, now time.Duration, err error) {
	for {
		// What happens after this moment may be missed now, and is returned the next time.
		if now, err = monotonic(); err != nil {
			return nil, now, err
		}
		b.turn(now, until)
		if len(b.edges) > 0 || now >= until || ctx.Err() != nil {
			return b.edges, now, nil
		}
		if err = b.await(until - now); err != nil {
			return nil, now, err
		}
	}
}

// turn reads the edges, and sees which chips are there and which lines.
func (b *Board) turn(now, until time.Duration) {
	b.edges = b.edges[:0]
	b.mu.Lock()
	b.read()
	if len(b.edges) > 0 || now >= min(until, b.proved+prove) {
		b.prove(now)
	}
	lost := b.drop(now)
	slices.SortStableFunc(b.edges, func(x, y keys.Edge) int { return int(x.At - y.At) })
	b.mu.Unlock()
	if lost || len(b.missing) > 0 && now >= b.sought+again {
		b.seek(now)
	}
}

// read takes every edge that is there.
func (b *Board) read() {
	for key := range b.inputs {
		s := &b.slots[key]
		if s.line == nil {
			continue
		}
		s.failed(s.edges.drain(key, s.is, func(e keys.Edge) {
			b.edges, s.on.worked = append(b.edges, e), max(s.on.worked, e.At)
		}))
	}
}

// prove asks each chip whether it is there. What a contact does after its chip was last there is not known: a press
// that would become a long one meanwhile may have ended.
func (b *Board) prove(now time.Duration) {
	b.proved = now
	for i := range b.slots {
		s := &b.slots[i]
		if s.line == nil || s.on.failed != nil || s.on.worked >= now {
			continue
		}
		if err := b.kernel.there(s.on.chip, s.line); err != nil {
			s.failed(err)
			continue
		}
		s.on.worked = now
	}
}

// drop gives up the lines of chips that do not work, and reports whether there were any.
func (b *Board) drop(now time.Duration) (any bool) {
	for i := range b.slots {
		s := &b.slots[i]
		if s.line == nil || s.on.failed == nil {
			continue
		}
		s.line.Close()
		s.line, s.edges, s.err, any = nil, nil, s.is.vanished(s.on.failed), true
		if i < b.inputs {
			b.edges = append(b.edges, keys.Edge{Key: i, Gone: true, At: min(s.on.worked, now)})
		}
	}
	if any {
		b.tell()
	}
	return any
}

// tell says which lines are missing. The lock is held.
func (b *Board) tell() {
	var all []keys.Missing
	for i, s := range b.slots {
		switch {
		case s.line != nil:
		case i < b.inputs:
			all = group(all, keys.Missing{Contacts: []int{i}, Err: s.err})
		default:
			all = group(all, keys.Missing{Outputs: []int{i - b.inputs}, Err: s.err})
		}
	}
	same := slices.EqualFunc(all, b.missing, func(x, y keys.Missing) bool {
		return slices.Equal(x.Contacts, y.Contacts) && slices.Equal(x.Outputs, y.Outputs) &&
			x.Err.Error() == y.Err.Error()
	})
	if same {
		return
	}
	b.missing = all
	close(b.changed)
	b.changed = make(chan struct{})
}

// await waits until there is something to read, but no longer than look.
func (b *Board) await(most time.Duration) error {
	b.polled = b.polled[:0]
	for i := range b.slots[:b.inputs] {
		if s := &b.slots[i]; s.line != nil {
			b.polled = append(b.polled, pollFd{Fd: int32(s.edges.fd), Events: readable})
		}
	}
	ms := int((min(most, look) + time.Millisecond - 1) / time.Millisecond)
	if err := poll(b.polled, ms); err != nil && !errors.Is(err, syscall.EINTR) {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	open := 0
	for i := range b.slots[:b.inputs] {
		s := &b.slots[i]
		if s.line == nil {
			continue
		}
		// Such a line has nothing to read, and never will.
		if got := b.polled[open].Revents; got&readable == 0 && got&ended != 0 {
			s.failed(ErrGone)
		}
		open++
	}
	return nil
}

// Set switches an output on or off. One that is missing is switched as soon as it is there.
func (b *Board) Set(output int, on bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := &b.slots[b.inputs+output]
	s.set = on
	if s.line != nil {
		s.failed(s.out())
	}
	return nil
}

// out makes an output what it is set to.
func (s *slot) out() error { return s.line.Out(periph.Level(s.set == s.is.activeHigh)) }

// Close switches all outputs off and releases the lines. What an output does from then on depends on the board: many
// keep it off, some leave it to a pull.
func (b *Board) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var errs []error
	for i := range b.slots {
		s := &b.slots[i]
		if s.line == nil {
			continue
		}
		// A chip that is gone no longer has outputs.
		if s.set = false; s.is.output && s.on.failed == nil {
			if err := s.out(); err != nil && !means(err, syscall.ENODEV) {
				errs = append(errs, s.is.fault("write", err, listHint))
			}
		}
		s.line.Close()
		s.line = nil
	}
	return errors.Join(errs...)
}
