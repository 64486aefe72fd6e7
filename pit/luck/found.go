package luck

import (
	"math"
	"math/big"
)

// Paying returns the odds of a dealer who pays one line of a paytable otherwise, per unit staked.
func (o *Odds) Paying(line string, pays *big.Rat) *Odds {
	other := *o
	other.Chances = make([]Chance, len(o.Chances))
	for i, c := range o.Chances {
		if c.Line == line {
			c.House = new(big.Rat).Neg(pays)
		}
		other.Chances[i] = c
	}
	other.finish()
	other.pair = o.pair * other.variance / o.variance
	return &other
}

// FoundAfter is after how many independent, equal bets a result leaves the band of o with a probability of sure, if the
// bets are really those of other.
func (o *Odds) FoundAfter(other *Odds, outside, sure float64) int64 {
	off := math.Abs(o.mean - other.mean)
	if off == 0 {
		return math.MaxInt64
	}
	z, y := math.Sqrt2*math.Erfinv(1-outside), math.Sqrt2*math.Erfinv(2*sure-1)
	need := (z*o.Deviation() + y*other.Deviation()) / off
	return int64(math.Ceil(need * need))
}

// Bets returns to how many independent, equal bets stakes amount.
func (o *Odds) Bets(s Sum) int64 { return o.spread(s).bets }
