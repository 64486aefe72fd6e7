// Package bench is the bench of a training table: a page on which a person is the hand at a simulated shoe, at the keys
// of a simulated panel and at the shoe's cable, while the table next to it is as real as in a house. The person takes
// over from the simulated dealer in the middle of whatever he does, and hands back to him.
//
// It is only for demonstrations: anybody with the page can draw any card.
//
// It is apart from the demonstration, which starts it, so that its pages are tested without one.
package bench

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/vocab"
)

// Table is the bench's table.
type Table interface {
	// Look returns the latest view, and a channel that is closed once there is a later one.
	Look() (display.View, <-chan struct{})
	// Press enters an input, and returns whether and why it was refused. An error means that nobody present may enter
	// it, or that the table has ended.
	Press(ctx context.Context, in vocab.Input) (vocab.Reason, error)
}

// Options say what is on the bench. All are required except Errs, ByHand, Practice and Past.
type Options struct {
	Table Table
	Shoe  *shoesim.Shoe
	// Wire is the tap on the shoe's line.
	Wire  *Wire
	Panel *Panel
	// Dealer is the simulated dealer; New sets his Shoe. His Decided is also called for rounds that a person has dealt.
	Dealer *keysim.Dealer
	// Errs, if not nil, gives the dealer a hand that errs, at this shoe.
	Errs func(*keysim.Dealer, mishap.Shoe)
	// Past is the table's record, for exercises at the table itself; nil for none of these.
	Past Past
	// Practice is where trainees practise; nil for nowhere.
	Practice *practice.Room
	// ByHand leaves the dealing to the person at the page from the start.
	ByHand bool
	Log    *slog.Logger
}

// Bench is a bench. Every method may be called from any goroutine.
type Bench struct {
	o       Options
	tray    *tray
	playing sync.WaitGroup // the running scenario

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every change
	who     who
	stop    context.CancelFunc // ends the simulated dealer's deal
	// touched: a person has dealt, so the table may be in a state in which no simulated dealer would have left it.
	touched bool
	over    bool // Run has ended
	noisy   bool
	on      map[shoesim.Trouble]bool
	notes   []note // the newest first
	script  script
	// incident is what goes wrong at the table for a trainee, nil for nothing.
	incident *incident
}

// who deals.
type who uint8

const (
	dealerDeals who = iota
	dealerStops     // he finishes what he is doing
	personDeals
)

// errHandsOff: the simulated dealer is dealing, and nobody else may.
var errHandsOff = errors.New(sayHandsOffFirst)

// New returns a bench. Run starts it.
func New(o Options) *Bench {
	b := &Bench{
		o: o, tray: &tray{shoe: o.Shoe}, changed: make(chan struct{}), on: map[shoesim.Trouble]bool{},
		stop: func() {},
	}
	o.Dealer.Shoe = b.tray
	if o.Errs != nil {
		o.Errs(o.Dealer, b.tray)
	}
	if o.Dealer.Decided == nil {
		o.Dealer.Decided = func(display.View) {}
	}
	if o.ByHand {
		b.who, b.touched = personDeals, true
		b.note(sayByHand)
	}
	return b
}

// Run makes the simulated dealer deal whenever no person does, until ctx ends or he has dealt his rounds. It returns
// his error at a table that no person has touched; at any other he leaves the dealing to the person, and the page says
// why.
func (b *Bench) Run(ctx context.Context) error {
	watching, enough := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { b.clearAway(watching) })
	defer func() {
		enough()
		b.change(func() {
			b.over = true
			if b.incident != nil {
				b.incident.stop()
			}
		})
		b.Stop()
		watch.Wait()
		b.playing.Wait()
	}()
	for b.await(ctx, func() bool { return b.who != personDeals }) == nil {
		deal, stop := context.WithCancel(ctx)
		b.change(func() {
			if b.stop = stop; b.who == dealerStops {
				stop()
			}
		})
		err := b.o.Dealer.Run(deal)
		taken := deal.Err() != nil
		stop()
		if done := b.dealt(err, taken); done {
			return err
		}
	}
	return nil
}

