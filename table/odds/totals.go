package odds

import (
	"errors"
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

// Totals is how likely each of the bank's ends is, exactly, if it draws to its end: with any first card, or, if rank is
// not 0, with that one. The boxes' cards change nothing while nobody looks at them. It is an error if too few cards are
// left, or none of that rank.
func Totals(s *Shoe, rank card.Rank) (ends [Ends]*big.Rat, err error) {
	if err := s.enough(1); err != nil {
		return ends, err
	}
	if rank != 0 && s.points()[hand.Points(rank)-1] == 0 {
		return ends, errors.New("no such card is left in the shoe")
	}
	return s.totals(rank), nil
}

func (s *Shoe) totals(rank card.Rank) (ends [Ends]*big.Rat) {
	left := s.points()
	t := totals{left: left, size: left.size(), bank: drawsOf(s.bank)}
	for up := range left {
		if rank == 0 || up == hand.Points(rank)-1 {
			t.from(up)
		}
	}
	all := new(big.Rat)
	for end := range ends {
		if ends[end] = t.sum(End(end)); End(end) == EndOver {
			ends[end].Add(ends[end], t.sum(end22))
		}
		all.Add(all, ends[end])
	}
	for end := range ends {
		ends[end].Quo(ends[end], all)
	}
	return ends
}

// totals counts ordered draws of the bank, its first card included, by their length.
type totals struct {
	bank *drawn
	left points
	size int
	ways [allEnds][16]big.Int
}

func (t *totals) from(up int) {
	left := t.left.less(up, 1)
	list := t.bank[up]
	ways := make([]big.Int, len(list))
	ways[0].SetInt64(int64(t.left[up]))
	var one big.Int
	for i := 1; i < len(list); i++ {
		d := &list[i]
		ways[i].Mul(&ways[d.before], one.SetInt64(int64(max(left[d.value]-d.used, 0))))
		if d.ways > 0 {
			sum := &t.ways[d.end][d.deep+2]
			sum.Add(sum, one.Mul(&ways[i], big.NewInt(int64(d.ways))))
		}
	}
}

// sum is how likely an end is, among all first cards.
func (t *totals) sum(end End) *big.Rat {
	sum := new(big.Rat)
	for cards := range t.ways[end] {
		if ways := &t.ways[end][cards]; ways.Sign() > 0 {
			sum.Add(sum, new(big.Rat).SetFrac(ways, falling(t.size, cards)))
		}
	}
	return sum
}

// falling is in how many orders so many of n cards can come.
func falling(n, cards int) *big.Int {
	if cards == 0 {
		return big.NewInt(1)
	}
	return new(big.Int).MulRange(int64(n-cards+1), int64(n))
}
