package luck

import "math"

// Sum is what was staked on one wager in many rounds, and what came back. All of it adds up: the sums of two nights, or
// of two tables of one house, are those of both together.
type Sum struct {
	// Rounds are those with such a wager.
	Rounds int64
	// Staked and Returned are in minor units, raised stakes with them; wagers without an entered amount are left out.
	Staked, Returned int64
	// BoxSquares is the sum, over the rounds and their boxes, of the square of what was staked on the box; RoundSquares
	// that of the square of what was staked in the round. Both are in minor units, squared.
	BoxSquares, RoundSquares float64
}

// Add adds the sums of other rounds.
func (s Sum) Add(o Sum) Sum {
	return Sum{
		s.Rounds + o.Rounds, s.Staked + o.Staked, s.Returned + o.Returned,
		s.BoxSquares + o.BoxSquares, s.RoundSquares + o.RoundSquares,
	}
}

// Won is the house's result, in minor units.
func (s Sum) Won() int64 { return s.Staked - s.Returned }

// Round adds a round by what was staked on each box, and what came back in all.
func (s Sum) Round(returned int64, boxes ...int64) Sum {
	one := Sum{Rounds: 1, Returned: returned}
	for _, staked := range boxes {
		one.Staked += staked
		one.BoxSquares += float64(staked) * float64(staked)
	}
	one.RoundSquares = float64(one.Staked) * float64(one.Staked)
	if one.Staked == 0 {
		one.Rounds = 0
	}
	return s.Add(one)
}

// differ says that stakes differ so much, by more than a fifth between rounds, that the results of bets do not lie a
// stake apart. Stakes on the boxes of a round differ where they amount to no whole number of boxes; where the bank's
// cards alone decide, a round is one bet.
func (o *Odds) differ(s Sum) bool {
	all := float64(s.Staked)
	if float64(s.Rounds)*s.RoundSquares > 1.05*all*all {
		return true
	}
	box, table := s.squares()
	boxes := table / max(box, 1)
	return o.Pair() < .5 && math.Abs(boxes-math.Round(boxes)) > .1
}

// squares are the sums of squares. Where the second is unknown, each round is taken as one box and all rounds as alike.
func (s Sum) squares() (box, table float64) {
	if s.RoundSquares == 0 && s.Rounds > 0 {
		even := float64(s.Staked) * float64(s.Staked) / float64(s.Rounds)
		return even, even
	}
	return min(s.BoxSquares, s.RoundSquares), s.RoundSquares
}

// spread is what luck makes of a sum: the mean and the variance of the house's result, and so many independent bets of
// one unit each, scaled, which have both.
type spread struct {
	mean, variance float64
	bets           int64
	// scale is what a unit of those bets is worth, in minor units.
	scale float64
}

func (o *Odds) spread(s Sum) spread {
	box, table := s.squares()
	first := float64(s.Staked) / o.turnover // the first stakes
	var p spread
	p.mean = first * o.mean
	p.variance = box/o.square*o.variance + (table-box)/o.cross*o.pair
	if p.variance <= 0 || first <= 0 {
		return p
	}
	p.bets = max(1, int64(math.Round(first*first*o.variance/p.variance)))
	p.scale = math.Sqrt(p.variance / (float64(p.bets) * o.variance))
	return p
}
