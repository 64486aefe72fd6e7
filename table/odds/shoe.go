package odds

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
)

// Shoe is what cards are drawn from: how many of each are left. The zero Shoe is empty. It is a value, and can be a key
// of a map.
type Shoe struct {
	// Packs is of how many packs the full shoe was made.
	Packs  int
	cards  [64]int16 // by card
	jokers int16
	// bank is how the bank draws from it.
	bank bankRule
}

// Full is the shoe of a house before the first card.
func Full(r *rules.Rules) Shoe {
	s := Packs(r.Cards.Decks, r.Cards.Jokers).For(r)
	for c := range card.All {
		s.cards[c] = int16(r.Cards.Of(c))
	}
	return s
}

// For is the shoe at a table of the rules, where the bank draws by them.
func (s Shoe) For(r *rules.Rules) Shoe {
	s.bank = bankRuleOf(&r.Bank)
	return s
}

// Packs is a shoe of so many packs and Jokers.
func Packs(packs, jokers int) Shoe {
	s := Shoe{Packs: packs, jokers: int16(jokers)}
	for c := range card.All {
		s.cards[c] = int16(packs)
	}
	return s
}

// Without is the shoe after cards have left it. It refuses a card that is not in it any more, and one that was not
// read.
func (s Shoe) Without(seen []card.Card) (Shoe, error) {
	for i, c := range seen {
		left := &s.jokers
		switch {
		case c.Ranked():
			left = &s.cards[c]
		case c != card.Joker:
			return s, fmt.Errorf("card %d, %q, is none whose identity is known: leave it out", i+1, c)
		}
		if *left == 0 {
			return s, fmt.Errorf("card %d: there is no %s left in %d packs: was it written twice?", i+1, c, s.Packs)
		}
		*left--
	}
	return s, nil
}

// Of is how many of a card are left.
func (s *Shoe) Of(c card.Card) int {
	if c == card.Joker {
		return int(s.jokers)
	}
	return int(s.cards[c])
}

// Size is the number of cards without the Jokers.
func (s *Shoe) Size() (n int) {
	for _, left := range s.cards {
		n += int(left)
	}
	return n
}

// pointsOfHand is the most that the cards of a hand count, aces one: a ten to 20. On 21 it rests.
const pointsOfHand = hand.Best - 1 + 10

// room is how many hands can be dealt to their ends before the bank, whatever each of them draws: with as many the
// cards cannot run out in the middle of a round.
func (p *points) room() int { return (p.sum() - most) / pointsOfHand }

// ErrFew is that a round might not be dealt to its end.
var ErrFew = errors.New("too few cards are left for a round")

// enough says whether so many hands and the bank can be dealt from the shoe.
func (s *Shoe) enough(hands int) error {
	p := s.points()
	if p.sum() < most || p.room() < hands {
		return fmt.Errorf("%w: %d cards with %d points, and it takes %d points; list fewer cards as seen, take more "+
			"packs, or fewer boxes",
			ErrFew, s.Size(), p.sum(), hands*pointsOfHand+most)
	}
	return nil
}

// enoughForJames says whether the cards last for so many boxes of Black James and the bank, each to a Five-Card-Trick.
func (s *Shoe) enoughForJames(boxes int) error {
	if takes := boxes*trick + trick + 1; s.Size() < takes {
		return fmt.Errorf("%w: %d cards, and it takes %d; list fewer cards as seen, take more packs, or fewer boxes",
			ErrFew, s.Size(), takes)
	}
	return nil
}

// bonusJack is how often an ace and a ten-value are those of jack and ace of spades. (St. Moritz, 6:5 tables.)
func (s *Shoe) bonusJack() *big.Rat {
	p := s.points()
	if p[ace] == 0 || p[ten] == 0 {
		return new(big.Rat)
	}
	jack, spade := s.Of(card.Of(card.Jack, card.Spades)), s.Of(card.Of(card.Ace, card.Spades))
	return big.NewRat(int64(jack*spade), int64(p[ace]*p[ten]))
}

// ofOneSuit is how often an ace and a ten-value are of one suit.
func (s *Shoe) ofOneSuit() *big.Rat {
	p := s.points()
	if p[ace] == 0 || p[ten] == 0 {
		return new(big.Rat)
	}
	same := 0
	for suit := range card.Suit(4) {
		tens := 0
		for rank := card.Rank(card.Ten); rank <= card.King; rank++ {
			tens += s.Of(card.Of(rank, suit))
		}
		same += tens * s.Of(card.Of(card.Ace, suit))
	}
	return big.NewRat(int64(same), int64(p[ace]*p[ten]))
}

// suited is how often a Black Jack is of one suit, among those that are no Bonus Black Jack, which is paid otherwise.
func (q Query) suited() *big.Rat {
	part := q.Shoe.ofOneSuit()
	if q.Rules.Pays.BonusBlackJack == nil {
		return part
	}
	bonus := q.Shoe.bonusJack()
	others := rest(bonus)
	if others.Sign() == 0 {
		return others
	}
	return part.Quo(part.Sub(part, bonus), others)
}

// points are cards by what they count: the aces, the twos, to the tens.
type points [10]int

// points counts the cards.
func (s *Shoe) points() (p points) {
	for c := range card.All {
		p[hand.Points(c.Rank())-1] += s.Of(c)
	}
	return p
}

// size is the number of cards.
func (p *points) size() (n int) {
	for _, left := range p {
		n += left
	}
	return n
}

// less is the cards without some of one value.
func (p points) less(value, n int) points {
	p[value] -= n
	return p
}

// inverse is one divided by each number of cards that can be left.
var inverse = func() (list [rules.MaxDecks*52 + 1]float64) {
	for n := range list[1:] {
		list[n+1] = 1 / float64(n+1)
	}
	list[0] = math.NaN() // nobody draws from nothing
	return list
}()
