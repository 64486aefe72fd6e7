// Package gpio gives the lines of a board's GPIO chips as contacts and outputs. It
// goes through periph.io's gpioioctl, the kernel's character devices, and so works on
// every Linux board. It knows nothing about presses or what a line is for.
package gpio

import (
	"context"
	"errors"
	"time"

	periph "periph.io/x/conn/v3/gpio"

	"github.com/sabot-table/sabot/device/keys"
)

// Board is the lines of one table: inputs, which are contacts, and outputs. One
// goroutine may use the contacts while another sets outputs; Close comes after both.
type Board struct {
	lines   []line // the inputs, then the outputs
	inputs  []Line
	outputs []Line
	events  events
}

// Open requests the lines, each in its order. Outputs are off until they are set. If one line is not available, none is
// taken.
func Open(inputs, outputs []Line) (*Board, error) {
	chips, err := Chips()
	if err != nil {
		return nil, err
	}
	return open(chips, inputs, outputs, requested)
}

func open(chips []Chip, inputs, outputs []Line, get func(place) line) (_ *Board, err error) {
	places, err := findAll(chips, append(append([]Line{}, inputs...), outputs...))
	if err != nil {
		return nil, err
	}
	b := &Board{inputs: inputs, outputs: outputs}
	defer func() {
		if err != nil {
			b.release()
		}
	}()
	for i, at := range places {
		l := get(at)
		b.lines = append(b.lines, l)
		if i < len(inputs) {
			err = b.takeInput(l, inputs[i])
		} else {
			err = b.set("open", i-len(inputs), false)
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Board) takeInput(l line, is Line) error {
	if err := l.In(libraryPulls[is.pull], periph.BothEdges); err != nil {
		return is.refused("open", err)
	}
	fd, err := l.descriptor()
	if err != nil {
		return is.fault("open", err, "")
	}
	return b.events.add(is, fd)
}

var libraryPulls = map[Pull]periph.Pull{PullUp: periph.PullUp, PullDown: periph.PullDown, PullNone: periph.PullNoChange}

// Closed says which contacts are closed now.
func (b *Board) Closed() (closed []bool, now time.Duration, err error) {
	closed = make([]bool, len(b.inputs))
	for i, l := range b.inputs {
		closed[i] = l.closed(bool(b.lines[i].Read()))
	}
	now, err = monotonic()
	return closed, now, err
}

// Wait returns the edges that occurred, as keys.Bank specifies. Their times are the kernel's, which takes them in the
// interrupt and passes them on a moment later.
func (b *Board) Wait(ctx context.Context, until time.Duration) (edges []keys.Edge, now time.Duration, err error) {
	for {
		// What happens after this moment may be missed now, and is returned the next time.
		if now, err = monotonic(); err != nil {
			return nil, now, err
		}
		edges, err = b.events.read()
		if err != nil || len(edges) > 0 || now >= until || ctx.Err() != nil {
			return edges, now, err
		}
		if err = b.events.await(until - now); err != nil {
			return nil, now, err
		}
	}
}

// Set switches an output on or off.
func (b *Board) Set(output int, on bool) error {
	return b.set("write", output, on)
}

func (b *Board) set(op string, output int, on bool) error {
	is := b.outputs[output]
	if err := b.lines[len(b.inputs)+output].Out(periph.Level(on == is.activeHigh)); err != nil {
		return is.refused(op, err)
	}
	return nil
}

// Close switches all outputs off and releases the lines. What an output does from then on depends on the board: many
// keep it off, some leave it to a pull.
func (b *Board) Close() error {
	if b.lines == nil {
		return nil
	}
	var errs []error
	for i := range b.outputs {
		// A chip that is gone no longer has outputs.
		if err := b.Set(i, false); !errors.Is(err, ErrGone) {
			errs = append(errs, err)
		}
	}
	b.release()
	return errors.Join(errs...)
}

func (b *Board) release() {
	for _, l := range b.lines {
		l.Close()
	}
	b.lines = nil
}
