package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Waiting are cards that lie open: they are dealt before any is drawn from the shoe.
type Waiting struct {
	Cards []card.Card `json:"cards"`
	// To, Box and Hand are where the first of them goes, as far as that is known: a box's
	// hand that calls for a card gets it, and so does the first box while bets are open. To is
	// 0 while it is nobody's yet.
	To   vocab.To `json:"to,omitempty"`
	Box  int      `json:"box,omitempty"`
	Hand int      `json:"hand,omitempty"`
}

// lies returns the cards that lie open on a table, nil for none.
func lies(t *table.Table) *Waiting {
	cards := t.Waiting()
	if len(cards) == 0 {
		return nil
	}
	w := &Waiting{Cards: cards}
	switch due := t.Due(); {
	case due.To == vocab.ToBank:
		w.To = vocab.ToBank
	case due.To == vocab.ToBox || due.To == vocab.ToCall:
		w.To, w.Box, w.Hand = vocab.ToBox, int(due.Box), int(due.Hand)
	case t.Phase() == vocab.Bets:
		w.firstBox(t)
	}
	return w
}

// firstBox: the deal begins with the first box that is played.
func (w *Waiting) firstBox(t *table.Table) {
	for n := 1; n <= t.Boxes(); n++ {
		if len(t.Bettors(n)) > 0 {
			w.To, w.Box, w.Hand = vocab.ToBox, n, 1
			return
		}
	}
}

// At returns the card that lies open for a box's hand, as a row; nil for none.
func (w *Waiting) At(box, hand int) []card.Card {
	if w == nil || w.To != vocab.ToBox || w.Box != box || w.Hand != hand {
		return nil
	}
	return w.Cards[:1]
}

// BesideBank returns the cards that lie open for the bank, or for nobody yet.
func (w *Waiting) BesideBank() []card.Card {
	switch {
	case w == nil:
		return nil
	case w.To == vocab.ToBox:
		return w.Cards[1:]
	}
	return w.Cards
}

// openSays says which card is not drawn, since it lies there.
func openSays(v View) Message {
	w := v.Waiting
	switch {
	case w == nil:
		return Message{}
	case len(w.Cards) > 1:
		return say("open.several", text("cards", named(w.Cards)))
	case w.To == vocab.ToBank:
		return say("open.bank", cardArg(w.Cards[0]))
	case w.To == vocab.ToBox && v.Due.To == vocab.ToCall:
		return atHand(v, "open.call", cardArg(w.Cards[0]))
	case w.To == vocab.ToBox && v.Phase == vocab.Bets:
		return say("open.box", cardArg(w.Cards[0]), text("box", strconv.Itoa(w.Box)))
	case w.To == vocab.ToBox:
		return atHand(v, "open.box", cardArg(w.Cards[0]))
	case v.Phase == vocab.Idle || v.Phase == vocab.Payment:
		return say("open.round", cardArg(w.Cards[0]))
	}
	return say("open.next", cardArg(w.Cards[0]))
}

func named(cards []card.Card) string {
	var names []string
	for _, c := range cards {
		names = append(names, English.Say(CardName(c))) // the same in every language, but for a Joker
	}
	return strings.Join(names, " ")
}
