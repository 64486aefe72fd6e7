package shoesim

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
)

// stock is the cards in the shoe, the next one first. The same options give the same cards in the same order.
type stock struct {
	full   []card.Card // what a full shoe holds, in order of delivery or as listed
	cards  []card.Card
	listed bool
	random *rand.Rand
}

func newStock(o *Options) *stock {
	s := &stock{random: rand.New(rand.NewPCG(o.Seed, 0))}
	if len(o.Cards) > 0 {
		s.full, s.listed = slices.Clone(o.Cards), true
	} else {
		s.full = fullDecks(o.Decks, o.Jokers)
		if o.WithoutTens {
			s.full = slices.DeleteFunc(s.full, func(c card.Card) bool { return c.Ranked() && c.Rank() == card.Ten })
		}
	}
	s.reload()
	return s
}

func fullDecks(decks, jokers int) []card.Card {
	var all []card.Card
	for range decks {
		all = slices.AppendSeq(all, card.All)
	}
	for range jokers {
		all = append(all, card.Joker)
	}
	return all
}

// reload puts all cards back in: reshuffled, or in the listed order.
func (s *stock) reload() {
	s.cards = slices.Clone(s.full)
	if !s.listed {
		s.random.Shuffle(len(s.cards), func(i, j int) { s.cards[i], s.cards[j] = s.cards[j], s.cards[i] })
	}
}

// next removes and returns the next card.
func (s *stock) next() (card.Card, error) {
	if len(s.cards) == 0 {
		return card.None, fmt.Errorf("%w: reload it, or return cards to the shuffler", ErrEmpty)
	}
	c := s.cards[0]
	s.cards = s.cards[1:]
	return c, nil
}

// takeCard removes a chosen card, wherever it is.
func (s *stock) takeCard(c card.Card) error {
	i := slices.Index(s.cards, c)
	if i < 0 {
		return fmt.Errorf("no %s is left in the shoe: choose another card, or reload", c)
	}
	s.cards = slices.Delete(s.cards, i, i+1)
	return nil
}

// putBack mixes cards in as a continuous shuffler does; in a listed order it adds them at the end.
func (s *stock) putBack(cards []card.Card) {
	for _, c := range cards {
		at := len(s.cards)
		if !s.listed {
			at = s.random.IntN(len(s.cards) + 1)
		}
		s.cards = slices.Insert(s.cards, at, c)
	}
}
