package luck

import (
	"math"
	"math/big"
)

// Chance is one way in which a wager can end.
type Chance struct {
	// Line is the line of the paytable that wins, or "" for a wager that does not.
	Line string
	// House is what the house wins on a stake of one; negative if it pays.
	House *big.Rat
	// P is how likely it is.
	P *big.Rat
}

// How says where the numbers of a wager come from.
type How uint8

// The ways.
const (
	// Exact: from the packs alone.
	Exact How = iota
	// Dealt: by the engine, under a stated strategy.
	Dealt
)

// Odds are what a wager's result is made of, per unit staked on one box.
type Odds struct {
	// Wager is its name, as in transcripts: main, insurance, or a side bet.
	Wager string
	How   How
	// Chances are all the ways in which it can end; their probabilities are 1 together. Those of the main game are
	// per unit of the first stake: what is doubled and split to comes on top.
	Chances []Chance
	// Error is the standard error of Edge where How is Dealt, per unit staked.
	Error float64
	// Weak is the edge against guests who play badly, per unit staked; the main game alone has it. Guests are
	// somewhere between Edge and Weak.
	Weak float64

	mean, variance, third, fourth float64 // of Chances: the mean, and the moments about it
	// pair is the covariance of the results on two boxes of one round.
	pair float64
	// turnover is what is staked in the end for each unit of the first stake: its mean, its mean square, and the mean
	// product of two boxes. All are 1 for a wager that cannot be raised.
	turnover, square, cross float64
}

// finish computes the moments of the chances.
func (o *Odds) finish() *Odds {
	o.mean, o.variance, o.third, o.fourth = 0, 0, 0, 0
	for _, c := range o.Chances {
		o.mean += float(c.P) * float(c.House)
	}
	for _, c := range o.Chances {
		d := float(c.House) - o.mean
		o.variance += float(c.P) * d * d
		o.third += float(c.P) * d * d * d
		o.fourth += float(c.P) * d * d * d * d
	}
	if o.turnover == 0 {
		o.turnover, o.square, o.cross = 1, 1, 1
	}
	return o
}

// ends are the least and the most that the house can win on a stake of one.
func (o *Odds) ends() (worst, best float64) {
	worst, best = math.Inf(1), math.Inf(-1)
	for _, c := range o.Chances {
		worst, best = min(worst, float(c.House)), max(best, float(c.House))
	}
	return worst, best
}

// Edge is what the house wins per unit staked, in the long run.
func (o *Odds) Edge() float64 { return o.mean / o.turnover }

// Deviation is the standard deviation of the result of one box, per unit of its first stake.
func (o *Odds) Deviation() float64 { return math.Sqrt(o.variance) }

// Skew is the skewness of the result of one box.
func (o *Odds) Skew() float64 { return o.third / math.Pow(o.variance, 1.5) }

// Pair is the correlation of the results on two boxes of one round: 1 where the bank's cards alone decide.
func (o *Odds) Pair() float64 { return o.pair / o.variance }

func float(r *big.Rat) float64 { f, _ := r.Float64(); return f }
