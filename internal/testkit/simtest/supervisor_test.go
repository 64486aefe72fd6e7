package simtest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// shown are the cards that a view shows.
func shown(v display.View) []card.Card {
	list := slices.Concat(v.Bank.Cards, v.Aside)
	if v.Waiting != nil {
		list = append(list, v.Waiting.Cards...)
	}
	for _, box := range v.Boxes {
		for _, h := range box.Hands {
			list = append(list, h.Cards...)
		}
	}
	return list
}

// without returns the cards of one list that are not in the other, each as often as it is missing, in order.
func without(list, other []card.Card) []card.Card {
	rest := slices.Clone(other)
	var missing []card.Card
	for _, c := range list {
		if i := slices.Index(rest, c); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		missing = append(missing, c)
	}
	return missing
}

// supervisorTakes is how long it takes until a supervisor has come and looked.
const supervisorTakes = 5 * time.Second

// putRight is the supervisor, who looks at the felt, tells the truth, and takes note of what should not have held the
// table.
func (w *World) putRight(ctx context.Context, v display.View) (vocab.Input, error) {
	pause(ctx, supervisorTakes)
	now, err := w.look(ctx)
	if err != nil {
		return vocab.Input{}, err
	}
	if now.Held == nil || now.Held.Code != v.Held.Code || len(now.Held.Choices) == 0 {
		return vocab.Input{}, keysim.ErrLookAgain
	}
	if w.panel != nil && w.panel.unproven() { // the supervisor waits for the key
		return vocab.Input{}, keysim.ErrLookAgain
	}
	v = now
	in := vocab.Input{Kind: vocab.InResolve, By: "supervisor"}
	held := v.Held
	w.heldBy(held.Code)
	if !w.isTampered() && !w.caused(held.Code) {
		w.find("held", "%s holds the table, and nothing has happened that explains it: %+v", held.Code, *held)
	}
	lies, shows := w.hand.cards(), shown(v)
	if held.Card != card.None && held.Card != card.Unread {
		shows = append(shows, held.Card)
	}
	twice := without(shows, lies)
	if held.Code == irregularity.HeldByHand && len(lies) == 0 {
		twice = nil // the round that was paid is looked at once more: its cards are in the discard tray
	}
	if len(twice) > 0 && !w.hand.doubtful() {
		w.find("doubled", "the display shows %v, which lie on the felt %v, once too often: %v; held by %s", shows, lies,
			twice, held.Code)
	}
	missing := without(lies, shows)
	lost := missing[:max(0, len(missing)-held.Arrived)]
	if err := w.choose(ctx, v, &in, differs{missing, lost, twice}); err != nil {
		return in, err
	}
	if !slices.Contains(held.Choices, in.With) {
		in.With, in.Card = held.Choices[0], card.None
		if i := slices.IndexFunc(held.Choices, func(c irregularity.Choice) bool {
			return c != irregularity.Identify
		}); i >= 0 {
			in.With = held.Choices[i]
		}
		if in.With == irregularity.Identify {
			return in, fmt.Errorf("nobody knows which card %s is about: the felt has %v, the display %v", held.Code,
				lies, shows)
		}
	}
	w.log.Info("supervisor", "held", held.Code, "with", in.With, "card", in.Card, "felt", fmt.Sprint(lies), "shown",
		fmt.Sprint(shows), "arrived", held.Arrived)
	return in, nil
}

// differs is how the felt differs from the display: what is not on it, what of that has not arrived either, and what is
// on it once too often.
type differs struct{ missing, lost, twice []card.Card }

// choose is what the supervisor says of what holds the table, and does.
func (w *World) choose(ctx context.Context, v display.View, in *vocab.Input, felt differs) error {
	switch v.Held.Code {
	case irregularity.LostCards:
		switch {
		case len(felt.twice) > 0:
			in.With = irregularity.VoidRound
		case len(felt.lost) > 0:
			in.With, in.Card = irregularity.Identify, felt.lost[0]
		default:
			in.With = irregularity.NoneDrawn
		}
	case irregularity.UnreadCard:
		in.With = irregularity.Burn
		if len(felt.missing) > 0 {
			in.With, in.Card = irregularity.Identify, felt.missing[0]
		}
	case irregularity.UnexpectedCard, irregularity.BankOverdraw:
		in.With = irregularity.Burn
	case irregularity.ForeignCard:
		in.With = irregularity.Accept
	case irregularity.PayoutMismatch:
		in.With = mismatch(v)
		in.Because = "asked"
	case irregularity.HeldByHand:
		in.With = irregularity.Continue
		return w.correct(ctx, v)
	case irregularity.ShoeExhausted:
		in.With = irregularity.Reload
		return w.hand.Reload()
	}
	return nil
}

// compare compares the felt with the display when a round is paid.
func (w *World) compare(v display.View) {
	lies, shows := w.hand.cards(), shown(v)
	if twice := without(shows, lies); len(twice) > 0 && !w.hand.doubtful() {
		w.find("doubled", "round %d is paid with %v on the display, and %v lie on the felt: %v too often", v.Round,
			shows, lies, twice)
	}
	if missing := without(lies, shows); len(missing) > 0 && !w.isVoid() && !w.hand.doubtful() {
		w.find("lost", "round %d is paid with %v on the display, and %v lie on the felt: %v was never told to be lost",
			v.Round, shows, lies, missing)
	}
	w.mu.Lock()
	w.voided = false
	w.mu.Unlock()
}
