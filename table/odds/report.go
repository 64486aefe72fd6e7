package odds

import (
	"context"
	"fmt"
	"math/big"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Method says how a figure was found.
type Method string

// The methods.
const (
	// Exact: by counting everything that can be dealt.
	Exact Method = "exact"
	// Bounded: the same, except for what was cut off, which is at most Error.
	Bounded Method = "bounded"
	// Simulated: dealt by the engine so many Rounds; Error is the standard error.
	Simulated Method = "simulated"
)

// Query is what is to be worked out.
type Query struct {
	Rules *rules.Rules
	Shoe  Shoe
	// Boxes is how many boxes are played, each by another holder with the same stakes; 0 is one.
	Boxes int
	// Meter is what the jackpot has, in minor units; 0 is its seed.
	Meter money.Amount
	// Told, if set, hears how far the work is.
	Told func(Progress)
}

// Progress is how much of a wager's work is done.
type Progress struct {
	Wager    vocab.Wager
	Done, Of int
}

// Report is what the rules are worth.
type Report struct {
	Query
	// Main is nil for Black James, and James for Black Jack.
	Main  *Main
	James *James
	// Wagers are the main game, insurance, even money, and the side bets in the house's order, without those that the
	// play decides: see Played.
	Wagers []Wager
}

// Wager is what one wager is worth, per unit staked; for the main game per unit of the first stake.
type Wager struct {
	// Name is that of transcripts: main, insurance, even-money or a side bet.
	Name string `json:"name"`
	// Edge is what the house wins, Variance that of the result, and Hit how often the bettor gets more than what was
	// staked.
	Edge     float64 `json:"edge"`
	Variance float64 `json:"variance"`
	Hit      float64 `json:"hit"`
	Method   Method  `json:"method"`
	Error    float64 `json:"error,omitempty"`
	Rounds   int64   `json:"rounds,omitempty"`
	// Lines are those of the paytable, the highest first; of the main game the rules that pay something of their own.
	Lines []Line `json:"lines,omitempty"`
	// BreakEven is the jackpot from which on the bettor has the edge, in minor units; 0 for a wager without one, or one
	// that has it anyway.
	BreakEven money.Amount `json:"break_even,omitempty"`
	// EachUnit is how much the edge falls for each minor unit in the jackpot.
	EachUnit float64 `json:"each_unit,omitempty"`
	// LongRun is the edge of a wager on a jackpot once what was put into it has come back to the bettors; nil for one
	// without.
	LongRun *float64 `json:"long_run,omitempty"`
}

// Line is one way in which a wager pays.
type Line struct {
	Name string `json:"name"`
	// Probability is exact, or nil if it was not counted in integers; P is the same as a number.
	Probability *big.Rat `json:"probability,omitempty"`
	P           float64  `json:"p"`
	// Pays is what it pays, as in the profile.
	Pays string `json:"pays,omitempty"`
	// Worth, of a rule of the main game, is what it takes off the house's edge.
	Worth float64 `json:"worth,omitempty"`
}

// Work works out every wager. It ends early with the context's error.
func Work(ctx context.Context, q Query) (*Report, error) {
	q, err := q.checked()
	if err != nil {
		return nil, err
	}
	if q.Rules.Game == rules.BlackJack && q.Rules.Split.Max != 0 {
		if err := q.Shoe.enough(q.Boxes + 1); err != nil {
			return nil, err
		}
	}
	r := &Report{Query: q}
	if err := r.main(ctx); err != nil {
		return nil, err
	}
	r.Wagers = append(r.Wagers, q.sides()...)
	return r, nil
}

// checked is the query with what it leaves out, or what is wrong with it.
func (q Query) checked() (Query, error) {
	if wrong := q.Rules.Check(); len(wrong) > 0 {
		return q, wrong
	}
	if q.Shoe.Packs > rules.MaxDecks || q.Shoe.Size() > rules.MaxDecks*52 {
		return q, fmt.Errorf("%d packs do not fit a shoe: take 1 to %d", q.Shoe.Packs, rules.MaxDecks)
	}
	q.Shoe = q.Shoe.For(q.Rules)
	if q.Boxes = max(q.Boxes, 1); q.Boxes > rules.MaxBoxes {
		return q, fmt.Errorf("%d boxes do not fit a table: take 1 to %d", q.Boxes, rules.MaxBoxes)
	}
	if err := q.enough(); err != nil {
		return q, err
	}
	if q.Meter == 0 {
		q.Meter = q.Rules.Meter.Seed
	}
	if q.Told == nil {
		q.Told = func(Progress) {}
	}
	return q, nil
}

// enough says whether a hand on each box, and the bank, can be dealt to their ends. How often a box can be split beside
// them is for the main game to say.
func (q Query) enough() error {
	if q.Rules.Game == rules.BlackJames {
		return q.Shoe.enoughForJames(q.Boxes)
	}
	return q.Shoe.enough(q.Boxes)
}

func (r *Report) main(ctx context.Context) (err error) {
	told := func(done, of int) { r.Told(Progress{vocab.WagerMain, done, of}) }
	w := Wager{Name: vocab.WagerMain.String(), Method: Exact}
	var worth Worth
	if r.Rules.Game == rules.BlackJames {
		if r.James, w.Error, err = r.blackJames(ctx, told); err != nil {
			return err
		}
		if worth = r.James.Worth; w.Error > 0 {
			w.Method = Bounded
		}
	} else {
		if r.Main, err = blackJackMain(ctx, r.Rules, &r.Shoe, r.Boxes, told); err != nil {
			return err
		}
		worth = r.Main.Worth
		if w.Lines = r.Main.lines(&r.Shoe); r.Main.Error > 0 {
			w.Method, w.Error = Bounded, r.Main.Error
		}
	}
	w.Edge, w.Variance, w.Hit = 0-worth.Mean, worth.Variance(), worth.Win // 0-0 has no sign, and -0 has
	r.Wagers = append(r.Wagers, w)
	return nil
}

// blackJames is exact for a box alone. Beside others it is what the play is worth if the bank draws in any case; the
// bettor does better where all other boxes are out, but no better than alone.
func (r *Report) blackJames(ctx context.Context, told func(done, of int)) (j *James, bound float64, err error) {
	if j, err = blackJames(ctx, r.Rules, &r.Shoe, false, told); err != nil || r.Boxes == 1 {
		return j, 0, err
	}
	alone := j.Mean
	if j, err = blackJames(ctx, r.Rules, &r.Shoe, true, told); err != nil {
		return nil, 0, err
	}
	return j, alone - j.Mean, nil
}

// lines are the rules of the main game that pay something of their own.
func (m *Main) lines(s *Shoe) (lines []Line) {
	r := m.game.rules
	p := s.points()
	natural := new(big.Rat).SetFrac(big.NewInt(int64(2*p[ace]*p[ten])), falling(p.size(), 2))
	lines = append(lines, Line{
		Name: vocab.WhyBlackJack.String(), Probability: natural, P: float(natural),
		Pays: r.Pays.BlackJack.String(),
	})
	if bonus := r.Pays.BonusBlackJack; bonus != nil {
		with := new(big.Rat).Mul(natural, s.bonusJack())
		lines = append(lines, Line{
			Name: vocab.WhyBonusBlackJack.String(), Probability: with, P: float(with),
			Pays: bonus.String(),
		})
	}
	if r.Insurance.EvenMoney {
		lines = append(lines, m.line(&m.Even, vocab.WhyEvenMoney, r.Pays.EvenMoney.String()))
	}
	if r.Surrender {
		lines = append(lines, m.line(&m.Surrender, vocab.WhySurrender, ""))
	}
	if r.ThreeSevens.Paid {
		lines = append(lines, m.line(&m.Sevens, vocab.WhyThreeSevens, r.Pays.ThreeSevens.String()))
	}
	return lines
}

func (m *Main) line(r *Rule, why vocab.Why, pays string) Line {
	l := Line{Name: why.String(), P: r.P, Pays: pays, Worth: r.Worth}
	if !r.float {
		l.Probability = new(big.Rat).SetFrac(&r.ways, falling(m.game.size, 4))
		l.P = float(l.Probability)
	}
	return l
}

// Sides are insurance, even money and the side bets that the cards alone decide, exactly.
func Sides(q Query) ([]Wager, error) {
	q, err := q.checked()
	if err != nil {
		return nil, err
	}
	return q.sides(), nil
}

func (q Query) sides() []Wager {
	list := q.insured()
	for _, bet := range q.Rules.Offers() {
		if !bet.ByPlay() {
			list = append(list, q.side(bet, Lines(&q.Shoe, bet, sidebet.HandsOpen)))
		}
	}
	return list
}

func float(r *big.Rat) float64 { f, _ := r.Float64(); return f }
