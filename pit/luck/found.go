package luck

import (
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

// Bets returns to how many independent, equal bets stakes amount.
func (o *Odds) Bets(s Sum) int64 { return o.spread(s).bets }
