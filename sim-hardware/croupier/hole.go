package croupier

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// HoleCard is the bank's card that lies face down, for a table that nothing seals it for.
type HoleCard struct{ is card.Card }

// Lay is a card as it goes into the table: one that may be the hole card is nobody's business yet.
func (h *HoleCard) Lay(t *table.Table, in vocab.Input) vocab.Input {
	if in.Kind == vocab.InCard && t.MayBeHole() {
		h.is, in.Card = in.Card, card.Down
	}
	return in
}

// See says what the dealer sees of it, by a look or when it is turned.
func (h *HoleCard) See(t *table.Table, in vocab.Input) vocab.Input {
	switch {
	case in.Kind != vocab.InHole:
	case in.Hole != vocab.HoleLook:
		in.Card = h.is
	case hand.BlackJack([]card.Card{t.Bank().Cards[0], h.is}):
		in.Hole = vocab.HoleBlackJack
	default:
		in.Hole = vocab.HoleNoBlackJack
	}
	return in
}
