// Package mishap lets the simulated dealer of package keysim err now and then, and brings the people who put it right: a
// card that the sensor does not read, a key that comes too late, a cable that is out, a call for the floor. At a table
// with simulated hardware and at one in memory the same hand errs in the same ways.
package mishap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe is a shoe with which something may go wrong.
type Shoe interface {
	keysim.Shoe
	// DrawUnread draws the next card so that the sensor cannot read it, and returns which it was.
	DrawUnread() (card.Card, error)
	// DrawForeign draws a card that is not one of the shoe's.
	DrawForeign(card.Card) error
	// DrawLost draws the next card, whose report never arrives, and returns which it was.
	DrawLost() (card.Card, error)
	// Cover opens the shoe's cover, or closes it. ErrCannot is a shoe that does not notice.
	Cover(open bool) error
	// Unplug pulls the shoe's cable, and Plug puts it back.
	Unplug() error
	Plug() error
}

// ErrCannot is returned for something that cannot happen to this make of shoe.
var ErrCannot = errors.New("this cannot happen to this shoe")

// Options say whose hand it is. All but AtOnce and Between are required; without OneIn nothing goes wrong.
type Options struct {
	Shoe    Shoe
	Display keysim.Display
	Press   keysim.Press
	// AtOnce is Press for a key that is pressed at the same moment as the one before; nil is Press.
	AtOnce keysim.Press
	Rules  *rules.Rules
	// Supervisors are those who may come. Prove proves that one of them is at the table, for the next press.
	Supervisors []string
	Prove       func(ctx context.Context, supervisor string) error
	// Wait lets time pass: the table's.
	Wait func(ctx context.Context, long time.Duration) error
	// Comes is how long it usually takes until a supervisor has come and looked.
	Comes time.Duration
	// OneIn is how many rounds there are to one slip, on average; it is asked for each round. 0 is none.
	OneIn func() int
	// Between is called before each round is opened: the table may be closed meanwhile, or another dealer come.
	Between func(ctx context.Context) error
	Rand    *rand.Rand
	// Made is called with the name of each slip; it may be nil.
	Made func(slip string)
}

// Hand is the dealer's hand at shoe and keys, and the supervisors behind it.
type Hand struct {
	o    Options
	kind []*slip // those of the house
	next *slip   // what goes wrong next, nil for nothing
	out  []card.Card
	// last is the card that was drawn last, and lost those that never arrived.
	last  card.Card
	lost  []card.Card
	later []errand
}

// errand is what a supervisor does after some presses of the dealer.
type errand struct {
	presses int
	do      func(ctx context.Context) error
}

// New returns a hand.
func New(o Options) *Hand {
	if o.AtOnce == nil {
		o.AtOnce = o.Press
	}
	if o.Between == nil {
		o.Between = func(context.Context) error { return nil }
	}
	if o.Made == nil {
		o.Made = func(string) {}
	}
	if o.OneIn == nil {
		o.OneIn = func() int { return 0 }
	}
	return &Hand{o: o, kind: of(o.Rules)}
}

// Guide gives a simulated dealer this hand.
func (h *Hand) Guide(d *keysim.Dealer) {
	d.Shoe, d.Display, d.Press, d.PutRight = h, h.o.Display, h.Press, h.PutRight
}

// Draw draws a card, which may go wrong.
func (h *Hand) Draw() (card.Card, error) {
	if s := h.next; s != nil && s.draw != nil && h.o.Rand.IntN(4) == 0 {
		h.next = nil
		h.o.Made(s.name)
		return s.draw(h)
	}
	return h.take(h.o.Shoe.Draw())
}

// take keeps in mind which card left the shoe.
func (h *Hand) take(c card.Card, err error) (card.Card, error) {
	if err == nil {
		h.out, h.last = append(h.out, c), c
	}
	return c, err
}

// Return puts back everything that has left the shoe, whatever the dealer knows of it.
func (h *Hand) Return(...card.Card) error {
	err := h.o.Shoe.Return(h.out...)
	h.out = h.out[:0]
	return err
}

