// Package keysim is a dealer and the players in software. The dealer looks at the display, draws cards from the shoe,
// and presses the keys that a dealer would; what the players stake and call package croupier decides. They know nothing
// else except the rules: if the display were wrong, they would be wrong too.
package keysim

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe is the shoe under the dealer's hand.
type Shoe interface {
	// Draw draws the next card.
	Draw() (card.Card, error)
	// Return puts cards back into the shuffler.
	Return(cards ...card.Card) error
	// Reload shuffles all cards and puts them into a shoe that is not a shuffler.
	Reload() error
}

// Display is what the dealer sees.
type Display interface {
	// Await returns the first view that is wanted, which may be the present one.
	Await(ctx context.Context, wanted func(display.View) bool) (display.View, error)
}

// Press enters a key press or a stake, and returns whether and why it was refused. The error ErrLookAgain means that it
// is unknown whether the press was accepted.
type Press func(ctx context.Context, in vocab.Input) (vocab.Reason, error)

// ErrLookAgain makes the dealer look at the display before doing anything else.
var ErrLookAgain = errors.New("look at the display again")

// Dealer deals round after round.
type Dealer struct {
	Shoe    Shoe
	Display Display
	Press   Press
	// Prove brings a supervisor to the table and returns the name in which something is put right; nil for a table that
	// requires no proof.
	Prove func(ctx context.Context) (supervisor string, err error)
	// PutRight, if not nil, decides in the supervisor's place how what holds the round is put right.
	PutRight func(ctx context.Context, v display.View) (vocab.Input, error)
	// Rules are those of a table whose display does not tell them; nil for guests who place no side bets there.
	Rules *rules.Rules
	// Guests are those at the table and how they play, without dice; nil for as many as usual.
	Guests *croupier.Croupier
	// Marks leaves amounts out: played boxes and side bets are only marked.
	Marks bool
	// Pace is the time between two movements of the hand; 0 is as fast as possible.
	Pace time.Duration
	// Rounds is how many rounds are dealt; 0 for no end. Until, if not nil, says where the dealing ends besides.
	Rounds uint64
	Until  func(display.View) bool
	// Seed decides what the players stake and call.
	Seed uint64
	// Decided is called with each round's result once it is paid; it may be nil.
	Decided func(display.View)
	Log     *slog.Logger

	guests *croupier.Croupier
	// out are the cards drawn in this round.
	out []card.Card
	// coming: the display does not show the last of them yet; it showed lay cards of the round when that was drawn.
	coming bool
	lay    int
	round  uint64
	// joined is the round that the dealer joined in the middle, if any.
	joined uint64
	// before is the round before the dealer's first one.
	before uint64
	began  bool
}

// Run deals until ctx ends or the rounds are dealt. An error is a display that shows what no dealer could act on, or a
// shoe that gives no card. It may be run again, and continues with whatever lies on the table, once the display shows
// all of it.
func (d *Dealer) Run(ctx context.Context) error {
	if d.guests == nil {
		usual := croupier.Croupier{Some: true, Sides: true, Name: guestName, Marks: d.Marks}
		if d.guests = &usual; d.Guests != nil {
			d.guests = d.Guests
		}
		d.guests.Dice = rand.New(rand.NewPCG(d.Seed, 0x5AB07))
	}
	view, err := d.look(ctx)
	if err != nil {
		return stopped(ctx, err)
	}
	d.out, d.coming = d.out[:0], false
	if view.Phase != vocab.Idle {
		d.joined = view.Round
	}
	for {
		if view, err = d.look(ctx); err != nil {
			return stopped(ctx, err)
		}
		if done, err := d.tidy(view); done || err != nil {
			return err
		}
		if d.Until != nil && view.Held == nil && d.Until(view) {
			return nil
		}
		if err := d.act(ctx, view); err != nil && !errors.Is(err, ErrLookAgain) {
			return stopped(ctx, err)
		}
		if err := d.rest(ctx); err != nil {
			return nil
		}
	}
}

