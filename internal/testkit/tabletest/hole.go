package tabletest

import (
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// Faces are the cards that a table has been given face down, for whoever puts in what is seen of them.
type Faces []card.Card

// Down is a card as it comes where it may be the bank's hole card.
func (f *Faces) Down(t *table.Table, in vocab.Input) vocab.Input {
	if !in.Card.Ranked() || !t.MayBeHole() {
		return in
	}
	*f = append(*f, in.Card)
	in.Card, in.Code = card.Down, strconv.Itoa(len(*f))
	return in
}

// Of is the card of a seal.
func (f Faces) Of(s table.Sealed) card.Card {
	if s.Known != card.None {
		return s.Known
	}
	if n, err := strconv.Atoi(s.Seal); err == nil && n > 0 && n <= len(f) {
		return f[n-1]
	}
	return card.None
}

// Answer says what is seen when the dealer looks at the hole card, and which it is when it is turned.
func (f Faces) Answer(t *table.Table, in vocab.Input) vocab.Input {
	lies, is := t.ToOpen()
	if !is {
		lies, is = t.Hole()
	}
	if in.Kind != vocab.InHole || !is {
		return in
	}
	c := f.Of(lies)
	if in.Hole != vocab.HoleLook {
		in.Card = c
		return in
	}
	in.Hole = vocab.HoleNoBlackJack
	if hand.BlackJack([]card.Card{t.Bank().Cards[0], c}) {
		in.Hole = vocab.HoleBlackJack
	}
	return in
}
