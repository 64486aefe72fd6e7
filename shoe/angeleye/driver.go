package angeleye

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// Name is this make's name in configurations, and Baud the usual speed of its line. 9600 has been seen too.
const (
	Name = "angel-eye"
	Baud = 4800
)

// Driver is one shoe on its line.
type Driver struct {
	line     *shoe.Unacked
	commands bool
	turn     chan struct{} // held by the command that is waiting for its answer
	answers  chan answer
	locked   atomic.Bool // by a command, to the best of our knowledge
	log      *slog.Logger
}

var _ shoe.Driver = (*Driver)(nil)

// New returns the driver of a shoe. Unless commands are allowed, nothing is ever written to the shoe.
func New(o shoe.Options) *Driver {
	d := &Driver{commands: o.Commands, turn: make(chan struct{}, 1), answers: make(chan answer, 1), log: o.Logger()}
	decoder := &Decoder{}
	if o.Commands {
		decoder.answered = d.answered
	}
	now := time.Now()
	for _, r := range o.Reports {
		decoder.Recall(r.Bytes, now.Sub(r.At))
	}
	d.line = shoe.NewUnacked(Name, decoder, o)
	return d
}

// Run listens to the shoe until ctx ends and returns ctx's error. At the end it unlocks a shoe that Lock has locked, if
// it can still be reached.
func (d *Driver) Run(ctx context.Context, handle func(shoe.Event)) error {
	line, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	defer context.AfterFunc(ctx, func() {
		d.farewell()
		hangUp()
	})()
	err := d.line.Run(line, handle)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// farewell leaves the shoe as it should be without a table. No command follows it: it keeps the turn.
func (d *Driver) farewell() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*answerWithin)
	defer cancel()
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return // the command that has the turn waits for an answer that does not come
	}
	if !d.locked.Load() {
		return
	}
	if err := d.ask(ctx, "LK", "01"); err != nil {
		d.log.Warn("shoe: the shoe may still be locked: unlock it at the shoe, or start the table again", "why", err)
	}
}

// Stored does nothing: this shoe keeps no events.
func (d *Driver) Stored(shoe.Position) {}

// Stats returns the counts since New. It may be called at any time.
func (d *Driver) Stats() shoe.UnackedStats { return d.line.Stats() }

// Counters returns those of every shoe that keeps no card.
func (d *Driver) Counters() map[string]uint64 { return d.line.Counters() }

// Condition is that of every shoe that keeps no card.
func (d *Driver) Condition() shoe.Condition { return d.line.Condition() }

// Lock locks the shoe, so that it gives no card. The shoe reports the change as Locked.
func (d *Driver) Lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	was := d.locked.Swap(true) // it may obey, and its answer get lost
	err := d.command(ctx, "LK", "02")
	if _, refused := errors.AsType[*AnswerError](err); refused || errors.Is(err, ErrReadOnly) ||
		errors.Is(err, ErrBusy) || errors.Is(err, shoe.ErrNoPort) {
		d.locked.Store(was)
	}
	return err
}

// Unlock unlocks the shoe. The shoe reports the change as Unlocked.
func (d *Driver) Unlock(ctx context.Context) error {
	err := d.command(ctx, "LK", "01")
	if err == nil {
		d.locked.Store(false)
	}
	return err
}

// ClearError clears an error of the shoe, by its code from 0 to 99.
func (d *Driver) ClearError(ctx context.Context, code int) error {
	if code < 0 || code > 99 {
		return fmt.Errorf("the shoe has no error %d: its codes have two digits", code)
	}
	return d.command(ctx, "EC", fmt.Sprintf("%02d", code))
}

// Confirm confirms the game's progress to the shoe.
func (d *Driver) Confirm(ctx context.Context) error { return d.command(ctx, "GP", "00") }

// answered is called by the decoder.
func (d *Driver) answered(a answer) {
	select {
	case d.answers <- a:
	default:
	}
}

// command sends one command and waits for its answer. An error is ErrReadOnly,
// ErrBusy, ErrNoAnswer, an AnswerError, ctx's, or the port's.
func (d *Driver) command(ctx context.Context, kind, data string) error {
	if !d.commands {
		return ErrReadOnly
	}
	select {
	case d.turn <- struct{}{}:
	default:
		return ErrBusy
	}
	defer func() { <-d.turn }()
	return d.ask(ctx, kind, data)
}

// ask sends one command and waits for its answer. The caller has the turn.
func (d *Driver) ask(ctx context.Context, kind, data string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-d.answers: // to an earlier command that timed out
	default:
	}
	if _, err := d.line.Write(command(kind, data)); err != nil {
		return fmt.Errorf("sending %s %s to the shoe: %w", kind, data, err)
	}
	select {
	case a := <-d.answers:
		if a.refused {
			return &AnswerError{Code: a.code}
		}
		return nil
	case <-time.After(answerWithin):
		return ErrNoAnswer
	case <-ctx.Done():
		return ctx.Err()
	}
}
