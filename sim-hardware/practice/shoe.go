package practice

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
)

// The ranks of themes besides those that rules mention.
const two, five, six, seven = card.Rank(2), card.Rank(5), card.Rank(6), card.Rank(7)

// theme is a kind of card that comes more often than it would: without it, nobody would ever meet three queens of
// spades. The card before is known.
type theme func(c, before card.Card) bool

// themes are those of a round; nil is for one of chance alone.
var themes = []theme{
	nil, nil, nil,
	func(c, _ card.Card) bool { return c.Rank() == card.Ace || c.Rank() >= card.Ten },
	func(c, _ card.Card) bool { return c.Rank() == card.Ace || c.Rank() == card.King },
	func(c, before card.Card) bool {
		return c.Suit() == before.Suit() && (c.Rank() == card.Ace || c.Rank() == card.King)
	},
	func(c, _ card.Card) bool {
		return c.Suit() == card.Spades && (c.Rank() == card.Ace || c.Rank() == card.Jack)
	},
	func(c, _ card.Card) bool { return c.Rank() == seven },
	func(c, _ card.Card) bool { return c.Rank() == card.Ace && c.Suit() == card.Spades },
	func(c, _ card.Card) bool { return c.Rank() == card.Queen },
	func(c, _ card.Card) bool { return c.Rank() == card.Queen && c.Suit() == card.Spades },
	func(c, _ card.Card) bool { return c.Rank() == card.Jack && c.Red() },
	func(c, _ card.Card) bool { return c.Rank() == card.Jack || c.Rank() == card.Ace && !c.Red() },
	func(c, _ card.Card) bool { return c.Red() },
	func(c, _ card.Card) bool { return !c.Red() },
	func(c, _ card.Card) bool { return c.Rank() >= two && c.Rank() <= five },
	func(c, _ card.Card) bool { return c.Rank() == card.Ace || c.Rank() == six },
	func(c, before card.Card) bool { return c.Rank() == before.Rank() },
	func(c, before card.Card) bool { return c == before },
	func(c, _ card.Card) bool { return c == card.Joker },
}

// fill puts the house's cards into the shoe, shuffled.
func (r *round) fill() {
	r.shoe = croupier.Cards(r.house.Cards)
	r.dice.Shuffle(len(r.shoe), func(i, j int) { r.shoe[i], r.shoe[j] = r.shoe[j], r.shoe[i] })
}

// draw takes the shoe's next card or, two times in three, the next one of the round's theme.
func (r *round) draw() card.Card {
	at := 0
	if r.theme != nil && r.dice.IntN(3) > 0 {
		at = max(0, slices.IndexFunc(r.shoe, func(c card.Card) bool { return r.theme(c, r.laid) }))
	}
	c := r.shoe[at]
	r.shoe = slices.Delete(r.shoe, at, at+1)
	if c != card.Joker {
		r.laid = c
	}
	return c
}
