package mishap

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// slip is one kind of thing that goes wrong.
type slip struct {
	name string
	// weight is how often it comes, compared with the others.
	weight int
	// fits says whether it can happen in a house; nil for in all.
	fits func(*rules.Rules) bool
	// draw is what happens in place of drawing a card; nil for a slip at the keys, or beside the game.
	draw func(*Hand) (card.Card, error)
	// at says whether it can happen before a press of the dealer; press makes it happen, and says whether the dealer has
	// to look again before he goes on.
	at    func(h *Hand, v display.View, in vocab.Input) bool
	press func(ctx context.Context, h *Hand, v display.View, in vocab.Input) (again bool, err error)
}

// slips are all of them. How often they come is nobody's statistics: enough of each to be seen in a night.
var slips = []slip{
	{name: "unread-card", weight: 5, draw: (*Hand).unread},
	{name: "late-key", weight: 5, fits: callsFirst, at: wantsCard, press: cardFirst},
	{name: "overdraw", weight: 3, at: kind(vocab.InPaid), press: cardFirst},
	{name: "early-card", weight: 2, at: kind(vocab.InClose), press: earlyCard},
	{name: "two-keys", weight: 3, fits: keysApart, at: twoCalls, press: twoKeys},
	{name: "taken-back", weight: 4, at: rests, press: takenBack},
	{name: "wrong-payment", weight: 3, at: paysBox, press: wrongPayment},
	{name: "lost-card", weight: 2, draw: (*Hand).lose},
	{name: "foreign-joker", weight: 1, fits: noJokers, draw: (*Hand).joker},
	{name: "cable", weight: 2, at: kind(vocab.InCall), press: cable},
	{name: "cover", weight: 2, at: kind(vocab.InCall), press: cover},
	{name: "dispute", weight: 2, at: kind(vocab.InCall), press: dispute},
	{name: "floor-call", weight: 4, at: kind(vocab.InPaid), press: callFloor},
}

// Names are the names of all slips, in order.
func Names() (names []string) {
	for _, s := range slips {
		names = append(names, s.name)
	}
	return names
}

// of are the slips that can happen in a house.
func of(r *rules.Rules) (list []*slip) {
	for i := range slips {
		if s := &slips[i]; s.fits == nil || s.fits(r) {
			list = append(list, s)
		}
	}
	return list
}

func callsFirst(r *rules.Rules) bool { return r.Play.Calls == rules.CallsRequired }
func keysApart(r *rules.Rules) bool  { return r.Game == rules.BlackJack && r.Play.KeysApart > 0 }
func noJokers(r *rules.Rules) bool   { return r.Cards.Jokers == 0 }

func kind(k vocab.InputKind) func(*Hand, display.View, vocab.Input) bool {
	return func(_ *Hand, _ display.View, in vocab.Input) bool { return in.Kind == k }
}

func calling(in vocab.Input, c ...vocab.Call) bool {
	return in.Kind == vocab.InCall && slices.Contains(c, in.Call)
}

func wantsCard(_ *Hand, _ display.View, in vocab.Input) bool {
	return calling(in, vocab.CallCard, vocab.CallHigher, vocab.CallLower)
}

func rests(_ *Hand, _ display.View, in vocab.Input) bool { return calling(in, vocab.CallRest) }

// twoCalls: the second key must be one that is not the guest's.
func twoCalls(_ *Hand, v display.View, in vocab.Input) bool {
	return rests(nil, v, in) && slices.Contains(v.Due.Allowed, vocab.CallCard)
}

// paysBox: only a payment that is known can be wrong.
func paysBox(_ *Hand, v display.View, in vocab.Input) bool {
	return in.Kind == vocab.InPaid && in.Box == 0 && v.Sums != nil && unpaid(v) != nil
}

// unpaid is the first box on which something is won that was not paid at once.
func unpaid(v display.View) *display.Box {
	for i := range v.Boxes {
		if b := &v.Boxes[i]; !b.Paid && wonOn(b) > 0 {
			return b
		}
	}
	return nil
}

// wonOn is what a box has won and was not paid before.
func wonOn(b *display.Box) int64 {
	won, _ := display.ToPay(*b)
	return won
}

func (h *Hand) unread() (card.Card, error) { return h.take(h.o.Shoe.DrawUnread()) }

func (h *Hand) lose() (card.Card, error) {
	c, err := h.take(h.o.Shoe.DrawLost())
	if err == nil {
		h.lost = append(h.lost, c)
	}
	return c, err
}

