package dealt

import (
	"math"
	"math/big"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Result is what the rounds came to.
type Result struct {
	// Edge is what the house won per unit of the first stake, Variance that of a box's result, and Hit how often a box
	// got more than was staked on it.
	Edge, Variance, Hit float64
	// Error is the standard error of Edge. Boxes of one round share the bank's cards: the round is what counts.
	Error  float64
	Rounds int64
	// Sides are the side bets that the play decides.
	Sides []odds.Wager
	// Ends are how the bank has ended, at a house where it always draws.
	Ends  [odds.Ends]int64
	State *State
}

func (g *game) result(s *State) *Result {
	r := &Result{Rounds: s.Rounds, Ends: s.Ends, State: s}
	if s.Rounds == 0 {
		return r
	}
	boxes := float64(len(g.names))
	mean := mean(s.Won, s.Rounds, s.Unit)
	r.Edge = (0 - mean) / boxes
	r.Variance = max(mean2(s.Squares, s.Rounds, s.Unit)/boxes-r.Edge*r.Edge, 0)
	r.Error = math.Sqrt(max(mean2(s.Together, s.Rounds, s.Unit)-mean*mean, 0)/float64(s.Rounds)) / boxes
	r.Hit = float64(s.Hits) / boxes / float64(s.Rounds)
	for i, bet := range g.bets {
		r.Sides = append(r.Sides, g.played(bet, s.Sides[i], s.Rounds))
	}
	return r
}

func (g *game) played(bet *rules.Offer, s Side, rounds int64) odds.Wager {
	if s.Lines != nil {
		return g.report.PlayedLines(bet, s.Lines, s.Open, rounds)
	}
	return g.report.Played(bet, s.Won, s.Open, rounds)
}

// mean is that of a sum over the rounds, per unit.
func mean(sum *big.Int, rounds, unit int64) float64 {
	f, _ := new(big.Rat).SetFrac(sum, new(big.Int).Mul(big.NewInt(rounds), big.NewInt(unit))).Float64()
	return f
}

// mean2 is that of a sum of squares.
func mean2(sum *big.Int, rounds, unit int64) float64 { return mean(sum, rounds, unit) / float64(unit) }

// Main is the main game as it was dealt.
func (r *Result) Main() odds.Wager {
	return odds.Wager{
		Name: vocab.WagerMain.String(), Edge: r.Edge, Variance: r.Variance, Hit: r.Hit,
		Method: odds.Simulated, Error: r.Error, Rounds: r.Rounds,
	}
}
