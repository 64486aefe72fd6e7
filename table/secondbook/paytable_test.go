package secondbook_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/sidebet"
)

// dice draw with rapid.
type dice struct{ *rapid.T }

func (d dice) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "") }

func (d dice) card() card.Card { return card.Of(card.Rank(1+d.IntN(13)), card.Suit(d.IntN(4))) }

// few are cards that meet each other often.
func (d dice) few() card.Card {
	if d.IntN(3) > 0 {
		return d.card()
	}
	return card.Of([...]card.Rank{card.Ace, 7, card.Queen, card.King}[d.IntN(4)], card.Hearts)
}

// TestReadersAgree: of any paytable that can be written, the engine and the book say the same of any cards: which line
// wins, and whether cards to come can change it.
func TestReadersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := dice{t}
		for range 30 {
			cards, conditions := tabletest.AnyPaytable(d)
			def := tabletest.Defined(cards, conditions)
			read := secondbook.Paytable(def.Lines(), conditions, cards)
			for range 3 {
				c := anyCards(d, def)
				engine, decided := def.Judge(c)
				book, sure := read(&c)
				if decided != sure || decided && engine != book {
					t.Fatalf("%q of %s, with %+v: the engine says %q, %t, the book %q, %t", conditions,
						cards, c, engine,
						decided, book, sure)
				}
			}
		}
	})
}

// anyCards are cards as they may lie when a bet is asked.
func anyCards(d dice, def *sidebet.Def) sidebet.Cards {
	c := sidebet.Cards{First: d.few(), Second: d.few(), Bank: d.few(), BankSecond: d.few(), Joker: d.IntN(4) == 0}
	if d.IntN(3) == 0 {
		c.BankSecond = card.None
	}
	if def.Needs()&sidebet.Second == 0 && d.IntN(3) == 0 {
		c.Second, c.JokerMayCome = card.None, d.IntN(2) == 0
	}
	if c.Hands = sidebet.Hands(d.IntN(3)); c.Hands != sidebet.HandsOpen {
		c.Hand = d.hand(c.First)
	}
	if d.IntN(2) == 0 && c.BankSecond != card.None {
		c.BankHand = append([]card.Card{c.Bank, c.BankSecond}, d.hand(d.few())...)
	}
	return c
}

func (d dice) hand(first card.Card) []card.Card {
	hand := []card.Card{first, d.few()}
	for range d.IntN(4) {
		hand = append(hand, d.card())
	}
	return hand
}