// look returns what the display shows, once there is a table on it.
func (d *Dealer) look(ctx context.Context) (display.View, error) {
	return d.Display.Await(ctx, func(v display.View) bool { return v.Seq > 0 })
}

// tidy puts the cards of a finished round back into a shuffler, or away, and says whether it was the last one. The
// display counts the rounds, including those that the dealer does not know were paid.
func (d *Dealer) tidy(v display.View) (done bool, err error) {
	idle := v.Phase == vocab.Idle
	if !d.began {
		if d.began, d.before = true, v.Round; !idle {
			d.before--
		}
	}
	if !idle || v.Held != nil {
		return false, nil
	}
	if len(d.out) > 0 && v.Shoe.Shuffler {
		if err := d.Shoe.Return(d.out...); err != nil {
			return false, fmt.Errorf("putting %d cards back into the shuffler: %w", len(d.out), err)
		}
	}
	d.out, d.coming = d.out[:0], false
	return d.Rounds > 0 && v.Round >= d.before+d.Rounds, nil
}

// stopped turns the end of ctx into nil.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// rest waits until the hand's next movement.
func (d *Dealer) rest(ctx context.Context) error {
	if d.Pace <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d.Pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// act does the one thing that the display asks for.
func (d *Dealer) act(ctx context.Context, v display.View) error {
	switch {
	case v.Held != nil:
		return d.putRight(ctx, v)
	case v.Due.To == vocab.ToAside, v.Due.To == vocab.ToBox, v.Due.To == vocab.ToBank,
		v.Due.To == vocab.ToHole:
		return d.draw(ctx, v)
	case v.Phase == vocab.Idle && shuffleDue(v):
		return d.shuffle(ctx, v)
	case v.Due.To == vocab.ToPayment:
		return d.pay(ctx, v)
	}
	in, decides := d.guests.Next(d.sees(v))
	if !decides {
		return fmt.Errorf("the display asks for nothing in phase %s, at input %d", v.Phase, v.Seq)
	}
	return d.enter(ctx, in)
}

// enter puts in what the guests do. What they stake and insure may be refused: a person may have changed what they may.
func (d *Dealer) enter(ctx context.Context, in vocab.Input) error {
	refused, err := d.try(ctx, in)
	switch {
	case errors.Is(err, ErrLookAgain):
		d.guests.Again(in)
	case err == nil && refused != 0 && in.Bettor == "":
		return refusedTo(in, refused)
	}
	return err
}

// press presses a key. A refusal is an error, since the dealer only does what the
// display allows.
func (d *Dealer) press(ctx context.Context, in vocab.Input) error {
	refused, err := d.try(ctx, in)
	if err == nil && refused != 0 {
		return refusedTo(in, refused)
	}
	return err
}

func refusedTo(in vocab.Input, why vocab.Reason) error {
	return fmt.Errorf("%s %s was refused: %s, although the display allowed it", in.Kind, in.Call, why)
}

// try presses a key that may be refused. If the round has been held since the dealer looked, as when the shoe's cable
// was pulled, the dealer looks again.
func (d *Dealer) try(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	refused, err := d.Press(ctx, in)
	if err == nil && refused == vocab.RoundHeld {
		err = ErrLookAgain
	}
	return refused, err
}

// draw draws a card from the shoe, unless the hand holds one that the display does not show yet, and waits until it
// does.
func (d *Dealer) draw(ctx context.Context, v display.View) error {
	if !d.awaits(v) {
		c, err := d.Shoe.Draw()
		if err != nil {
			return fmt.Errorf("drawing a card: %w", err)
		}
		d.out = append(d.out, c)
		d.coming, d.lay, d.round = true, shown(v), v.Round
	}
	_, err := d.Display.Await(ctx, func(now display.View) bool { return !d.awaits(now) || now.Held != nil })
	return err
}

// awaits says whether the hand holds a card that the display does not show yet.
func (d *Dealer) awaits(v display.View) bool {
	return d.coming && v.Round == d.round && shown(v) <= d.lay
}

// shown counts the cards that the display shows, those that lie open and wait among them.
func shown(v display.View) int {
	n := len(v.Bank.Cards) + len(v.Aside)
	if v.Waiting != nil {
		n += len(v.Waiting.Cards)
	}
	for _, box := range v.Boxes {
		for _, h := range box.Hands {
			n += len(h.Cards)
		}
	}
	return n
}

// pay confirms the payment.
func (d *Dealer) pay(ctx context.Context, v display.View) error {
	if err := d.press(ctx, vocab.Input{Kind: vocab.InPaid}); err != nil {
		return err
	}
	if d.Decided != nil {
		d.Decided(v)
	}
	return nil
}

// shuffleDue says whether a shoe must be loaded before the next round: the cut card
// came, or the round could run out of cards.
func shuffleDue(v display.View) bool {
	const most = 8 // cards that a box takes in all but the strangest rounds, including the bank's share
	need := min(most*len(v.Boxes), (v.Shoe.Dealt+v.Shoe.Left)/2)
	return !v.Shoe.Shuffler && (v.Shoe.CutCard || v.Shoe.Left < need)
}

// shuffle reloads the shoe and says so, before a supervisor where its cut card has not come.
func (d *Dealer) shuffle(ctx context.Context, v display.View) error {
	if err := d.Shoe.Reload(); err != nil {
		return fmt.Errorf("reloading the shoe: %w", err)
	}
	d.out, d.coming = d.out[:0], false
	return d.Loads(ctx, v, func(in vocab.Input) error { return d.press(ctx, in) })
}

// Loads puts in that the shoe was loaded, before a supervisor where its cut card has not come.
func (d *Dealer) Loads(ctx context.Context, v display.View, put func(vocab.Input) error) (err error) {
	in := vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}}
	if !v.Shoe.LoadSupervised || d.Prove == nil {
		return put(in)
	}
	if in.By, err = d.Prove(ctx); err != nil {
		return fmt.Errorf("no supervisor came to the loading of the shoe: %w", err)
	}
	return put(in)
}

