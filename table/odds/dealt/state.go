package dealt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/odds"
)

// State is how far a simulation is, and what its rounds came to. Written as JSON and read again it goes on where it
// was: no round is counted twice.
type State struct {
	// Of is the fingerprint of what is dealt: rules, shoe, boxes, play and seed.
	Of     string `json:"of"`
	Rounds int64  `json:"rounds"`
	// Unit is the stake on each box; amounts are in parts of it.
	Unit int64 `json:"unit"`
	// Won is what the bettors have won together, Squares the sum of the squares of each box's result, and Together that
	// of each round's result.
	Won      *big.Int `json:"won"`
	Squares  *big.Int `json:"squares"`
	Together *big.Int `json:"together"`
	// Hits counts the boxes that got more than was staked on them.
	Hits int64 `json:"hits"`
	// Sides are the side bets that the play decides, in the house's order.
	Sides []Side `json:"sides,omitempty"`
	// Ends are how the bank has ended, at a house where it always draws.
	Ends [odds.Ends]int64 `json:"ends"`
}

// ErrOther is that a state belongs to something else.
var ErrOther = errors.New("the state is of another simulation")

func (g *game) begin() *State {
	return &State{
		Of: g.fingerprint(), Unit: g.unit, Won: new(big.Int), Squares: new(big.Int), Together: new(big.Int),
		Sides: g.noSides(),
	}
}

// noSides are counts of the side bets that the play decides, before a round.
func (g *game) noSides() []Side {
	sides := make([]Side, len(g.bets))
	for i, bet := range g.bets {
		if !bet.OnlyKept() {
			sides[i].Lines = make([]int64, len(bet.Lines()))
		}
	}
	return sides
}

// checked is a copy of a state, if it is one of this game.
func (g *game) checked(s *State) (*State, error) {
	is := g.begin()
	if s == nil {
		return is, nil
	}
	if s.Of != is.Of {
		return nil,
			fmt.Errorf("%w: its rules, shoe, boxes, play or seed are not these; set it aside and begin anew, or ask "+
				"for what it is of", ErrOther)
	}
	if s.Unit != is.Unit || !alike(s.Sides, is.Sides) || !s.possible(int64(len(g.names))) {
		return nil, errDamaged
	}
	return s.clone(), nil
}

// alike says whether counts are of the same side bets.
func alike(a, b []Side) bool {
	return slices.EqualFunc(a, b, func(a, b Side) bool { return len(a.Lines) == len(b.Lines) })
}

var errDamaged = errors.New("the state is damaged: set it aside and begin anew")

// MostRounds is far more than anybody deals, and boxes of it can be counted.
const MostRounds = 1 << 50

// possible says whether rounds can have come to the sums.
func (s *State) possible(boxes int64) bool {
	if s.Rounds < 0 || s.Rounds > MostRounds || s.Rounds%perBatch != 0 || s.Hits < 0 || s.Hits > boxes*s.Rounds ||
		s.Won == nil || s.Squares == nil || s.Together == nil {
		return false
	}
	for _, side := range s.Sides {
		if side.Won < 0 || side.Won > side.Open || side.Open > boxes*s.Rounds || !side.adds() {
			return false
		}
	}
	ended := int64(0)
	for _, n := range s.Ends {
		if n < 0 || n > s.Rounds {
			return false
		}
		ended += n
	}
	if ended != 0 && ended != s.Rounds {
		return false
	}
	// The mean of squares is no less than the square of the mean, over the rounds as over a round's boxes.
	won := new(big.Int).Mul(s.Won, s.Won)
	rounds := new(big.Int).Mul(s.Together, big.NewInt(s.Rounds))
	each := new(big.Int).Mul(s.Squares, big.NewInt(boxes))
	return won.Cmp(rounds) <= 0 && s.Together.Cmp(each) <= 0
}

// adds says whether what the lines won is what was won.
func (s *Side) adds() bool {
	sum := int64(0)
	for _, n := range s.Lines {
		if n < 0 {
			return false
		}
		sum += n
	}
	return s.Lines == nil || sum == s.Won
}

func (s *State) clone() *State {
	c := *s
	c.Won, c.Squares, c.Together = new(big.Int).Set(s.Won), new(big.Int).Set(s.Squares), new(big.Int).Set(s.Together)
	c.Sides = append([]Side(nil), s.Sides...)
	for i := range c.Sides {
		c.Sides[i].Lines = slices.Clone(c.Sides[i].Lines)
	}
	return &c
}

func (s *State) add(other *sums) {
	s.Rounds += other.rounds
	s.Hits += other.hits
	s.Won.Add(s.Won, big.NewInt(other.sum))
	s.Squares.Add(s.Squares, other.squares.big())
	s.Together.Add(s.Together, other.together.big())
	for i, side := range other.sides {
		s.Sides[i].Open += side.Open
		s.Sides[i].Won += side.Won
		for k, n := range side.Lines {
			s.Sides[i].Lines[k] += n
		}
	}
	for end, n := range other.ends {
		s.Ends[end] += n
	}
}

// version changes whenever the same cards would come to other sums.
const version = 1

// fingerprint is a SHA-256 over all that decides what is dealt. Of the play it has the chart and what odds says of it.
func (g *game) fingerprint() string {
	h := sha256.New()
	q := &g.report.Query
	profile, _ := json.Marshal(q.Rules.Profile) // of nothing but values that have a text
	fmt.Fprintf(h, "%d %d %d %s", version, g.seed, q.Boxes, profile)
	for c := range card.All {
		fmt.Fprintf(h, " %d", q.Shoe.Of(c))
	}
	fmt.Fprintf(h, " %d of %d\n", q.Shoe.Of(card.Joker), q.Shoe.Packs)
	w, chart := g.worth()
	fmt.Fprintf(h, "%.7f %.7f\n", w.Mean, w.Win)
	for _, row := range chart.Rows {
		for i := range row.Cells {
			fmt.Fprintf(h, "%d ", row.Cells[i].Best)
		}
	}
	for _, e := range chart.Exceptions {
		fmt.Fprintf(h, "%s %s %d ", e.Hand, e.Bank, e.Call)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (g *game) worth() (odds.Worth, odds.Chart) {
	if g.report.James != nil {
		return g.report.James.Worth, g.report.James.Chart()
	}
	return g.report.Main.Worth, g.report.Main.Chart()
}
