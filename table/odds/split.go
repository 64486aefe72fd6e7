package odds

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// maxHands is the most hands that are followed where the house sets no limit.
const maxHands = 8

// plan is how a pair is split against a first card of the bank.
type plan struct {
	// hands is to how many hands the box splits.
	hands int
	// calls are those of a hand by its combination, 0 for one that cannot be.
	calls []vocab.Call
	// worth is that of the whole box. Its Square takes the hands as independent of each other once the bank's end is known.
	worth Worth
	// cut bounds what boxes of more hands than maxHands can add to or take from the mean.
	cut float64
}

// plan works out how to split a pair.
func (g *game) plan(up, pair int) *plan {
	if p := g.plans[up][pair]; p != nil {
		return p
	}
	p := &plan{calls: make([]vocab.Call, len(combinations))}
	g.plans[up][pair] = p
	best := g.box(up, g.left.less(up, 1).less(pair, 1), true)
	p.learn(best, pair)
	s := g.splitting(up, pair, p.calls)
	for hands := 2; hands <= g.mostHands(pair); hands++ {
		if worth, cut := s.worth(g, hands); hands == 2 || worth.Mean > p.worth.Mean {
			p.hands, p.worth, p.cut = hands, worth, 0
			if hands == maxHands && g.rules.Split.Max == rules.Unlimited {
				p.cut = cut
			}
		}
	}
	return p
}

// mostHands is how many hands a box may have after splitting a pair. (Rule "splits per box" of each house.)
func (g *game) mostHands(pair int) int {
	switch most := g.rules.Split.Max; {
	case pair == ace && !g.rules.Split.AcesAgain:
		return 2
	case most == rules.Unlimited || most >= maxHands:
		return maxHands
	default:
		return most + 1
	}
}

// learn keeps the best calls of every hand that the split can come to. A split ace gets one card. (Common rule 13.)
func (p *plan) learn(b *box, pair int) {
	var follow func(i int)
	follow = func(i int) {
		if i == over || p.calls[i] != 0 {
			return
		}
		p.calls[i] = vocab.CallRest
		if pair != ace {
			p.calls[i] = b.at(i).Best()
		}
		if p.calls[i] == vocab.CallCard {
			for _, next := range combinations[i].next {
				follow(next)
			}
		}
	}
	for _, second := range combinations[of(pair)].next {
		follow(second)
	}
}

// splitting is what one of the hands is worth on the average, for each number of cards that the other hands have taken.
type splitting struct {
	// pairs and size are the cards of the pair's value, and all cards, that are left when the pair lies.
	pairs, size int
	// other is a hand whose second card is of another value, and same one whose second card is of the same value and that is not
	// split again: by how many cards of the value lie besides the pair, and then by how many others lie. Those others are cards of
	// other hands that are known for nothing else than not having the value.
	other, same [][]byEnd
	bank        Spread
}

func (g *game) splitting(up, pair int, calls []vocab.Call) *splitting {
	left := g.left.less(up, 1).less(pair, 2)
	s := &splitting{pairs: left[pair], size: left.size(), bank: spread(up, &left, g.work)}
	most := 2*g.mostHands(pair) - 1
	first := &combinations[of(pair)]
	for taken := 0; taken <= min(most, s.pairs); taken++ {
		// A hand has one card of the pair itself. One whose second is of the value, too, has one of those taken.
		f := g.follower(up, left.less(pair, taken-1), calls)
		var other byEnd
		all := 0
		for value, next := range first.next {
			if n := left[value]; value != pair && n > 0 {
				other.add(float64(n), f.at(next))
				all += n
			}
		}
		var mean byEnd
		if all > 0 {
			mean.add(1/float64(all), &other)
		}
		s.other = append(s.other, []byEnd{mean})
		var same byEnd
		if taken > 0 {
			same = *g.follower(up, left.less(pair, taken-2), calls).at(first.next[pair])
		}
		s.same = append(s.same, []byEnd{same})
	}
	s.widen(s.other, most, 1)
	s.widen(s.same, most, 0)
	return s
}

// widen works out each further card of another value that lies with other hands. Before it is seen, it is of the value or not: what the
// hand is worth before is the mean of both, so that each follows from the two others. own is how many such cards the hand itself has.
func (s *splitting) widen(worth [][]byEnd, most, own int) {
	for taken := len(worth) - 1; taken >= 0; taken-- {
		for others := 0; taken+others < most; others++ {
			again := s.again(taken, others+own)
			if again >= 1 || again > 0 && (taken == len(worth)-1 || others >= len(worth[taken+1])) {
				break
			}
			next := worth[taken][others]
			if again > 0 {
				next = byEnd{}
				next.add(1/(1-again), &worth[taken][others])
				next.add(-again/(1-again), &worth[taken+1][others])
			}
			worth[taken] = append(worth[taken], next)
		}
	}
}

// again is how likely the next card has the pair's value, after so many taken and others.
func (s *splitting) again(taken, others int) float64 {
	if taken >= s.pairs {
		return 0
	}
	return float64(s.pairs-taken) * inverse[s.size-taken-others]
}

// worth is that of a box that splits to so many hands at most, and cut bounds what further splits could change.
func (s *splitting) worth(g *game, hands int) (whole Worth, cut float64) {
	d := dealing{splitting: s, most: hands, count: make([]float64, hands+1)}
	d.next(1, 2, 2, 0, 0, 0)
	return d.whole(g), d.cut
}

// dealing gives every hand of a split box its second card.
type dealing struct {
	*splitting
	most int
	sum  byEnd
	// count is how likely the box has so many hands.
	count []float64
	cut   float64
}

// spreadOfHand is the most by which a hand can be better or worse than another: from two stakes lost to two won, with a bonus.
const spreadOfHand = 5

// next deals one card to the next of the waiting hands. taken cards of the pair's value and others lie already; same hands have two of the value.
func (d *dealing) next(p float64, waiting, hands, taken, others, same int) {
	if waiting == 0 {
		d.end(p, hands, taken, others, same)
		return
	}
	again := d.again(taken, others)
	switch {
	case again <= 0:
	case hands < d.most:
		d.next(p*again, waiting+1, hands+1, taken+1, others, same)
	default:
		d.cut += p * again * spreadOfHand
		d.next(p*again, waiting-1, hands, taken+1, others, same+1)
	}
	if again < 1 {
		d.next(p*(1-again), waiting-1, hands, taken, others+1, same)
	}
}

func (d *dealing) end(p float64, hands, taken, others, same int) {
	if others > 0 {
		d.sum.add(p*float64(others), &d.other[taken][others-1])
	}
	if same > 0 {
		d.sum.add(p*float64(same), &d.same[taken][others])
	}
	d.count[hands] += p
}
