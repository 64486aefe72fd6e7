package luck

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Play is what the engine dealt of a house under one strategy, three boxes a round with one unit on each. In Black
// James the bank draws less for one box alone, which then does a little better; elsewhere the number of boxes changes
// nothing.
type Play struct {
	Rounds int64  `json:"rounds"`
	Seed   uint64 `json:"seed"`
	// Ends count the boxes by what was staked on them and what came back.
	Ends []End `json:"ends"`
	// House is the sum of the products of the first two boxes' results, in hundredths of a unit each; Staked that of
	// what was staked on them.
	House  int64 `json:"house"`
	Staked int64 `json:"staked"`
	// Sides are the side bets that the holder's play decides too.
	Sides []SidePlay `json:"sides,omitempty"`
}

// End counts the boxes that ended alike; amounts are in hundredths of the first stake.
type End struct {
	Staked int64 `json:"staked"`
	Back   int64 `json:"back"`
	Boxes  int64 `json:"boxes"`
}

// SidePlay counts, over all boxes, how often the cards left a bet to the play, 0 for one of which that decides more
// than whether it is kept, and how often it was won.
type SidePlay struct {
	Bet  sidebet.Bet `json:"bet"`
	Open int64       `json:"open"`
	Won  int64       `json:"won"`
	// House is as in Play.
	House int64 `json:"house"`
}

// unit is the stake on each box: a Black Jack at 6:5 and half a stake come out even.
const unit = 1000

// boxes are played in each round.
const boxes = 3

var names = [boxes]string{"a", "b", "c"}

// Simulate deals rounds of a house with the engine, each from a fresh shuffle.
func Simulate(r *rules.Rules, play dealt.Strategy, rounds int, seed uint64) (Play, error) {
	d := newDealer(r, play, seed)
	d.Fresh = true
	p := Play{Rounds: int64(rounds), Seed: seed}
	var stakes []vocab.Input
	for i, name := range names {
		stakes = append(stakes, dealt.Stake(i+1, name, vocab.WagerMain, unit))
	}
	for _, bet := range r.Offers() {
		if bet.ByPlay() {
			p.Sides = append(p.Sides, SidePlay{Bet: bet.Bet})
			for i, name := range names {
				stakes = append(stakes, dealt.Stake(i+1, name, vocab.SideWager(bet.Bet), unit))
			}
		}
	}
	ends := map[[2]int64]int64{}
	for range rounds {
		one := round{sides: map[vocab.Wager]*[boxes + 1]int64{}}
		for _, s := range p.Sides {
			one.sides[vocab.SideWager(s.Bet)] = &[boxes + 1]int64{}
		}
		if err := d.Deal(stakes, one.hear); err != nil {
			return p, err
		}
		p.count(d.Table(), &one, ends)
	}
	for _, end := range slices.SortedFunc(maps.Keys(ends), func(a, b [2]int64) int {
		return slices.Compare(a[:], b[:])
	}) {
		p.Ends = append(p.Ends, End{end[0], end[1], ends[end]})
	}
	return p, nil
}

// newDealer is a dealer of a house whose guests play by a strategy.
func newDealer(r *rules.Rules, play dealt.Strategy, seed uint64) *dealt.Dealer {
	shoe := odds.Full(r)
	return dealt.NewDealer(r, &shoe, play.Play, rand.New(rand.NewPCG(seed, 21)))
}

// round is what became of the boxes, by number.
type round struct {
	staked, back [boxes + 1]int64
	sides        map[vocab.Wager]*[boxes + 1]int64
}

func (o *round) hear(out *vocab.Output) {
	switch out.Kind {
	case vocab.Settled, vocab.Bonus:
		if out.Wager != vocab.WagerMain {
			o.sides[out.Wager][out.Box] += out.Returned + out.Won
			return
		}
		if out.Kind == vocab.Settled {
			o.staked[out.Box] += out.Stake
		}
		o.back[out.Box] += out.Returned + out.Won
	}
}

func (p *Play) count(t *table.Table, o *round, ends map[[2]int64]int64) {
	for box := 1; box <= boxes; box++ {
		ends[[2]int64{o.staked[box] * 100 / unit, o.back[box] * 100 / unit}]++
	}
	result := func(box int) int64 { return (o.staked[box] - o.back[box]) * 100 / unit }
	p.House += result(1) * result(2)
	p.Staked += o.staked[1] * o.staked[2] * 100 / unit * 100 / unit
	for i := range p.Sides {
		s := &p.Sides[i]
		back := o.sides[vocab.SideWager(s.Bet)]
		for box := 1; box <= boxes; box++ {
			if bet := t.Rules().Offer(s.Bet); bet.OnlyKept() && t.KeptLine(box, bet) != "" {
				s.Open++
			}
			if back[box] > 0 {
				s.Won++
			}
		}
		s.House += (unit - back[1]) * 100 / unit * ((unit - back[2]) * 100 / unit)
	}
}

// main is the main game as it was dealt.
func (p *Play) main() *Odds {
	o := &Odds{Wager: "main", How: Dealt}
	all := boxes * p.Rounds
	var staked, squares float64
	results := map[int64]int64{}
	for _, e := range p.Ends {
		results[e.Staked-e.Back] += e.Boxes
		staked += float64(e.Boxes) * float64(e.Staked) / 100
		squares += float64(e.Boxes) * float64(e.Staked) * float64(e.Staked) / 1e4
	}
	for _, result := range slices.Sorted(maps.Keys(results)) {
		o.Chances = append(o.Chances, Chance{"", big.NewRat(result, 100), big.NewRat(results[result], all)})
	}
	o.turnover, o.square = staked/float64(all), squares/float64(all)
	o.cross = float64(p.Staked) / 1e4 / float64(p.Rounds)
	o.finish()
	o.pair = float64(p.House)/1e4/float64(p.Rounds) - o.mean*o.mean
	o.Error = stderr(o, p.Rounds)
	return o
}

// stderr is the standard error of an edge from so many rounds.
func stderr(o *Odds, rounds int64) float64 {
	return sqrt((o.variance+(boxes-1)*o.pair)/boxes/float64(rounds)) / o.turnover
}

// side is a side bet that the play decides too: the cards' part of it is exact, and the play's part as dealt.
func (p *Play) side(r *rules.Rules, bet *rules.Offer) *Odds {
	i := slices.IndexFunc(p.Sides, func(s SidePlay) bool { return s.Bet == bet.Bet })
	if i < 0 || p.Sides[i].Open == 0 || !bet.OnlyKept() {
		return nil // nor is there anything to compare with where the play decides more
	}
	s := p.Sides[i]
	kept := big.NewRat(s.Won, s.Open)
	shoe := odds.Full(r)
	lines := odds.Lines(&shoe, bet, sidebet.HandsKept)
	lost := big.NewRat(1, 1)
	for line, chance := range lines {
		if line != "" {
			lines[line] = new(big.Rat).Mul(chance, kept)
			lost.Sub(lost, lines[line])
		}
	}
	lines[""] = lost
	o := chances(r, bet, lines).finish()
	o.How = Dealt
	o.pair = float64(s.House)/1e4/float64(p.Rounds) - o.mean*o.mean
	k := float(kept)
	o.Error = (1 - o.mean) * sqrt((1-k)/k/float64(s.Open))
	return o
}
