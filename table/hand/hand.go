// Package hand counts Black Jack hands. It is a leaf of the round engine.
package hand

import "github.com/sabot-table/sabot/shoe/card"

// Best is the highest total that is not bust.
const Best = 21

// Points is what a rank counts: 2 to 10 as printed, jack, queen and king 10, the
// ace 1. A card without a rank counts 0. (Common rule 3.)
func Points(r card.Rank) int {
	if r >= card.Ten {
		return 10
	}
	return int(r)
}

// TenValue says whether a rank counts ten: 10, jack, queen or king.
func TenValue(r card.Rank) bool { return r >= card.Ten }

// Pair says whether two cards have the same point value, such as 10 and jack. (Common
// rule 12.)
func Pair(a, b card.Card) bool { return values[a].hard == values[b].hard }

// Value is what the cards of a hand count together. The zero Value is an empty hand.
type Value struct {
	hard int16 // every ace counting one
	high int16 // what one ace can add to that: ten, or nothing without an ace
}

// values are those of single cards. Cards are unpredictable, so looking up a value is faster than branching on the
// card.
var values = func() (list [256]Value) {
	for c := range card.All {
		list[c].hard = int16(Points(c.Rank()))
		if c.Rank() == card.Ace {
			list[c].high = 10
		}
	}
	return list
}()

// Of counts cards.
func Of(cards []card.Card) Value {
	var v Value
	for _, c := range cards {
		v = v.Add(c)
	}
	return v
}

// Add counts one more card.
func (v Value) Add(c card.Card) Value {
	one := values[c]
	return Value{hard: v.hard + one.hard, high: v.high | one.high}
}

// Soft says whether an ace counts eleven.
func (v Value) Soft() bool { return v.Total() != int(v.hard) }

// Total is the best total: an ace counts 11 wherever that does not bust the hand.
func (v Value) Total() int {
	total := v.hard + v.high
	if total > Best {
		total = v.hard
	}
	return int(total)
}

// Bust says whether the hand is over 21.
func (v Value) Bust() bool { return v.hard > Best }

// BlackJack says whether two cards are an ace and a ten-value. Whether they count as a Black Jack is for the caller to
// decide: on a split hand they are 21. (Common rules 4 and 13.)
func BlackJack(cards []card.Card) bool {
	if len(cards) != 2 {
		return false
	}
	a, b := cards[0].Rank(), cards[1].Rank()
	return a == card.Ace && TenValue(b) || b == card.Ace && TenValue(a)
}
