package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Waiting are cards that lie open: they are dealt before any is drawn from the shoe, to whom they go.
type Waiting struct {
	Cards []card.Card `json:"cards"`
	// To, Box and Hand are where the first of them goes, as far as that is known: a box's
	// hand that calls for a card gets it, and so does the first box while bets are open. To is
	// 0 while it is nobody's yet.
	To   vocab.To `json:"to,omitempty"`
	Box  int      `json:"box,omitempty"`
	Hand int      `json:"hand,omitempty"`
	// Early says that the last of them is the bank's second card, and lies there until the boxes have played.
	Early bool `json:"early,omitempty"`
}

// lies returns the cards that lie open on a table, nil for none. One that was dealt early to the bank is the last.
func lies(t *table.Table) *Waiting {
	w := &Waiting{Cards: t.Waiting()}
	none := len(w.Cards) == 0
	if early := t.Early(); early != card.None {
		w.Cards, w.Early = append(w.Cards, early), true
	}
	switch due := t.Due(); {
	case len(w.Cards) == 0:
		return nil
	case none:
		w.To = vocab.ToBank
	case due.To == vocab.ToBank || due.To == vocab.ToHole:
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
	if w == nil {
		return Message{}
	}
	next := w.Cards
	if w.Early && len(next) > 1 {
		next = next[:len(next)-1]
	}
	first := cardArg(next[0])
	switch {
	case len(next) > 1:
		return say("open.several", text("cards", named(next)))
	case w.Early && w.To == vocab.ToBank:
		return say("open.early", first)
	case w.To == vocab.ToBank:
		return say("open.bank", first)
	case w.To == vocab.ToBox && v.Due.To == vocab.ToCall:
		return atHand(v, "open.call", first)
	case w.To == vocab.ToBox && v.Phase == vocab.Bets:
		return say("open.box", first, text("box", strconv.Itoa(w.Box)))
	case w.To == vocab.ToBox:
		return atHand(v, "open.box", first)
	case v.Phase == vocab.Idle || v.Phase == vocab.Payment:
		return say("open.round", first)
	}
	return say("open.next", first)
}

func named(cards []card.Card) string {
	var names []string
	for _, c := range cards {
		names = append(names, English.Say(CardName(c))) // the same in every language, but for a Joker
	}
	return strings.Join(names, " ")
}
