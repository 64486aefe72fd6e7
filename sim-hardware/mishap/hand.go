// Package mishap is what can go wrong at a table, one row for each: a card that the sensor does not read, a key that
// comes too late, a cable that is out. Exercises are made of the rows, and a dealer errs by them.
//
// A Hand lets the simulated dealer of package keysim err now and then, and brings the people who put it right. At a
// table with simulated hardware and at one in memory the same hand errs in the same ways.
package mishap

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe is a shoe with which something may go wrong.
type Shoe interface {
	keysim.Shoe
	// Do does one step of the language of scenarios, to the shoe or its cable, and returns the card that was drawn by
	// it.
	Do(step string) (card.Card, error)
}

// Options say whose hand it is. All but AtOnce and Between are required; without OneIn nothing goes wrong.
type Options struct {
	Shoe    Shoe
	Display keysim.Display
	Press   keysim.Press
	// AtOnce is Press for a key that is pressed at the same moment as the one before; nil is Press.
	AtOnce keysim.Press
	House  House
	// Supervisors are those who may come. Prove proves that one of them is at the table, for the next press.
	Supervisors []string
	Prove       func(ctx context.Context, supervisor string) error
	// Wait lets time pass: the table's.
	Wait func(ctx context.Context, long time.Duration) error
	// Comes is how long it usually takes until a supervisor has come and looked.
	Comes time.Duration
	// OneIn is how many rounds there are to one mishap, on average; it is asked for each round. 0 is none.
	OneIn func() int
	// Between is called before each round is opened: the table may be closed meanwhile, or another dealer come.
	Between func(ctx context.Context) error
	Rand    *rand.Rand
	// Made is called with the name of each mishap; it may be nil.
	Made func(name string)
}

// Hand is the dealer's hand at shoe and keys, and the supervisors behind it.
type Hand struct {
	o    Options
	errs []Mishap // those of the house
	next *Mishap  // what goes wrong next, nil for nothing
	made *Mishap  // what did last
	out  []card.Card
	// pulled says that the cable is out.
	pulled bool
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
	return &Hand{o: o, errs: Errs(o.House)}
}

// Guide gives a simulated dealer this hand.
func (h *Hand) Guide(d *keysim.Dealer) {
	d.Shoe, d.Display, d.Press, d.PutRight = h, h.o.Display, h.Press, h.PutRight
}

// Draw draws a card, which may go wrong.
func (h *Hand) Draw() (card.Card, error) {
	if m := h.next; m != nil && m.At == Dealing && h.o.Rand.IntN(4) == 0 {
		h.err(m)
		return h.handle(m.Happens)
	}
	return h.handle("draw")
}

// err makes a mishap the last one that has happened.
func (h *Hand) err(m *Mishap) {
	h.next, h.made = nil, m
	h.o.Made(m.Name)
}

// handle does what is done at the shoe, and returns the last card that was drawn. It keeps in mind which cards have
// left the shoe, and which of them the table will never hear of. A foreign one never goes back.
func (h *Hand) handle(steps string) (drawn card.Card, err error) {
	for step := range strings.Lines(steps) {
		step = strings.TrimSpace(step)
		c, err := h.o.Shoe.Do(step)
		if err != nil {
			return c, fmt.Errorf("%s at the shoe: %w", step, err)
		}
		switch verb, _, _ := strings.Cut(step, " "); verb {
		case "pull", "plug":
			h.pulled = verb == "pull"
		case "foreign":
			drawn = c
		case "draw", "unread":
			h.out, h.last, drawn = append(h.out, c), c, c
			if h.pulled {
				h.lost = append(h.lost, c)
			}
		}
	}
	return drawn, nil
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

// Press enters what the dealer presses, unless it goes wrong. After a mishap that has changed the table it returns
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
	if m := h.next; m != nil && m.At.before(in) {
		v, err := h.look(ctx)
		if err != nil {
			return 0, err
		}
		if v.Held == nil && (m.when == nil || m.when(v, in)) {
			h.err(m)
			if err := h.happen(ctx, m, v); err != nil {
				return 0, err
			}
			if m.At != Betting {
				return 0, keysim.ErrLookAgain
			}
		}
	}
	return h.o.Press(ctx, in)
}

// happen lets a mishap happen, up to where the dealer looks at the table again. While bets are open it is put right at
// once, so that nobody stakes twice.
func (h *Hand) happen(ctx context.Context, m *Mishap, v display.View) error {
	err := h.does(ctx, m, v)
	switch {
	case err != nil:
		return err
	case m.Mends != "":
		err = h.mend(ctx, m)
	case m.At == Betting:
		err = errors.Join(h.held(ctx), h.settle(ctx))
	case m.Code != 0 && m.Code != irregularity.ContradictoryKeys:
		err = h.held(ctx)
	}
	if err == nil && m.then != nil {
		m.then(h)
	}
	return err
}

// does does what is done wrong. Keys without a wait between them are pressed at once.
func (h *Hand) does(ctx context.Context, m *Mishap, v display.View) error {
	if m.puts != nil {
		_, err := h.o.Press(ctx, m.puts(v, h.o.Rand))
		return err
	}
	press := h.o.Press
	for step := range strings.Lines(m.Happens) {
		step = strings.TrimSpace(step)
		verb, of, _ := strings.Cut(step, " ")
		var err error
		switch verb {
		case "press":
			_, err = press(ctx, keyed[of])
			press = h.o.AtOnce
		case "wait":
			var long time.Duration
			if long, err = time.ParseDuration(of); err == nil {
				err = h.o.Wait(ctx, h.sometime(long))
			}
			press = h.o.Press
		default:
			_, err = h.handle(step)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keyed is what the keys put in, by which a dealer errs.
var keyed = map[string]vocab.Input{
	"card": {Kind: vocab.InCall, Call: vocab.CallCard}, "rest": {Kind: vocab.InCall, Call: vocab.CallRest},
	"undo": {Kind: vocab.InUndo},
}

// mend has somebody come and end the cause.
func (h *Hand) mend(ctx context.Context, m *Mishap) error {
	err := h.held(ctx)
	if err == nil {
		err = h.o.Wait(ctx, h.sometime(h.o.Comes))
	}
	_, mended := h.handle(m.Mends)
	if err := errors.Join(err, mended); err != nil {
		return err
	}
	_, err = h.o.Display.Await(ctx, func(v display.View) bool { return v.Held == nil || v.Held.Code != m.Code })
	return err
}

// choose decides whether the next round has a mishap, and which. One that has found no occasion yet remains.
func (h *Hand) choose() {
	n := h.o.OneIn()
	if h.next != nil || n <= 0 || len(h.errs) == 0 || h.o.Rand.IntN(n) != 0 {
		return
	}
	all := 0
	for i := range h.errs {
		all += h.errs[i].often
	}
	at := h.o.Rand.IntN(all)
	for i := range h.errs {
		if at -= h.errs[i].often; at < 0 {
			h.next = &h.errs[i]
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
