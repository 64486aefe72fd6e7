package mishap

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// voidsOneIn is how many irregularities about a card there are to one after which the supervisor voids the round.
const voidsOneIn = 12

// PutRight is the supervisor, or the dealer where the house leaves it to the dealer: somebody comes, looks at the felt,
// and decides. It is keysim.Dealer's PutRight.
func (h *Hand) PutRight(ctx context.Context, v display.View) (vocab.Input, error) {
	in := h.decide(&v)
	byDealer := slices.Contains(v.Held.Dealer, in.With)
	comes := h.o.Comes
	if byDealer {
		comes /= 8
	}
	if err := h.o.Wait(ctx, h.sometime(comes)); err != nil {
		return in, err
	}
	now, err := h.look(ctx)
	if err != nil {
		return in, err
	}
	resolves := in.Kind == vocab.InResolve
	if now.Held == nil || now.Held.Code != v.Held.Code || resolves && !slices.Contains(now.Held.Choices, in.With) {
		return in, keysim.ErrLookAgain
	}
	if resolves {
		if in.Card, err = h.names(v.Held, in.With); err != nil {
			return in, err
		}
	}
	if byDealer {
		in.Role, in.By = vocab.Dealer, v.Shift.Dealer
		h.seenLater()
		return in, nil
	}
	in.By = h.supervisor()
	if err := h.o.Prove(ctx, in.By); err != nil {
		return in, fmt.Errorf("no supervisor came to put right %s: %w", v.Held.Code, err)
	}
	h.after(1, func(ctx context.Context) error { return h.acknowledge(ctx, in.By) })
	return in, nil
}

// decide is what puts right what holds the round. A card that is left with the bank is moved there.
func (h *Hand) decide(v *display.View) vocab.Input {
	if h.made != nil && h.made.ToBank && h.made.Code == v.Held.Code {
		h.made = nil
		if nth := lying(v.Corrects); nth > 0 {
			in := vocab.Input{
				Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Move, Nth: nth, To: vocab.ToBank},
			}
			in.Because = "drawn too early"
			return in
		}
	}
	return vocab.Input{Kind: vocab.InResolve, With: h.with(v.Held)}
}

// lying is the number of the card that lies open and is nobody's yet, 0 for none.
func lying(c *display.Corrects) int {
	for _, laid := range c.Cards {
		if laid.To == vocab.ToNothing {
			return laid.Nth
		}
	}
	return 0
}

// with is the way in which it is put right: the one that fits what has happened, or the house's first.
func (h *Hand) with(held *display.Held) irregularity.Choice {
	fit := held.Choices[:1]
	if h.made != nil && h.made.Code == held.Code {
		fit = h.made.Ways(h.o.House.Rules)
	}
	switch {
	case held.Code == irregularity.LostCards && len(h.lost) == 0:
		fit = []irregularity.Choice{irregularity.NoneDrawn}
	case held.Code == irregularity.ForeignCard:
		fit = []irregularity.Choice{irregularity.Accept}
	case held.Code == irregularity.UnreadCard && h.o.Rand.IntN(voidsOneIn) == 0:
		fit = []irregularity.Choice{irregularity.VoidRound}
	case held.Code == irregularity.UnexpectedCard && h.o.Rand.IntN(2) == 0:
		fit = []irregularity.Choice{irregularity.Burn}
	}
	for _, want := range fit {
		if slices.Contains(held.Choices, want) {
			return want
		}
	}
	return held.Choices[0]
}

// names is the card that has to be named, None for none. Reloading is done here too: the cards have to be in the shoe
// before it is said.
func (h *Hand) names(held *display.Held, with irregularity.Choice) (card.Card, error) {
	switch {
	case with == irregularity.Reload:
		return card.None, h.Reload()
	case with != irregularity.Identify:
		if held.Code == irregularity.LostCards {
			h.lost = h.lost[:0]
		}
		return card.None, nil
	case held.Code == irregularity.LostCards && len(h.lost) > 0:
		c := h.lost[0]
		h.lost = slices.Delete(h.lost, 0, 1)
		return c, nil
	}
	return h.last, nil
}

// settle puts right whatever holds the round.
func (h *Hand) settle(ctx context.Context) error {
	for {
		v, err := h.look(ctx)
		if err != nil || v.Held == nil {
			return err
		}
		if len(v.Held.Choices) == 0 {
			_, err := h.o.Display.Await(ctx, func(now display.View) bool {
				return now.Held == nil || len(now.Held.Choices) > 0
			})
			if err != nil {
				return err
			}
			continue
		}
		in, err := h.PutRight(ctx, v)
		if err == nil {
			_, err = h.o.Press(ctx, in)
		}
		if err != nil && !errors.Is(err, keysim.ErrLookAgain) {
			return err
		}
	}
}

// coming has a supervisor say that the table's call was heard, unless somebody has said so.
func (h *Hand) coming(ctx context.Context, supervisor string) error {
	a, err := h.calls(ctx)
	if err != nil || a == nil || a.AcknowledgedBy != "" {
		return err
	}
	return h.by(ctx, supervisor, vocab.Input{Kind: vocab.InAcknowledge, Irregularity: irregularity.FloorCalled})
}

// there has the supervisor come, and so the call end.
func (h *Hand) there(ctx context.Context, supervisor string) error {
	a, err := h.calls(ctx)
	if err != nil || a == nil {
		return err
	}
	_, err = h.o.Press(ctx, vocab.Input{
		Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}, By: supervisor,
	})
	return err
}

// calls is the table's call for the floor, nil while there is none.
func (h *Hand) calls(ctx context.Context) (*display.Alert, error) {
	v, err := h.look(ctx)
	if err != nil {
		return nil, err
	}
	for i := range v.Alerts {
		if a := &v.Alerts[i]; a.Code == irregularity.FloorCalled {
			return a, nil
		}
	}
	return nil, nil
}

// seenLater has a supervisor acknowledge later what nobody had to come for.
func (h *Hand) seenLater() {
	by := h.supervisor()
	h.after(8+h.o.Rand.IntN(30), func(ctx context.Context) error { return h.acknowledge(ctx, by) })
}

// floorComes has somebody say that they come to a floor's call, and come.
func (h *Hand) floorComes() {
	comes := h.supervisor()
	h.after(1+h.o.Rand.IntN(10), func(ctx context.Context) error { return h.coming(ctx, comes) })
	h.after(4+h.o.Rand.IntN(15), func(ctx context.Context) error { return h.there(ctx, comes) })
}
