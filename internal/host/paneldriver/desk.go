// Package paneldriver runs the dealer's panel at a table: contacts become presses, presses become
// inputs, and the table's view becomes lamps, a buzzer and a lock. Package panel decides
// what a key means and which lamp is lit; package keys, what a press is.
package paneldriver

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/table/vocab"
)

// Board is the lines of a panel, real or simulated.
type Board interface {
	keys.Bank
	// Set switches an output. One that is missing is switched when it is there again. It is called from a different
	// goroutine than Wait.
	Set(output int, on bool) error
	// Missing returns the contacts and outputs that cannot be used now, and a channel that is closed when that changes.
	Missing() ([]keys.Missing, <-chan struct{})
	// Close switches all outputs off.
	Close() error
}

// Table is the table that the panel belongs to.
type Table interface {
	// Look returns the latest view, and a channel that is closed once there is a newer one.
	Look() (display.View, <-chan struct{})
	// Press puts in an input that was pressed at a time, and returns why it was refused, if
	// it was.
	Press(ctx context.Context, in vocab.Input, at time.Time) (vocab.Reason, error)
}

// Contact says what a contact is for: a button's functions, the supervisor's key switch, or
// the sensor of a box.
type Contact struct {
	// Short is what a button does, Long what a long press of it does, 0 for nothing.
	Short, Long panel.Key
	Supervisor  bool
	// Box is the number of the sensor's box, 0 for none.
	Box int
}

// Output says what an output is for.
type Output uint8

// The outputs.
const (
	Green Output = iota
	Amber
	Red
	Buzzer
	Lock
	Floor
	outputs
)

var outputNames = [outputs]string{
	Green: "green", Amber: "amber", Red: "red", Buzzer: "buzzer", Lock: "lock",
	Floor: "floor",
}

// String returns the output's name.
func (o Output) String() string { return outputNames[o] }

// Timing has the times by which contacts are read.
type Timing struct {
	// Debounce, Long, Window and Stuck are those of keys.Settings.
	Debounce, Long, Window, Stuck time.Duration
	// BoxDebounce is how long a box's sensor must rest: a hand over the box is not a stake.
	BoxDebounce time.Duration
}

// Contradiction are two calls at almost the same moment.
type Contradiction struct {
	// First and Second are what the buttons would have called.
	First, Second panel.Key
	// Taken says that First was already put in and accepted: it must be undone.
	Taken bool
	// At is when Second was pressed: less than Timing.Window after First, and not before.
	At time.Time
}

// Options say what a desk runs. All are required except the functions.
type Options struct {
	// Board has the contacts and outputs of Wiring, in its order; nil for a desk without any,
	// at which only Press presses keys.
	Board Board
	Wiring
	Table Table
	// Supervisor is called when the key switch is turned, and when it is lost while it is on, which turns it off. It
	// must not block.
	Supervisor func(on bool, at time.Time)
	// Contradiction is called after everything pressed before was put in, and before
	// anything pressed later, from a different goroutine than the others.
	Contradiction func(ctx context.Context, c Contradiction)
	// Missing is called when lines of the panel can no longer be used, or can be again; the table continues with the
	// others. It must not block.
	Missing func([]Missing)
	Log     *slog.Logger
}

// Desk is a panel, ready to run.
type Desk struct {
	o       Options
	filter  *keys.Filter
	remarks remarks
	// mute says that some contacts cannot be read.
	mute atomic.Bool
	// turned says that the supervisor's key switch is on. Only watch uses it.
	turned bool
	// sounds are the sounds that the buzzer is to make.
	sounds chan panel.Sound
	// news has a value when something was pressed, or a box's sensor has changed.
	news chan struct{}

	mu sync.Mutex
	// pressed waits to be put in.
	pressed []pressed
	boxes   panel.Boxes
}

// pressed is what a contact reported, when that was, and when it was received.
type pressed struct {
	keys.Event
	at, heard time.Time
	// does is what a key does that has no contact, 0 for one that has.
	does panel.Key
	// refused: too many were waiting. It still gets its turn, for a contradiction that names
	// it.
	refused bool
}

const tooMany = "the table has not yet taken the earlier presses"

// waitMost is how many presses wait while one is put in: more than a dealer presses before
// noticing that nothing happens.
const waitMost = 8