// putRight is the supervisor of the demonstration, who believes the dealer, and voids a table of which nobody can say
// what lies there.
func (d *Dealer) putRight(ctx context.Context, v display.View) error {
	if len(v.Held.Choices) == 0 {
		_, err := d.Display.Await(ctx, func(now display.View) bool {
			return now.Seq > v.Seq || now.Held == nil || len(now.Held.Choices) > 0
		})
		return err
	}
	if d.PutRight != nil {
		in, err := d.PutRight(ctx, v)
		if err != nil {
			return err
		}
		return d.press(ctx, in)
	}
	in := vocab.Input{Kind: vocab.InResolve, By: "demo-supervisor", With: d.resolution(v)}
	if in.With == irregularity.Identify {
		in.Card = d.out[len(d.out)-1]
	}
	if in.With == 0 {
		return fmt.Errorf("nothing can be chosen for %s", v.Held.Code)
	}
	if d.Prove != nil {
		var err error
		if in.By, err = d.Prove(ctx); err != nil {
			return fmt.Errorf("no supervisor came to put right %s: %w", v.Held.Code, err)
		}
	}
	d.Log.Info("put right", "what", v.Held.Code, "with", in.With)
	return d.press(ctx, in)
}

// preferred are the resolutions for which nobody has to look at a card.
var preferred = []irregularity.Choice{
	irregularity.Continue, irregularity.NoneDrawn, irregularity.Accept, irregularity.VoidRound, irregularity.Corrected,
	irregularity.NextCard, irregularity.Burn,
}

// resolution is what the dealer would do. Of cards that never arrived he knows the one in his hand, but not what was
// drawn before he came.
func (d *Dealer) resolution(v display.View) irregularity.Choice {
	choices := preferred
	if v.Held.Code == irregularity.LostCards {
		switch {
		case d.awaits(v):
			choices = append([]irregularity.Choice{irregularity.Identify}, choices...)
		case d.joined == v.Round:
			choices = append([]irregularity.Choice{irregularity.VoidRound}, choices...)
		}
	}
	for _, choice := range choices {
		if slices.Contains(v.Held.Choices, choice) {
			return choice
		}
	}
	return 0
}
