package dealt

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// game is what is dealt: the rules at a table that takes any stake, and the stakes of each round.
type game struct {
	report *odds.Report
	rules  *rules.Rules
	unit   int64 // the stake on each box
	bets   []*rules.Offer
	names  []string // the bettors, by box
	stakes []vocab.Input
	seed   uint64
}

// mostUnit is the largest stake that is taken so that payouts come out even.
const mostUnit = 1_000_000

func newGame(report *odds.Report, seed uint64) (*game, error) {
	unit, err := evenStake(report.Rules)
	if err != nil {
		return nil, err
	}
	g := &game{report: report, rules: anyStake(report.Query, unit), unit: unit, seed: seed}
	for _, bet := range g.rules.Offers() {
		if bet.ByPlay() {
			*bet = freed(bet, unit)
			g.bets = append(g.bets, bet)
		}
	}
	for box := 1; box <= report.Boxes; box++ {
		name := fmt.Sprintf("box %d", box)
		g.names = append(g.names, name)
		g.stakes = append(g.stakes, Stake(box, name, vocab.WagerMain, unit))
		for _, bet := range g.bets {
			g.stakes = append(g.stakes, Stake(box, name, vocab.SideWager(bet.Bet), unit))
		}
	}
	return g, nil
}

// evenStake is the least stake on which all of a house's payouts of what is dealt come out even.
func evenStake(r *rules.Rules) (int64, error) {
	p := &r.Pays
	unit := int64(2) // for half a stake that comes back from a surrender
	pays := []money.Ratio{p.Win, p.BlackJack, p.EvenMoney, p.ThreeSevens, p.FiveCardTrick}
	if p.BonusBlackJack != nil {
		pays = append(pays, *p.BonusBlackJack)
	}
	if p.BlackJackSuited != nil {
		pays = append(pays, *p.BlackJackSuited)
	}
	if r.ManyCards != nil {
		pays = append(pays, r.ManyCards.Pays)
	}
	for _, bet := range r.Offers() {
		for _, line := range bet.Lines() {
			if odds := bet.Prize(line).Odds; bet.ByPlay() && odds.Den != 0 {
				pays = append(pays, odds)
			}
		}
	}
	for _, ratio := range pays {
		unit = unit / common(unit, ratio.Den) * ratio.Den
		if unit > mostUnit {
			return 0,
				fmt.Errorf("the odds that the house pays come out even together only on a stake above %d, and %s is "+
					"one of them: write odds such as 3:2", mostUnit, ratio)
		}
	}
	return unit, nil
}

func common(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// anyStake are the rules at a table that takes the stake and rounds nothing, with the cards of the query.
func anyStake(q odds.Query, unit int64) *rules.Rules {
	r := rules.Of(q.Rules.Profile, q.Rules.Text(), q.Rules.Fingerprint)
	r.Play.LoneTwoBoxes = false
	r.Cards.Source = rules.Shuffler // the cards go back after each round
	r.Cards.Decks, r.Cards.Jokers = q.Shoe.Packs, max(r.Cards.Jokers, q.Shoe.Of(card.Joker))
	r.Table.Boxes = max(r.Table.Boxes, q.Boxes)
	r.Table.Unit, r.Table.Min, r.Table.BoxMax = 1, 1, unit
	r.Profile.Table.Step, r.Profile.Table.Bettors = nil, nil
	return r
}

// freed is a side bet on which any guest may stake so much.
func freed(o *rules.Offer, unit int64) rules.Offer {
	free := *o
	free.Least, free.Most, free.Step, free.BoxMost = 1, unit, 1, 0
	free.Bettors, free.OnePerBettor, free.UpToStake = rules.Anybody, false, false
	return free
}

// shard deals batches, one at a time.
type shard struct {
	*game
	*Dealer
	pcg   *rand.PCG
	order []card.Card // the cards before the first round of a batch
	won   []int64     // each box's result in a round, by number from 1
	*sums
}

func (g *game) shard() *shard {
	pcg := rand.NewPCG(0, 0)
	d := NewDealer(g.rules, &g.report.Shoe, best(g.report), rand.New(pcg))
	d.Fresh = true
	if g.report.Main != nil && g.report.Main.Even.P > 0 {
		d.Insure = (&evenMoney{table: d.Table(), rules: g.rules, names: g.names}).next
	}
	return &shard{game: g, Dealer: d, pcg: pcg, order: inOrder(&g.report.Shoe), won: make([]int64, len(g.names)+1)}
}

// perBatch is how many rounds are dealt with one chance.
const perBatch = 1000

// batch deals one batch and adds it to sums.
func (s *shard) batch(number uint64, to *sums) error {
	s.pcg.Seed(mixed(s.seed, number, 1), mixed(s.seed, number, 2))
	copy(s.cards, s.order)
	s.sums = to
	for range perBatch {
		if err := s.Deal(s.stakes, nil); err != nil {
			return err
		}
		if err := s.count(); err != nil {
			return err
		}
	}
	return nil
}

// mixed makes chance of three numbers: neighbours have nothing in common. (SplitMix64)
func mixed(numbers ...uint64) (x uint64) {
	for _, n := range numbers {
		x += n + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// count adds the round that was dealt.
func (s *shard) count() error {
	clear(s.won)
	decided := s.table.Decided()
	for i := range decided {
		out := &decided[i]
		switch {
		case out.Rounded:
			return fmt.Errorf("dealing %s: a payout of %s on %d was rounded", s.game.rules.House, out.Why, out.Stake)
		case out.Wager == vocab.WagerMain && out.Kind == vocab.Bonus:
			s.won[out.Box] += out.Won
		case out.Wager == vocab.WagerMain:
			s.won[out.Box] += out.Returned + out.Won - out.Stake
		case out.Won > 0:
			s.kept(out)
		}
	}
	s.round(s.won[1:])
	if len(s.bets) > 0 {
		s.left()
	}
	if s.report.Main != nil && s.game.rules.Bank.Draws == rules.DrawsAlways {
		s.bank(s.table.Bank())
	}
	return nil
}

// kept counts a side bet that was won.
func (s *shard) kept(out *vocab.Output) {
	for i, bet := range s.bets {
		if out.Wager != vocab.SideWager(bet.Bet) {
			continue
		}
		side := &s.sides[i]
		side.Won++
		if side.Lines != nil {
			side.Lines[slices.Index(bet.Lines(), sidebet.Line(out.Why))]++
		}
	}
}

// left counts the boxes on which the cards have left side bets to the play.
func (s *shard) left() {
	for i, bet := range s.bets {
		if s.sides[i].Lines != nil {
			s.sides[i].Open += int64(len(s.names))
			continue
		}
		for box := range s.names {
			if s.table.KeptLine(box+1, bet) != "" {
				s.sides[i].Open++
			}
		}
	}
}
