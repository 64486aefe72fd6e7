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

// side is a side bet whose lines come with these probabilities.
func (q Query) side(bet *rules.Offer, p map[sidebet.Line]*big.Rat) Wager {
	switch {
	case !bet.Jackpot() || q.Rules.Jackpot == nil:
	case bet.Bet == sidebet.Progressive:
		return q.progressive(bet, p)
	default:
		return q.metered(bet, p)
	}
	var s sum
	for line, of := range p {
		s.add(of, q.won(bet, line))
	}
	w := s.wager(bet.Bet.String())
	w.Lines = q.lines(bet, p)
	return w
}

// lines are those of the paytable.
func (q Query) lines(bet *rules.Offer, p map[sidebet.Line]*big.Rat) (lines []Line) {
	for _, line := range bet.Lines() {
		prize := bet.Prize(line)
		if prize == (rules.Prize{}) {
			continue
		}
		of := p[line]
		if of == nil {
			of = new(big.Rat)
		}
		lines = append(lines, Line{
			Name: line.String(), Probability: of, P: float(of),
			Pays: prize.Text(q.Rules.Digits()),
		})
	}
	return lines
}

// won is what a line brings on a stake of one, or that none does.
func (q Query) won(bet *rules.Offer, line sidebet.Line) *big.Rat {
	if line == "" {
		return lost
	}
	return q.pays(bet, bet.Prize(line))
}

// pays is what a line brings on a stake of one. A prize that is an amount is paid on the least stake: such bets have no
// other.
func (q Query) pays(offer *rules.Offer, prize rules.Prize) *big.Rat {
	switch {
	case prize.Jackpot:
		return new(big.Rat).Mul(ofMeter(prize), big.NewRat(q.Meter, offer.Least))
	case prize.Amount != 0:
		return big.NewRat(prize.Amount, offer.Least)
	}
	return fraction(prize.Odds)
}

// ofMeter is how much of the jackpot a prize is.
func ofMeter(prize rules.Prize) *big.Rat {
	if prize.Part.Den == 0 {
		return big.NewRat(1, 1)
	}
	return big.NewRat(prize.Part.Num, prize.Part.Den)
}

// metered is a bet on a jackpot of which lines win all or a part, for one box: beside others it is shared with who wins
// the same line, which takes a little more from the bettor.
func (q Query) metered(bet *rules.Offer, p map[sidebet.Line]*big.Rat) Wager {
	var s sum
	of := new(big.Rat) // the mean part of the jackpot that a stake brings
	for line, likely := range p {
		s.add(likely, q.won(bet, line))
		if prize := bet.Prize(line); prize.Jackpot {
			of.Add(of, new(big.Rat).Mul(likely, ofMeter(prize)))
		}
	}
	w := s.wager(bet.Bet.String())
	w.Lines = q.lines(bet, p)
	q.meter(&w, float(of), bet.Least)
	return w
}

// progressive is a bet on a jackpot: several boxes share it, and those who do not win it get the envy prize when
// another box does.
func (q Query) progressive(bet *rules.Offer, p map[sidebet.Line]*big.Rat) Wager {
	least, meter := bet.Least, q.Rules.Meter
	sh := q.Shoe.sharing(q.Boxes)
	envied := map[sidebet.Line]*big.Rat{}
	if q.Boxes > 1 {
		envied = q.Shoe.envied(bet, q.Boxes)
	}
	envy := big.NewRat(meter.Envy, least)
	var s sum
	for line, of := range p {
		if line == sidebet.Jackpot {
			for n, with := range sh.winners[1:] {
				s.add(with, big.NewRat(q.Meter, least*int64(n+1)))
			}
			continue
		}
		won, also := q.won(bet, line), envied[line]
		if also == nil {
			also = new(big.Rat)
		}
		s.add(also, new(big.Rat).Add(won, envy))
		s.add(new(big.Rat).Sub(of, also), won)
	}
	w := s.wager(bet.Bet.String())
	if w.Lines = q.lines(bet, p); q.Boxes > 1 {
		w.Lines = append(w.Lines, Line{
			Name: vocab.WhyEnvy.String(), Probability: sh.envy, P: float(sh.envy),
			Pays: rules.Money(meter.Envy).Text(q.Rules.Digits()),
		})
	}
	q.meter(&w, float(sh.part), least)
	return w
}

// meter says how a wager depends on the jackpot, of which a stake brings a mean part.
func (q Query) meter(w *Wager, part float64, least money.Amount) {
	w.EachUnit = part / float64(least)
	if w.EachUnit > 0 {
		if even := float64(q.Meter) + w.Edge/w.EachUnit; even > 0 {
			w.BreakEven = money.Amount(math.Ceil(even))
		}
	}
	w.LongRun = q.longRun(w, least)
}

// longRun is what the house keeps of a progressive stake in the end. What goes into the jackpot comes back to the
// bettors when it is won; the house itself pays what it begins with, its seed.
func (q Query) longRun(w *Wager, least money.Amount) *float64 {
	fed, _ := money.Share(least, q.Rules.Meter.Feeds, 1, money.Down) // as the table feeds it
	keeps := w.Edge + w.EachUnit*float64(q.Meter-q.Rules.Meter.Seed) - float64(fed)/float64(least)
	return &keeps
}

// Played is a side bet that the holder's play decides, too: kept is how often a box on which the cards have left it
// open does not lose, from so many boxes that the engine dealt. The cards' part of it is exact.
func (q Query) Played(bet *rules.Offer, won, open, rounds int64) Wager {
	kept := big.NewRat(won, max(open, 1))
	p := Lines(&q.Shoe, bet, sidebet.HandsKept)
	all := 0. // what comes back of a stake on a box that is always kept
	lost := big.NewRat(1, 1)
	for line := range p {
		if line != "" {
			all += float(p[line]) * (1 + float(q.won(bet, line)))
			p[line].Mul(p[line], kept)
			lost.Sub(lost, p[line])
		}
	}
	p[""] = lost
	w := q.side(bet, p)
	for i := range w.Lines {
		w.Lines[i].Probability = nil
	}
	n := float64(max(open, 1))
	k := min(max(float(kept), 1/(n+1)), n/(n+1)) // a few boxes that are all kept, or all lost, leave it open, too
	w.Method, w.Rounds = Simulated, rounds
	w.Error = all * math.Sqrt(k*(1-k)/n)
	return w
}

// PlayedLines is a side bet of which the play decides which line wins: won is how often each did, on so many boxes that
// the engine dealt.
func (q Query) PlayedLines(bet *rules.Offer, won []int64, boxes, rounds int64) Wager {
	p, lost := map[sidebet.Line]*big.Rat{}, big.NewRat(1, 1)
	for i, line := range bet.Lines() {
		p[line] = big.NewRat(won[i], max(boxes, 1))
		lost.Sub(lost, p[line])
	}
	p[""] = lost
	w := q.side(bet, p)
	for i := range w.Lines {
		w.Lines[i].Probability = nil
	}
	w.Method, w.Rounds = Simulated, rounds
	w.Error = math.Sqrt(w.Variance / float64(max(boxes, 1)))
	return w
}