// Reload shuffles all cards and puts them into the shoe.
func (h *Hand) Reload() error {
	h.out = h.out[:0]
	return h.o.Shoe.Reload()
}

// Press enters what the dealer presses, unless it goes wrong. After a slip that has changed the table it returns
// keysim.ErrLookAgain.
func (h *Hand) Press(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	if err := h.runErrands(ctx); err != nil {
		return 0, err
	}
	if in.Kind == vocab.InOpen {
		if err := h.o.Between(ctx); err != nil {
			return 0, err
		}
		h.choose()
	}
	if s := h.next; s != nil && s.press != nil {
		v, err := h.look(ctx)
		if err != nil {
			return 0, err
		}
		if v.Held == nil && s.at(h, v, in) {
			h.next = nil
			again, err := s.press(ctx, h, v, in)
			switch {
			case errors.Is(err, ErrCannot):
				return h.o.Press(ctx, in)
			case err != nil:
				return 0, err
			}
			h.o.Made(s.name)
			if again {
				return 0, keysim.ErrLookAgain
			}
		}
	}
	return h.o.Press(ctx, in)
}

// choose decides whether the next round has a slip, and which. One that has found no occasion yet remains.
func (h *Hand) choose() {
	n := h.o.OneIn()
	if h.next != nil || n <= 0 || len(h.kind) == 0 || h.o.Rand.IntN(n) != 0 {
		return
	}
	all := 0
	for _, s := range h.kind {
		all += s.weight
	}
	at := h.o.Rand.IntN(all)
	for _, s := range h.kind {
		if at -= s.weight; at < 0 {
			h.next = s
			return
		}
	}
}

// look returns what the display shows now.
func (h *Hand) look(ctx context.Context) (display.View, error) {
	return h.o.Display.Await(ctx, func(display.View) bool { return true })
}

// held waits until the display says that the round is held: what was done is on its way there.
func (h *Hand) held(ctx context.Context) error {
	_, err := h.o.Display.Await(ctx, func(v display.View) bool { return v.Held != nil })
	return err
}

// runErrands does what supervisors have come for. It waits while the round is held.
func (h *Hand) runErrands(ctx context.Context) error {
	if len(h.later) == 0 {
		return nil
	}
	h.later[0].presses--
	if h.later[0].presses > 0 {
		return nil
	}
	v, err := h.look(ctx)
	if err != nil || v.Held != nil {
		return err
	}
	do := h.later[0].do
	h.later = slices.Delete(h.later, 0, 1)
	return h.tried(do(ctx))
}

// tried passes over what somebody else at the table has done meanwhile.
func (h *Hand) tried(err error) error {
	if errors.Is(err, keysim.ErrLookAgain) {
		return nil
	}
	return err
}

// after has something done after some presses, and after everything that was asked for before.
func (h *Hand) after(presses int, do func(context.Context) error) {
	h.later = append(h.later, errand{presses, do})
}

// supervisor is whoever comes.
func (h *Hand) supervisor() string { return h.o.Supervisors[h.o.Rand.IntN(len(h.o.Supervisors))] }

// by has a supervisor put something in. It may be too late for it.
func (h *Hand) by(ctx context.Context, supervisor string, in vocab.Input) error {
	if err := h.o.Prove(ctx, supervisor); err != nil {
		return fmt.Errorf("%s is not proven: %w", supervisor, err)
	}
	in.By = supervisor
	_, err := h.o.Press(ctx, in)
	return err
}

// acknowledge has a supervisor acknowledge all alerts but the floor's call.
func (h *Hand) acknowledge(ctx context.Context, supervisor string) error {
	v, err := h.look(ctx)
	if err != nil {
		return err
	}
	for _, a := range v.Alerts {
		if a.AcknowledgedBy != "" || a.Standing > 0 {
			continue
		}
		if err := h.by(ctx, supervisor, vocab.Input{Kind: vocab.InAcknowledge, Irregularity: a.Code}); err != nil {
			return err
		}
	}
	return nil
}

// sometime is a time around the usual one.
func (h *Hand) sometime(usual time.Duration) time.Duration {
	return usual/2 + time.Duration(h.o.Rand.Int64N(int64(usual)+1))
}