// dealt handles the end of the simulated dealer's dealing, and says whether everything has ended.
func (b *Bench) dealt(err error, taken bool) (done bool) {
	b.mu.Lock()
	done = !taken && (err == nil || !b.touched)
	b.mu.Unlock()
	if done {
		return true
	}
	b.change(func() {
		b.who, b.touched = personDeals, true
		if err != nil {
			b.note(fault(sayDealerStops, err))
			b.o.Log.Warn("bench: the simulated dealer does not know how to continue", "err", err)
			return
		}
		b.note(sayByHand)
	})
	return false
}

// TakeOver makes the simulated dealer take his hands off the table, and returns when he has.
func (b *Bench) TakeOver(ctx context.Context) error {
	b.change(func() {
		if b.who == dealerDeals {
			b.who = dealerStops
		}
		b.stop()
	})
	return b.await(ctx, func() bool { return b.who == personDeals })
}

// settling is how long the panel must have been at rest: until then the table may not have processed the last press.
const settling = 600 * time.Millisecond

// handBackWait is how long cards may be on their way before the page says so.
const handBackWait = 3 * time.Second

// HandBack lets the simulated dealer continue with whatever lies on the table, or says why he cannot.
func (b *Bench) HandBack(ctx context.Context) error {
	if b.dealing() {
		return nil
	}
	if err := b.ready(ctx); err != nil {
		return err
	}
	if view, _ := b.o.Table.Look(); view.Phase == vocab.Idle {
		b.tray.putBack()
	}
	b.change(func() {
		b.who, b.stop = dealerDeals, func() {}
		b.note(sayHandedBack)
	})
	return nil
}

// ready says why the simulated dealer could not continue: he must be able to trust what he sees.
func (b *Bench) ready(ctx context.Context) error {
	if b.running() {
		return errors.New(sayScriptRuns)
	}
	if name := b.o.Panel.down(); name != "" {
		return errors.New(sayKeyDown(name))
	}
	if !b.o.Shoe.State().Plugged {
		return errors.New(sayCableOut)
	}
	patient, enough := context.WithTimeout(ctx, handBackWait)
	defer enough()
	for rest := b.o.Panel.Rest(); rest < settling; rest = b.o.Panel.Rest() {
		select {
		case <-time.After(settling - rest):
		case <-patient.Done():
			return errors.New(sayKeysMove)
		}
	}
	if _, err := b.o.Shoe.Await(patient, func(s shoesim.State) bool { return s.Quiet && s.Queued == 0 }); err != nil {
		return errors.New(sayOnTheWay)
	}
	return nil
}

func (b *Bench) dealing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.who != personDeals
}

// clearAway finishes a round that a person has dealt: its cards go back into the shuffler, and its result is reported.
func (b *Bench) clearAway(ctx context.Context) {
	for last := (display.View{}); ; {
		view, changed := b.o.Table.Look()
		if between(view) && !between(last) && !b.dealing() {
			b.tray.putBack()
			if last.Phase == vocab.Payment {
				b.o.Dealer.Decided(last)
			}
		}
		last = view
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// between says whether no round is in progress.
func between(v display.View) bool {
	return v.Held == nil && v.Phase == vocab.Idle
}

// change changes something, and wakes the waiters.
func (b *Bench) change(what func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	what()
	close(b.changed)
	b.changed = make(chan struct{})
}

// look returns a channel that is closed at the next change.
func (b *Bench) look() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// await waits until something is as wanted.
func (b *Bench) await(ctx context.Context, wanted func() bool) error {
	for {
		b.mu.Lock()
		is, changed := wanted(), b.changed
		b.mu.Unlock()
		if is {
			return ctx.Err()
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// note is one thing that happened, as the page shows it.
type note struct {
	At   time.Time
	Text string
	Card card.Card // None for none
}

// mostNotes is the most that the page shows.
const mostNotes = 30

// note records what happened. The lock is held.
func (b *Bench) note(text string) { b.noteCard(text, card.None) }

func (b *Bench) noteCard(text string, c card.Card) {
	b.notes = append([]note{{time.Now(), text, c}}, b.notes[:min(len(b.notes), mostNotes-1)]...)
}