// New returns the desk of a table. Run starts it.
func New(o Options) *Desk {
	if o.Supervisor == nil {
		o.Supervisor = func(bool, time.Time) {}
	}
	if o.Contradiction == nil {
		o.Contradiction = func(context.Context, Contradiction) {}
	}
	if o.Missing == nil {
		o.Missing = func([]Missing) {}
	}
	return &Desk{
		o: o, filter: o.Filter(),
		remarks: remarks{log: o.Log}, sounds: make(chan panel.Sound, 4), news: make(chan struct{}, 1),
	}
}

// Run runs the panel until ctx ends. Contacts that vanish do not end it.
func (d *Desk) Run(ctx context.Context) error {
	var parts errgroup.Group
	if d.o.Board != nil {
		parts.Go(func() error { d.watch(ctx); return nil })
		parts.Go(func() error { d.heed(ctx); return nil })
	}
	parts.Go(func() error { d.work(ctx); return nil })
	parts.Go(func() error { d.shine(ctx); return nil })
	return parts.Wait()
}

// watch listens to the contacts.
func (d *Desk) watch(ctx context.Context) {
	err := keys.Watch(ctx, d.o.Board, d.filter, d.hear)
	if ctx.Err() == nil {
		d.o.Log.Error("keys: the keys are no longer read; the table continues with the screen. Start the daemon "+
			"again between two rounds", "err", err)
	}
}

// hear takes an event of a contact. It never waits, since later edges wait for it.
func (d *Desk) hear(e keys.Event, bankNow time.Duration) {
	now, contact := time.Now(), d.o.Contacts[e.Key]
	at := now.Add(e.At - bankNow)
	switch e.Kind {
	case keys.Short, keys.Long, keys.Contradiction:
		if !d.enqueue(pressed{Event: e, at: at, heard: now}) {
			d.refuse(tooMany, contact.String())
		}
	case keys.On, keys.Off:
		if contact.Supervisor {
			d.turn(e.Kind == keys.On, at)
			return
		}
		d.cover(contact.Box, e.Kind == keys.On)
	case keys.Gone:
		// A switch that cannot be seen proves nobody. A sensor says nothing: the chips lie where they lay.
		if contact.Supervisor {
			d.turn(false, at)
		}
	default:
		d.trouble(e, now)
	}
}

// Press takes the press of a key that has no contact at the board: it is put in like one that
// has. at is when it was received. late says that it was pressed so long before that it
// must be pressed again. Press never waits.
func (d *Desk) Press(key panel.Key, at time.Time, late bool) {
	switch {
	case late:
		d.refuse("it came late: press it again", key.String())
	case !d.enqueue(pressed{does: key, at: at, heard: at}):
		d.refuse(tooMany, key.String())
	}
}

// turn passes on that the supervisor's key switch was turned.
func (d *Desk) turn(on bool, at time.Time) {
	if on != d.turned {
		d.turned = on
		d.o.Supervisor(on, at)
	}
}

// enqueue makes a press wait for its turn, and reports whether it will be put in: not if too
// many wait. A contradiction always is, since the press that it undoes may be accepted.
func (d *Desk) enqueue(p pressed) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.refused = len(d.pressed) >= waitMost && p.Kind != keys.Contradiction
	d.pressed = append(d.pressed, p)
	d.wake()
	return !p.refused
}

func (d *Desk) dequeue() (pressed, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.pressed) == 0 {
		return pressed{}, false
	}
	first := d.pressed[0]
	d.pressed = slices.Delete(d.pressed, 0, 1)
	return first, true
}

func (d *Desk) cover(box int, covered bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.boxes.Cover(box, covered)
	d.wake()
}

// wake wakes work, unless it is already going to wake.
func (d *Desk) wake() {
	select {
	case d.news <- struct{}{}:
	default:
	}
}

// trouble reports what is wrong with a contact.
func (d *Desk) trouble(e keys.Event, now time.Time) {
	switch e.Kind {
	case keys.Held, keys.Stuck, keys.Unsteady:
		d.sound(panel.Irregular)
	case keys.Again, keys.Brief:
		d.sound(panel.Refused)
	}
	d.remarks.note(remark{e.Kind, d.o.Contacts[e.Key].String()}, now)
}

// sound makes the buzzer sound, unless it is about to anyway.
func (d *Desk) sound(s panel.Sound) {
	select {
	case d.sounds <- s:
	default:
	}
}

// refuse signals to the dealer that a press was not taken, and logs why.
func (d *Desk) refuse(why, key string) {
	d.sound(panel.Refused)
	d.o.Log.Info("keys: a press was not taken", "key", key, "why", why)
}

// Close releases the board. Run must have ended.
func (d *Desk) Close() error {
	if d.o.Board == nil {
		return nil
	}
	return d.o.Board.Close()
}
