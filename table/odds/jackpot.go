package odds

import (
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
)

// shared is what becomes of a jackpot for one stake among several boxes, each with one of another holder.
type shared struct {
	// part is the mean part of the jackpot that the stake brings: less than how likely it wins, since several share it.
	part *big.Rat
	// envy is how likely somebody else wins the jackpot and the stake does not.
	envy *big.Rat
}

// sharing works out a jackpot that a box wins with ace and king of one suit while the bank has ace and king. (Mendrisio, "Progressive
// Black Jack".)
func (s *Shoe) sharing(boxes int) shared {
	// together[n] is how likely n given boxes win, whatever the others do.
	together := make([]*big.Rat, boxes+1)
	for n := range together {
		together[n] = s.together(n)
	}
	sh := shared{new(big.Rat), new(big.Rat)}
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
		sh.part.Add(sh.part, with.Quo(with, big.NewRat(int64(n), 1)))
		sh.envy.Add(sh.envy, new(big.Rat).Mul(choose(boxes-1, n), exactly))
	}
	return sh
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