// joker comes from another game's pack, and never goes back into the shoe.
func (h *Hand) joker() (card.Card, error) { return card.Joker, h.o.Shoe.DrawForeign(card.Joker) }

// cardFirst draws a card before its key is pressed, or one too many.
func cardFirst(ctx context.Context, h *Hand, _ display.View, _ vocab.Input) (bool, error) {
	if _, err := h.take(h.o.Shoe.Draw()); err != nil {
		return false, err
	}
	return true, h.held(ctx)
}

// earlyCard draws a card while bets are open. It is put right before they are closed, so that nobody stakes twice.
func earlyCard(ctx context.Context, h *Hand, v display.View, in vocab.Input) (bool, error) {
	if _, err := cardFirst(ctx, h, v, in); err != nil {
		return false, err
	}
	return false, h.settle(ctx)
}

// twoKeys presses the guest's key and another one with the same hand. Neither counts.
func twoKeys(ctx context.Context, h *Hand, _ display.View, in vocab.Input) (bool, error) {
	if _, err := h.o.Press(ctx, in); err != nil {
		return false, err
	}
	_, err := h.o.AtOnce(ctx, vocab.Input{Kind: vocab.InCall, Call: vocab.CallCard})
	h.seenLater()
	return true, err
}

// takenBack is a call that the guest has not made.
func takenBack(ctx context.Context, h *Hand, _ display.View, in vocab.Input) (bool, error) {
	if _, err := h.o.Press(ctx, in); err != nil {
		return false, err
	}
	if err := h.o.Wait(ctx, h.sometime(2*time.Second)); err != nil {
		return false, err
	}
	_, err := h.o.Press(ctx, vocab.Input{Kind: vocab.InUndo})
	return true, err
}

// wrongPayment pays a box one unit too much, as the cameras see.
func wrongPayment(ctx context.Context, h *Hand, v display.View, _ vocab.Input) (bool, error) {
	box := unpaid(v)
	_, err := h.o.Press(ctx, vocab.Input{Kind: vocab.InPaid, Box: box.Number, Amount: wonOn(box) + v.Unit, Stated: true})
	return true, err
}

// cable pulls the shoe's cable for a while.
func cable(ctx context.Context, h *Hand, _ display.View, _ vocab.Input) (bool, error) {
	if err := h.o.Shoe.Unplug(); err != nil {
		return false, err
	}
	err := h.held(ctx)
	if err == nil {
		err = h.o.Wait(ctx, h.sometime(h.o.Comes))
	}
	if err := errors.Join(err, h.o.Shoe.Plug()); err != nil {
		return false, err
	}
	_, err = h.o.Display.Await(ctx, func(v display.View) bool { return v.Shoe.Online })
	h.seenLater()
	return true, err
}

// cover opens the shoe's cover for a while.
func cover(ctx context.Context, h *Hand, _ display.View, _ vocab.Input) (bool, error) {
	if err := h.o.Shoe.Cover(true); err != nil {
		return false, err
	}
	err := h.held(ctx)
	if err == nil {
		err = h.o.Wait(ctx, h.sometime(h.o.Comes))
	}
	if err := errors.Join(err, h.o.Shoe.Cover(false)); err != nil {
		return false, err
	}
	_, err = h.o.Display.Await(ctx, func(v display.View) bool { return v.Held == nil })
	h.seenLater()
	return true, err
}

// dispute is a guest who says otherwise: the dealer stops the round, a supervisor looks and lets it go on.
func dispute(ctx context.Context, h *Hand, v display.View, _ vocab.Input) (bool, error) {
	reasons := slices.Collect(display.HoldReasons)
	_, err := h.o.Press(ctx, vocab.Input{
		Kind: vocab.InHold, Role: vocab.Dealer, By: v.Shift.Dealer, Because: reasons[h.o.Rand.IntN(len(reasons))],
	})
	return true, err
}

// callFloor calls the floor. Somebody says that they come, and does.
func callFloor(ctx context.Context, h *Hand, v display.View, _ vocab.Input) (bool, error) {
	reasons := slices.Collect(vocab.EveryFloorReason)
	_, err := h.o.Press(ctx, vocab.Input{
		Kind: vocab.InFloor, Floor: vocab.FloorCalled, Wants: reasons[h.o.Rand.IntN(len(reasons))], By: v.Shift.Dealer,
	})
	comes := h.supervisor()
	h.after(1+h.o.Rand.IntN(10), func(ctx context.Context) error { return h.coming(ctx, comes) })
	h.after(4+h.o.Rand.IntN(15), func(ctx context.Context) error { return h.there(ctx, comes) })
	return false, err
}
