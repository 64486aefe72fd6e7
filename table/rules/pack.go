package rules

import "github.com/sabot-table/sabot/shoe/card"

// HasTens reports whether the packs have their tens.
func (c *Cards) HasTens() bool { return c.Tens == nil || *c.Tens }

// Of is how many of a card a full shoe holds.
func (c *Cards) Of(one card.Card) int {
	switch {
	case one == card.Joker:
		return c.Jokers
	case !one.Ranked() || one.Rank() == card.Ten && !c.HasTens():
		return 0
	}
	return c.Decks
}

// Full is how many cards a full shoe holds.
func (c *Cards) Full() int {
	full := c.Jokers
	for one := range card.All {
		full += c.Of(one)
	}
	return full
}
