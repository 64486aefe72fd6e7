package odds

import (
	"context"
	"fmt"
	"math/big"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// game is the main game of Black Jack with what is left in a shoe.
type game struct {
	rules *rules.Rules
	bank  *drawn
	left  points
	size  int
	// follow is the most hands of a box that are followed, and others how many boxes there are besides.
	follow, others int
	// original says, by the bank's first card, that its Black Jack takes original bets only, and busted that it takes
	// them beside hands that are over 21.
	original, busted [10]bool
	// looks says so of a card under which the dealer looks for a Black Jack.
	looks [10]bool
	// short says that the cards do not last for as many.
	short bool
	// bonusJack is how often a Black Jack is that of jack and ace of spades.
	bonusJack float64
	// What is paid per unit.
	win, blackJack, evenMoney, sevens, bonusPays, many float64
	// suited is how often a Black Jack is of one suit, and suitedPays what that pays.
	suited, suitedPays float64
	// first is how every first hand is played, by the bank's first card, and plans how pairs are split.
	first [10]*box
	plans [10][10]*plan
	work  []float64
}

func newGame(r *rules.Rules, s *Shoe) *game {
	g := &game{
		rules: r, bank: drawsOf(s.bank), left: s.points(), win: ratio(r.Pays.Win),
		blackJack: ratio(r.Pays.BlackJack),
		evenMoney: ratio(r.Pays.EvenMoney), follow: maxHands,
	}
	for up := range g.original {
		// Where the dealer looks for a Black Jack, nothing was doubled or split before it takes the stake.
		looks := up == ace && r.Bank.LooksUnder(card.Ace) || up == ten && r.Bank.LooksUnder(card.Ten)
		g.looks[up] = looks
		g.original[up], g.busted[up] = looks || r.Bank.TakesOriginal(), !looks && r.Bank.TakesBusted()
	}
	g.work = make([]float64, g.bank.longestList())
	g.size = g.left.size()
	if r.ThreeSevens.Paid {
		g.sevens = ratio(r.Pays.ThreeSevens)
	}
	if r.ManyCards != nil {
		g.many = ratio(r.ManyCards.Pays)
	}
	if r.Pays.BlackJackSuited != nil {
		g.suited, g.suitedPays = float(Query{Rules: r, Shoe: *s}.suited()), ratio(*r.Pays.BlackJackSuited)
	}
	if r.Pays.BonusBlackJack != nil {
		g.bonusPays = ratio(*r.Pays.BonusBlackJack)
		g.bonusJack = float(s.bonusJack())
	}
	return g
}

func ratio(r money.Ratio) float64 { return float64(r.Num) / float64(r.Den) }

// bonus is what 7-7-7 brings besides. (Common rule 15.)
func (g *game) bonus(h *combination, split bool) float64 {
	if g.sevens == 0 || !h.threeSevens() || split && !g.rules.ThreeSevens.AfterSplit {
		return 0
	}
	return g.sevens
}

// result is what so many stakes won bring, negative for stakes lost.
func (g *game) result(stakes int) float64 {
	if stakes > 0 {
		return float64(stakes) * g.win
	}
	return float64(stakes)
}

// Main is what the main game of Black Jack is worth under best play.
type Main struct {
	Worth
	// Error bounds how much more the mean can be for boxes that split further than they are followed; 0 if there are
	// none.
	Error float64
	// Surrender, Sevens and Even are what these rules are part of.
	Surrender, Sevens, Even Rule
	game                    *game
}

// Rule is a rule of the main game under best play: how often a box makes use of it, and what that adds to the mean,
// against the next best call or without the bonus.
type Rule struct {
	P, Worth float64
	// ways counts in how many orders of four cards, the bank's first and the box's first three, the rule is made use
	// of; it does not hold those of split hands, of which float says that there are some.
	ways  big.Int
	float bool
}

// add adds what comes with a probability, in so many ways.
func (r *Rule) add(p, worth float64, ways int) {
	r.P += p
	r.Worth += p * worth
	r.ways.Add(&r.ways, big.NewInt(int64(ways)))
}

// blackJackMain works out the main game of one of so many boxes.
func blackJackMain(ctx context.Context, r *rules.Rules, s *Shoe, boxes int, told func(done, of int)) (*Main, error) {
	g := newGame(r, s)
	g.others = boxes - 1
	return g.main(ctx, told)
}

// main works out every first hand and every first card of the bank. It tells how many of those first cards are done.
func (g *game) main(ctx context.Context, told func(done, of int)) (*Main, error) {
	m := &Main{game: g}
	for up := range g.left {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if g.left[up] > 0 {
			g.first[up] = g.box(up, g.left.less(up, 1), false)
			m.against(up)
		}
		told(up+1, len(g.left))
	}
	if g.short && m.Error > mostShort {
		return nil,
			fmt.Errorf("%w: splits can go on for longer than the cards last, which leaves %.1f %% of the edge open; "+
				"list fewer cards as seen, take more packs, or --set split.max=1", ErrFew, 100*m.Error)
	}
	return m, nil
}

// mostShort is how much of the edge few cards may leave open: a bound that is much larger than any rule is worth says
// nothing.
const mostShort = .01

// against adds all first hands against one card of the bank.
func (m *Main) against(up int) {
	g := m.game
	p := float64(g.left[up]) / float64(g.size)
	g.firstHands(up, func(of float64, i int) {
		h := &combinations()[i]
		if h.blackJack() {
			best, even := g.natural(up)
			m.add(p*of, best)
			if even > 0 {
				m.Even.float = m.Even.float || g.suited > 0
				m.Even.add(p*of, even, m.ways(up, h)*(g.size-3))
			}
			return
		}
		calls := g.first[up].at(i)
		m.add(p*of, calls.BestWorth())
		m.use(p*of, up, h, calls)
		m.bound(p*of, up, h, calls)
	})
}

// use notes which rules a first hand makes use of.
func (m *Main) use(p float64, up int, h *combination, calls *Calls) {
	switch calls.Best() {
	case vocab.CallSurrender:
		without := *calls
		without.allowed[vocab.CallSurrender] = false
		m.Surrender.add(p, calls.BestWorth().Mean-without.BestWorth().Mean, m.ways(up, h)*(m.game.size-3))
	case vocab.CallCard, vocab.CallDouble:
		if h.pair() == seven && m.game.sevens > 0 {
			b := m.game.first[up]
			third := float64(b.left[seven]-2) * inverse[b.size-2]
			if b.looks[up] { // and a Black Jack of the bank lets nobody have a third card
				third *= 1 - blackJackAfter(up, &b.left, b.size, h, seven)
				m.Sevens.float = true
			}
			m.Sevens.add(p*third, m.game.sevens, m.ways(up, h)*(b.left[seven]-2))
		}
	case vocab.CallSplit:
		if sevens := m.game.plan(up, h.pair()).sevens; sevens > 0 {
			m.Sevens.add(p*sevens, m.game.sevens, 0)
			m.Sevens.float = true
		}
	}
}

// ways is in how many orders a first hand and the bank's first card can come.
func (m *Main) ways(up int, h *combination) int {
	left := m.game.left.less(up, 1)
	ways := m.game.left[up]
	if pair := h.pair(); pair >= 0 {
		return ways * left[pair] * (left[pair] - 1)
	}
	for value, n := range h.count {
		if n > 0 {
			ways *= left[value]
		}
	}
	return 2 * ways
}

// bound adds how much better than the best call a split can be that is followed further: also of a pair that is better
// not split as far as it is followed.
func (m *Main) bound(p float64, up int, h *combination, calls *Calls) {
	s := &m.game.rules.Split
	if h.pair() == ten && s.ByRank() && s.Allows(ten+1) { // as if any two tens were a pair
		split := m.game.plan(up, ten)
		m.Error += p * max(split.worth.Mean+split.cut-calls.BestWorth().Mean, 0)
	}
	if split, allowed := calls.Of(vocab.CallSplit); allowed {
		if cut := m.game.plan(up, h.pair()).cut; cut > 0 {
			m.Error += p * max(split.Mean+cut-calls.BestWorth().Mean, 0)
		}
	}
}

// firstHands yields the first hands that can lie against a card of the bank, with how likely each is.
func (g *game) firstHands(up int, yield func(p float64, i int)) {
	left := g.left.less(up, 1)
	part := inverse[g.size-1] * inverse[g.size-2]
	for a, first := range left {
		for b := a; b < len(left); b++ {
			n := 2 * first * left[b]
			if a == b {
				n = first * (first - 1)
			}
			if n > 0 {
				yield(float64(n)*part, of(a, b))
			}
		}
	}
}

// natural is what a Black Jack is worth: paid before the bank's second card where that can make none, with even money
// where that is worth more, or a stand-off if the bank has one, too. even is how much more even money is worth;
// negative if it is not. (Common rules 4, 10 and 17.)
func (g *game) natural(up int) (w Worth, even float64) {
	plain, more := g.naturalPaid(up, g.blackJack)
	w.add(1-g.suited, plain)
	even = (1 - g.suited) * more
	if g.suited > 0 {
		suited, more := g.naturalPaid(up, g.suitedPays)
		w.add(g.suited, suited)
		even += g.suited * more
	}
	if g.bonusPays == 0 {
		return w, even
	}
	var with Worth
	with.add(g.bonusJack, certain(g.bonusPays))
	with.add(1-g.bonusJack, w)
	return with, even
}

// naturalPaid is the same of one that pays so much.
func (g *game) naturalPaid(up int, pays float64) (w Worth, even float64) {
	w.add(1-g.both(up), certain(pays))
	if up == ace && g.rules.Insurance.EvenMoney {
		if even = g.evenMoney - w.Mean; even > 0 {
			return certain(g.evenMoney), even
		}
	}
	return w, 0
}

// both is how likely the bank has a Black Jack against one.
func (g *game) both(up int) float64 {
	left := combinations()[of(ace, ten)].left(g.left.less(up, 1))
	switch up {
	case ace:
		return float64(left[ten]) * inverse[g.size-3]
	case ten:
		return float64(left[ace]) * inverse[g.size-3]
	}
	return 0
}

// Call is the best call with the cards of a hand. of is the card that was split, and hands how many hands the box has,
// or card.None and 1 for a box that was not split.
func (m *Main) Call(cards []card.Card, up, split card.Card, hands int) vocab.Call {
	i := none
	for _, c := range cards {
		if i = combinations()[i].next[value(c)]; i == over {
			return vocab.CallRest
		}
	}
	if split == card.None {
		return m.game.first[value(up)].at(i).Best()
	}
	p := m.game.plan(value(up), value(split))
	if pair := combinations()[i].pair(); pair == value(split) && hands < p.hands {
		return vocab.CallSplit
	}
	return p.calls[i]
}

// Again says whether a hand that was best doubled is best doubled once more.
func (m *Main) Again(cards []card.Card, up, split card.Card) bool {
	i := none
	for _, c := range cards {
		i = combinations()[i].next[value(c)]
	}
	if split != card.None {
		return m.game.plan(value(up), value(split)).again[i]
	}
	return m.game.first[value(up)].again[i]
}

// value is what a card counts, as an index.
func value(c card.Card) int { return hand.Points(c.Rank()) - 1 }
