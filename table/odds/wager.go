package odds

import (
	"math"
	"math/big"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// sum adds up the ends of a wager.
type sum struct{ mean, square, hit big.Rat }

// add adds what the bettor wins on a stake of one, with its probability.
func (s *sum) add(p, won *big.Rat) {
	part := new(big.Rat).Mul(p, won)
	s.mean.Add(&s.mean, part)
	s.square.Add(&s.square, new(big.Rat).Mul(part, won))
	if won.Sign() > 0 {
		s.hit.Add(&s.hit, p)
	}
}

func (s *sum) wager(name string) Wager {
	variance := new(big.Rat).Mul(&s.mean, &s.mean)
	variance.Sub(&s.square, variance)
	return Wager{Name: name, Method: Exact, Edge: -float(&s.mean), Variance: float(variance), Hit: float(&s.hit)}
}

func fraction(r money.Ratio) *big.Rat { return big.NewRat(r.Num, r.Den) }

var lost = big.NewRat(-1, 1)

// insured are insurance, for a bettor who does not look at the cards on the table, and even money against waiting for the bank.
func (q Query) insured() (list []Wager) {
	if q.Rules.Game != rules.BlackJack {
		return nil
	}
	p := q.Shoe.points()
	size := int64(p.size())
	if p[ace] == 0 {
		return nil
	}
	pays, in := q.Rules.Pays, q.Rules.Insurance
	if in.Offered {
		bank := big.NewRat(int64(p[ten]), size-1)
		var s sum
		s.add(bank, fraction(pays.Insurance))
		s.add(rest(bank), lost)
		w := s.wager(vocab.WagerInsurance.String())
		w.Lines = []Line{{Name: vocab.WhyBankBlackJack.String(), Probability: bank, P: float(bank), Pays: pays.Insurance.String()}}
		list = append(list, w)
	}
	if in.EvenMoney && p[ace] > 1 && p[ten] > 0 {
		list = append(list, q.evenMoney(p))
	}
	return list
}

// evenMoney is what a bettor gives away who takes even money rather than wait: the sure win against the mean of waiting.
func (q Query) evenMoney(p points) Wager {
	both := big.NewRat(int64(p[ten]-1), int64(p.size()-3))
	waiting := new(big.Rat).Mul(rest(both), fraction(q.Rules.Pays.BlackJack))
	even := fraction(q.Rules.Pays.EvenMoney)
	edge := new(big.Rat).Sub(waiting, even)
	return Wager{
		Name: vocab.WhyEvenMoney.String(), Method: Exact, Edge: float(edge), Hit: 1,
		Lines: []Line{{Name: vocab.WhyEvenMoney.String(), Probability: big.NewRat(1, 1), P: 1, Pays: q.Rules.Pays.EvenMoney.String()}},
	}
}

// side is a side bet whose lines come with these probabilities.
func (q Query) side(bet sidebet.Bet, p map[sidebet.Line]*big.Rat) Wager {
	offer := q.Rules.Offer(bet)
	var s sum
	var lines []Line
	for _, line := range bet.Lines() {
		prize := offer.Prize(line)
		if prize == (rules.Prize{}) {
			continue
		}
		of := p[line]
		if of == nil {
			of = new(big.Rat)
		}
		s.add(of, q.pays(offer, prize))
		lines = append(lines, Line{Name: line.String(), Probability: of, P: float(of), Pays: prize.String()})
	}
	if none := p[0]; none != nil {
		s.add(none, lost)
	}
	w := q.shared(bet, &s, lines)
	w.Lines = lines
	return w
}

// pays is what a line brings on a stake of one. A prize that is an amount is paid on the least stake: such bets have no other.
func (q Query) pays(offer *rules.Offer, prize rules.Prize) *big.Rat {
	switch {
	case prize.Jackpot:
		return big.NewRat(q.Meter, offer.Least)
	case prize.Amount != 0:
		return big.NewRat(prize.Amount, offer.Least)
	}
	return fraction(prize.Odds)
}

// shared takes into account that several boxes share a jackpot, and what the others get then.
func (q Query) shared(bet sidebet.Bet, s *sum, lines []Line) Wager {
	if !bet.Jackpot() || q.Rules.Jackpot == nil {
		return s.wager(bet.String())
	}
	offer := q.Rules.Offer(bet)
	all := lines[0].Probability
	sh := q.Shoe.sharing(q.Boxes)
	w := s.wager(bet.String())
	// What the stake gets less of the jackpot, and more as envy.
	less := new(big.Rat).Mul(new(big.Rat).Sub(all, sh.part), big.NewRat(q.Meter, offer.Least))
	more := new(big.Rat).Mul(sh.envy, big.NewRat(q.Rules.Meter.Envy, offer.Least))
	w.Edge += float(less) - float(more)
	w.EachUnit = float(sh.part) / float64(offer.Least)
	if w.EachUnit > 0 {
		if meter := float64(q.Meter) + w.Edge/w.EachUnit; meter > 0 {
			w.BreakEven = money.Amount(math.Ceil(meter))
		}
	}
	return w
}

// Played is a side bet that the holder's play decides, too: kept is how often a box on which the cards have left it open does not lose, from
// so many boxes that the engine dealt. The cards' part of it is exact.
func (q Query) Played(bet sidebet.Bet, won, open, rounds int64) Wager {
	kept := big.NewRat(won, max(open, 1))
	p := Lines(&q.Shoe, bet, sidebet.HandsKept)
	lost := big.NewRat(1, 1)
	for line := range p {
		if line != 0 {
			p[line].Mul(p[line], kept)
			lost.Sub(lost, p[line])
		}
	}
	p[0] = lost
	w := q.side(bet, p)
	for i := range w.Lines {
		w.Lines[i].Probability = nil
	}
	k := float(kept)
	w.Method, w.Rounds = Simulated, rounds
	w.Error = math.Abs(1-w.Edge) * math.Sqrt((1-k)/k/float64(max(open, 1)))
	return w
}
