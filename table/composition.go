package table

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
)

// composition counts the cards that left the shoe: since it was loaded or, where
// cards go back after each round, in this round.
type composition struct {
	counts [256]uint16 // by card
	dealt  int
}

// CardCount is how often a card has left the shoe.
type CardCount struct {
	Card  card.Card
	Count uint16
}

// CardCounts are the counts of several cards. As text they are short, since a
// journal has them once a round: "AS=3 KD=1".
type CardCounts []CardCount

// MarshalText writes the counts.
func (c CardCounts) MarshalText() ([]byte, error) {
	text := make([]byte, 0, 5*len(c))
	for i, one := range c {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(append(text, one.Card.String()...), '=')
		text = strconv.AppendUint(text, uint64(one.Count), 10)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes.
func (c *CardCounts) UnmarshalText(text []byte) error {
	*c = nil
	for len(text) > 0 {
		end := slices.Index(text, ' ')
		if end < 0 {
			end = len(text)
		} else if end+1 == len(text) {
			return errors.New(strconv.Quote(string(text)) + " ends with a space")
		}
		one, err := parseCount(text[:end])
		if err != nil {
			return err
		}
		*c = append(*c, one)
		text = text[min(end+1, len(text)):]
	}
	return nil
}

func parseCount(text []byte) (CardCount, error) {
	at := slices.Index(text, '=')
	if at < 0 {
		return CardCount{}, noCount(text)
	}
	one, err := card.Parse(string(text[:at]))
	if err != nil {
		return CardCount{}, err
	}
	digits := string(text[at+1:])
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || digits[0] == '0' {
		return CardCount{}, noCount(text)
	}
	return CardCount{one, uint16(n)}, nil
}

func noCount(text []byte) error {
	return errors.New(strconv.Quote(string(text)) + " is no count of a card, such as AS=3")
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

func (c *composition) list() CardCounts {
	list := make(CardCounts, 0, min(c.dealt, 54))
	for one, n := range c.counts {
		if n > 0 {
			list = append(list, CardCount{card.Card(one), n})
		}
	}
	return list
}

func (c *composition) restore(list CardCounts) {
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
