package dealt

import (
	"math/big"
	"math/bits"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/vocab"
)

// sums are those of some rounds. Results are what the bettors win, in parts of the stake.
type sums struct {
	rounds, hits int64
	sum          int64
	// squares are those of the boxes' results, and together those of the rounds'.
	squares, together square
	sides             []Side
	ends              [odds.Ends]int64
}

// square is a sum of squares, which an int64 might not hold.
type square struct{ high, low uint64 }

func (s *square) add(x int64) {
	if x < 0 {
		x = -x
	}
	high, low := bits.Mul64(uint64(x), uint64(x))
	var carry uint64
	s.low, carry = bits.Add64(s.low, low, 0)
	s.high += high + carry
}

func (s square) big() *big.Int {
	sum := new(big.Int).SetUint64(s.high)
	return sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(s.low))
}

// Side counts a side bet that the holder's play decides too: how often the cards left it to the play, and how often it
// was won then.
type Side struct {
	Open int64 `json:"open"`
	Won  int64 `json:"won"`
	// Lines count what each line won, where the play decides which it is; nil where it decides whether one is.
	Lines []int64 `json:"lines,omitempty"`
}

// round adds a round by the boxes' results.
func (s *sums) round(won []int64) {
	s.rounds++
	all := int64(0)
	for _, one := range won {
		all += one
		s.squares.add(one)
		if one > 0 {
			s.hits++
		}
	}
	s.sum += all
	s.together.add(all)
}

// bank adds how the bank has ended.
func (s *sums) bank(h table.Hand) {
	switch {
	case h.Done == vocab.DoneBlackJack:
		s.ends[odds.EndBlackJack]++
	case h.Done == vocab.DoneBust:
		s.ends[odds.EndOver]++
	default:
		s.ends[h.Total-17]++
	}
}
