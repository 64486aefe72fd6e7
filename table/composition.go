package table

import "github.com/sabot-table/sabot/shoe/card"

// composition counts the cards that left the shoe: since it was loaded or, where
// cards go back after each round, in this round.
type composition struct {
	counts [256]uint16 // by card
	dealt  int
}

// CardCount is how often a card has left the shoe.
type CardCount struct {
	Card  card.Card `json:"card"`
	Count uint16    `json:"count"`
}

// add counts a card. One that was not read is out of the shoe all the same.
func (c *composition) add(one card.Card) {
	c.counts[one]++
	c.dealt++
}

// name counts an unread card as the one that it was.
func (c *composition) name(one card.Card) {
	if c.counts[card.Unread] > 0 {
		c.counts[card.Unread]--
		c.dealt--
	}
	c.add(one)
}

// onTable counts only cards that lie on the table: all others are in the shuffler.
func (c *composition) onTable(cards []card.Card) {
	*c = composition{}
	for _, one := range cards {
		c.add(one)
	}
}

func (c *composition) list() []CardCount {
	var list []CardCount
	for one, n := range c.counts {
		if n > 0 {
			list = append(list, CardCount{card.Card(one), n})
		}
	}
	return list
}

func (c *composition) restore(list []CardCount) {
	*c = composition{}
	for _, one := range list {
		c.counts[one.Card] = one.Count
		c.dealt += int(one.Count)
	}
}

// Dealt returns how many cards are out of the shoe, and how many are left in it.
func (t *Table) Dealt() (out, left int) {
	if t.rules == nil {
		return 0, 0
	}
	return t.seen.dealt, t.holds - t.seen.dealt
}
