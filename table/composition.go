package table

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
)

// CardCounts count the cards that left the shoe. As text they are short, since a journal
// has them once a round: "AS=3 KD=1".
type CardCounts struct {
	counts [card.Unread + 1]uint16 // by card, of which Unread is the last
	dealt  int
}

// IsZero says whether no card has left the shoe.
func (c *CardCounts) IsZero() bool { return c.dealt == 0 }

// MarshalText writes the counts, in the order of the cards.
func (c CardCounts) MarshalText() ([]byte, error) {
	return c.AppendText(make([]byte, 0, 5*min(c.dealt, 54)))
}

// AppendText adds to a text what MarshalText writes.
func (c *CardCounts) AppendText(text []byte) ([]byte, error) {
	first := true
	for one, n := range c.counts {
		if n == 0 {
			continue
		}
		if !first {
			text = append(text, ' ')
		}
		first = false
		text = append(append(text, card.Card(one).String()...), '=')
		text = strconv.AppendUint(text, uint64(n), 10)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes.
func (c *CardCounts) UnmarshalText(text []byte) error {
	*c = CardCounts{}
	last := card.None
	for len(text) > 0 {
		one, n, rest, err := cutCount(text)
		switch {
		case err != nil:
			return err
		case one <= last:
			return errors.New(one.String() + " stands after " + last.String() +
				": each card stands once, suit by suit from the ace on")
		}
		last, c.counts[one] = one, n
		c.dealt += int(n)
		text = rest
	}
	return nil
}

// cutCount reads the first count of a text, and returns what follows it.
func cutCount(text []byte) (one card.Card, n uint16, rest []byte, err error) {
	if end := slices.Index(text, ' '); end >= 0 && end+1 < len(text) {
		text, rest = text[:end], text[end+1:]
	}
	bad := errors.New(strconv.Quote(string(text)) +
		" is no count of a card: write such as AS=3, with a space between two")
	at := slices.Index(text, '=')
	if at < 0 {
		return 0, 0, nil, bad
	}
	one, err = card.Parse(string(text[:at]))
	if err != nil {
		return 0, 0, nil, err
	}
	count, err := strconv.ParseUint(string(text[at+1:]), 10, 16)
	if err != nil || text[at+1] < '1' {
		return 0, 0, nil, bad
	}
	return one, uint16(count), rest, nil
}

// add counts a card. One that was not read is out of the shoe all the same.
func (c *CardCounts) add(one card.Card) {
	if one <= card.Unread {
		c.counts[one]++
	}
	c.dealt++
}

// rename counts a card by another name.
func (c *CardCounts) rename(was, is card.Card) {
	if c.counts[was] > 0 {
		c.counts[was]--
		c.counts[is]++
	}
}

// forgetUnread counts an unread card no more: it has a name now.
func (c *CardCounts) forgetUnread() {
	if c.counts[card.Unread] > 0 {
		c.counts[card.Unread]--
		c.dealt--
	}
}

// onTable counts only cards that lie on the table: all others are in the shuffler.
func (c *CardCounts) onTable(cards []card.Card) {
	*c = CardCounts{}
	for _, one := range cards {
		c.add(one)
	}
}

// Dealt returns how many cards are out of the shoe, and how many are left in it.
func (t *Table) Dealt() (out, left int) {
	if t.rules == nil {
		return 0, 0
	}
	return t.kept.Seen.dealt, t.holds - t.kept.Seen.dealt
}
