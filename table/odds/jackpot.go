package odds

import (
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// shared is what becomes of a jackpot for one stake among several boxes, each with one of another holder.
type shared struct {
	// part is the mean part of the jackpot that the stake brings: less than how likely it wins, since several share it.
	part *big.Rat
	// envy is how likely somebody else wins the jackpot and the stake does not.
	envy *big.Rat
	// winners[n] is how likely the stake is one of n that win.
	winners []*big.Rat
}

// sharing works out a jackpot that a box wins with ace and king of one suit while the bank has ace and king.
// (Mendrisio, "Progressive Black Jack".)
func (s *Shoe) sharing(boxes int) shared {
	// together[n] is how likely n given boxes win, whatever the others do.
	together := make([]*big.Rat, boxes+1)
	for n := range together {
		together[n] = s.together(n)
	}
	sh := shared{new(big.Rat), new(big.Rat), []*big.Rat{new(big.Rat)}}
	for n := 1; n <= boxes; n++ {
		// exactly is how likely n given boxes win, and no other.
		exactly := new(big.Rat)
		for more := 0; n+more <= boxes; more++ {
			part := new(big.Rat).Mul(choose(boxes-n, more), together[n+more])
			if more%2 == 1 {
				part.Neg(part)
			}
			exactly.Add(exactly, part)
		}
		with := new(big.Rat).Mul(choose(boxes-1, n-1), exactly)
		sh.winners = append(sh.winners, with)
		sh.part.Add(sh.part, new(big.Rat).Quo(with, big.NewRat(int64(n), 1)))
		sh.envy.Add(sh.envy, new(big.Rat).Mul(choose(boxes-1, n), exactly))
	}
	return sh
}

// envied is how likely another box wins the jackpot while a stake comes to each of the other lines, or to none, itself.
func (s *Shoe) envied(bet *rules.Offer, boxes int) map[sidebet.Line]*big.Rat {
	lines := map[sidebet.Line]*big.Rat{}
	others := map[[2]card.Card]*big.Rat{} // by what the two cards take from those that win a jackpot
	all := falling(s.Size(), boxPlaces)
	s.eachTwo(func(first, second card.Card, ways int64) {
		line, _ := bet.Judge(sidebet.Cards{
			First: first, Second: second, Bank: card.Of(card.Ace, card.Spades),
			BankSecond: card.Of(card.King, card.Spades),
		})
		if line == sidebet.Jackpot {
			return
		}
		taken := [2]card.Card{winning(first), winning(second)}
		if others[taken] == nil {
			left := *s
			left.cards[first]--
			left.cards[second]--
			others[taken] = left.some(boxes - 1)
		}
		p := new(big.Rat).SetFrac(big.NewInt(ways), all)
		if lines[line] == nil {
			lines[line] = new(big.Rat)
		}
		lines[line].Add(lines[line], p.Mul(p, others[taken]))
	})
	return lines
}

// winning is a card that can be part of a jackpot, or none.
func winning(c card.Card) card.Card {
	if c.Rank() == card.Ace || c.Rank() == card.King {
		return c
	}
	return card.None
}

// eachTwo yields every two cards that a box can be dealt, in their order, and how many ways there are.
func (s *Shoe) eachTwo(yield func(first, second card.Card, ways int64)) {
	for first := range card.All {
		for second := range card.All {
			n := s.Of(second)
			if first == second {
				n--
			}
			if ways := int64(s.Of(first) * n); ways > 0 {
				yield(first, second, ways)
			}
		}
	}
}

// some is how likely one or more of so many given boxes win.
func (s *Shoe) some(boxes int) *big.Rat {
	p := new(big.Rat)
	for n := 1; n <= boxes; n++ {
		part := new(big.Rat).Mul(choose(boxes, n), s.together(n))
		if n%2 == 0 {
			part.Neg(part)
		}
		p.Add(p, part)
	}
	return p
}

func choose(n, k int) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Binomial(int64(n), int64(k)))
}

// together is how likely so many given boxes have ace and king of a suit each, and the bank ace and king.
func (s *Shoe) together(boxes int) *big.Rat {
	ways := s.suited(boxes, card.Spades)
	aces, kings := int64(-boxes), int64(-boxes)
	for suit := card.Spades; suit <= card.Clubs; suit++ {
		aces += int64(s.Of(card.Of(card.Ace, suit)))
		kings += int64(s.Of(card.Of(card.King, suit)))
	}
	if aces <= 0 || kings <= 0 {
		return new(big.Rat)
	}
	ways.Mul(ways, big.NewInt(2*aces*kings))
	return new(big.Rat).SetFrac(ways, falling(s.Size(), 2*boxes+2))
}

// suited is in how many ways boxes get ace and king of a suit each, of this suit or a later one.
func (s *Shoe) suited(boxes int, suit card.Suit) *big.Int {
	if boxes == 0 {
		return big.NewInt(1)
	}
	if suit > card.Clubs {
		return new(big.Int)
	}
	sum := new(big.Int)
	aces, kings := s.Of(card.Of(card.Ace, suit)), s.Of(card.Of(card.King, suit))
	for n := 0; n <= min(boxes, aces, kings); n++ {
		ways := s.suited(boxes-n, suit+1)
		ways.Mul(ways, new(big.Int).Binomial(int64(boxes), int64(n)))
		ways.Mul(ways, falling(aces, n)).Mul(ways, falling(kings, n)).Lsh(ways, uint(n))
		sum.Add(sum, ways)
	}
	return sum
}
