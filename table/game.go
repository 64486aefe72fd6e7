package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// game is what one game has of its own. All that the games share, boxes and
// bettors, the turn from hand to hand, irregularities, payment, is the Table's. Games
// have pointer receivers: a call through the interface then needs no wrapper.
type game interface {
	// cardsDealt is how many cards each box gets in the initial deal.
	cardsDealt() int
	// total is what a hand counts.
	total(h *boxHand) (total int, soft bool)
	// boxTakes lays a card to a box's hand at an index, and decides what it made of it.
	boxTakes(t *Table, b *box, at int, c card.Card)
	// rests is why a hand ends without a call, 0 if it may call.
	rests(t *Table, b *box, h *boxHand) vocab.Done
	// allowed are the calls that the active hand may make.
	allowed(t *Table, b *box, h *boxHand) vocab.Calls
	// bankTakes lays a card to the bank.
	bankTakes(t *Table, c card.Card)
	// bankDue says whether the bank must draw another card.
	bankDue(t *Table) bool
	// bankTotal is what the bank's cards count.
	bankTotal(t *Table) int
	// judge compares a hand that is still in the game with the bank.
	judge(t *Table, b *box, h *boxHand) verdict
}

func gameOf(g rules.Game) game {
	if g == rules.BlackJames {
		return &blackJames{}
	}
	return &blackJack{}
}
