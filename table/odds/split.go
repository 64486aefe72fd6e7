package odds

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// maxHands is the most hands of a box that are followed. Where the house allows more, further bounds what they can add.
const maxHands = 8

// plan is how a pair is split against a first card of the bank.
type plan struct {
	// hands is to how many hands the box splits.
	hands int
	// calls are those of a hand by its combination, 0 for one that cannot be.
	calls []vocab.Call
	// again says which doubled hands are doubled once more.
	again []bool
	// worth is that of the whole box. Its Square takes the hands as independent of each other once the bank's end is
	// known.
	worth Worth
	// cut bounds how much more than worth the box can be worth that splits to more hands than are followed; 0 if none
	// may.
	cut float64
	// sevens is how many of its hands come to a 7-7-7 that is paid.
	sevens float64
}

// plan works out how to split a pair.
func (g *game) plan(up, pair int) *plan {
	if p := g.plans[up][pair]; p != nil {
		return p
	}
	best := g.box(up, g.left.less(up, 1).less(pair, 1), true)
	p := &plan{calls: make([]vocab.Call, len(combinations())), again: best.again}
	g.plans[up][pair] = p
	p.learn(best, pair)
	s := g.splitting(up, pair, p)
	most := g.mostHands(pair)
	for hands := 2; hands <= most; hands++ {
		worth, sevens := s.worth(g, hands)
		if hands == 2 || worth.Mean > p.worth.Mean {
			p.hands, p.worth, p.sevens = hands, worth, 0
			if g.paysSevens(p, pair) {
				p.sevens = sevens
			}
		}
		if hands == most {
			p.cut = max(worth.Mean+s.further(most, g.limit(pair), g.turn(pair))-p.worth.Mean, 0)
		}
	}
	return p
}

// limit is how many hands a box may have after splitting a pair, as far as the cards allow it. (Rule "splits per box"
// of each house.)
func (g *game) limit(pair int) int {
	switch {
	case pair == ace && !g.rules.Split.AcesAgain:
		return 2
	case g.rules.Split.Max == rules.Unlimited:
		return max(g.left[pair], 2)
	}
	return min(g.rules.Split.Max, max(g.left[pair], 2)-1) + 1
}

// mostHands is how many hands of a box are followed: no more than can be dealt to their ends beside a hand on each
// other box.
func (g *game) mostHands(pair int) int {
	followed, room := min(g.limit(pair), g.follow), g.left.room()-g.others
	g.short = g.short || room < followed
	return min(followed, room)
}

// known is for how many hands it is worked out what one of them is worth: for those that are followed. Of tens nearly
// every third card makes a pair, so that boxes of more hands are not as rare as others; what one split more is worth is
// known for them, too, and need not be bounded by the worst.
func (g *game) known(pair int) int {
	most := g.mostHands(pair)
	if pair == ten {
		return min(g.limit(pair), 2*most, g.left.room()-g.others)
	}
	return most
}

// turn bounds what one split more is worth to a box: two hands that begin with a card of the pair, for the one that has
// both. Nothing else of the box is worth more or less for it, since what the other hands draw can be exchanged. A hand
// loses or wins twice the stake if it may be doubled, and three sevens may be paid besides.
func (g *game) turn(pair int) float64 {
	lost, won := 1., max(g.win, g.many)
	if g.rules.Double.Allowed && g.rules.Double.AfterSplit && (pair != ace || g.rules.Split.DrawsAces()) {
		lost, won = 2*lost, 2*won
		if g.rules.Double.MayAgain() {
			lost, won = 2*lost, 2*won
		}
	}
	if pair == seven && g.rules.ThreeSevens.AfterSplit {
		won += g.sevens
	}
	return lost + won + max(lost, won)
}

// learn keeps the best calls of every hand that the split can come to with the cards that are left. A split ace gets
// one card. (Common rule 13.)
func (p *plan) learn(b *box, pair int) {
	var follow func(i int)
	each := func(h *combination) {
		for value, next := range h.next {
			if b.left[value] > int(h.count[value]) {
				follow(next)
			}
		}
	}
	follow = func(i int) {
		if i == over || p.calls[i] != 0 {
			return
		}
		p.calls[i] = vocab.CallRest
		if pair != ace || b.rules.Split.DrawsAces() {
			p.calls[i] = b.at(i).Best()
		}
		if p.calls[i] == vocab.CallCard {
			each(&combinations()[i])
		}
	}
	each(&combinations()[of(pair)])
}

// splitting is what one of the hands is worth on the average, for each number of cards that the other hands have taken.
type splitting struct {
	game *game
	up   int
	// pairs and size are the cards of the pair's value, and all cards, that are left when the pair lies.
	pairs, size int
	// known is for how many hands each with two cards that is worked out.
	known int
	// other is a hand whose second card is of another value, and same one whose second card is of the same value and
	// that is not split again: by how many cards of the value lie besides the pair, and then by how many others lie.
	// Those others are cards of other hands that are known for nothing else than not having the value.
	other, same [][]byEnd
	bank        Spread
}

func (g *game) splitting(up, pair int, p *plan) *splitting {
	left := g.left.less(up, 1).less(pair, 2)
	s := &splitting{game: g, up: up, pairs: left[pair], size: left.size(), bank: g.bank.spread(up, &left, g.work)}
	s.known = g.known(pair)
	most := 2*s.known - 1
	first := &combinations()[of(pair)]
	for taken := 0; taken <= min(most, s.pairs); taken++ {
		// A hand has one card of the pair itself. One whose second is of the value, too, has one of those taken.
		f := g.follower(up, left.less(pair, taken-1), p)
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
			same = *g.follower(up, left.less(pair, taken-2), p).at(first.next[pair])
		}
		s.same = append(s.same, []byEnd{same})
	}
	s.widen(s.other, most, 1)
	s.widen(s.same, most, 0)
	return s
}

// widen works out each further card of another value that lies with other hands. Before it is seen, it is of the value
// or not: what the hand is worth before is the mean of both, so that each follows from the two others. own is how many
// such cards the hand itself has.
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
	// divided, so that it is one where no other card is left
	return float64(s.pairs-taken) / float64(s.size-taken-others)
}

// worth is that of a box that splits to so many hands at most, and third how many of its hands with two cards of the
// value have a third of it next.
func (s *splitting) worth(g *game, hands int) (whole Worth, third float64) {
	d := dealing{splitting: s, most: hands, count: make([]float64, hands+1)}
	d.next(1, 2, 2, 0, 0, 0)
	return d.whole(g), d.third
}

// paysSevens says whether a hand of a split pair can come to 7-7-7, and is paid for it.
func (g *game) paysSevens(p *plan, pair int) bool {
	call := p.calls[of(seven, seven)]
	return pair == seven && g.sevens > 0 && g.rules.ThreeSevens.AfterSplit &&
		(call == vocab.CallCard || call == vocab.CallDouble)
}

// further bounds what a box is worth more that has so many hands already and splits on, up to a limit at which it
// stops. Cards are dealt one by one to hands that wait for their second; how many wait follows from how many of them
// had the pair's value. most is the most that a split can be worth.
func (s *splitting) further(hands, limit int, most float64) float64 {
	p := make([]float64, s.pairs+2) // by the cards of the value among those dealt
	p[0] = 1
	worth := make([]float64, len(p)) // of the splits of a box that has so many hands, less two
	for dealt, going := 0, true; going && dealt < s.size; dealt++ {
		next := make([]float64, len(p))
		going = false
		for taken, of := range p {
			if waiting := 2 + 2*taken - dealt; of == 0 || waiting <= 0 || 2+taken >= limit {
				continue
			}
			again := s.again(taken, dealt-taken)
			if 2+taken >= hands {
				worth[taken] += of * again * s.turn(taken+1, dealt-taken, most)
			}
			next[taken+1] += of * again
			next[taken] += of * (1 - again)
			going = true
		}
		p = next
	}
	best, sum := 0., 0.
	for _, w := range worth {
		sum += w
		best = max(best, sum)
	}
	return best
}

// turn is what a split is worth to a box on which a pair lies among so many taken and others: two hands of one card
// instead of the pair's. Where more cards lie than is known, it is most.
func (s *splitting) turn(taken, others int, most float64) float64 {
	if taken+1+others > 2*s.known-2 || taken+1 >= len(s.same) {
		return most
	}
	again := s.again(taken, others)
	one := 0.
	if again > 0 {
		one += again * s.game.byHand(s.up, &s.same[taken+1][others])
	}
	if again < 1 {
		one += (1 - again) * s.game.byHand(s.up, &s.other[taken][others])
	}
	return 2*one - s.game.byHand(s.up, &s.same[taken][others])
}

// dealing gives every hand of a split box its second card.
type dealing struct {
	*splitting
	most int
	sum  byEnd
	// count is how likely the box has so many hands.
	count []float64
	third float64
}

// next deals one card to the next of the waiting hands. taken cards of the pair's value and others lie already; same
// hands have two of the value.
func (d *dealing) next(p float64, waiting, hands, taken, others, same int) {
	if waiting == 0 {
		d.endHand(p, hands, taken, others, same)
		return
	}
	again := d.again(taken, others)
	switch {
	case again <= 0:
	case hands < d.most:
		d.next(p*again, waiting+1, hands+1, taken+1, others, same)
	default:
		d.next(p*again, waiting-1, hands, taken+1, others, same+1)
	}
	if again < 1 {
		d.next(p*(1-again), waiting-1, hands, taken, others+1, same)
	}
}

func (d *dealing) endHand(p float64, hands, taken, others, same int) {
	if others > 0 {
		d.sum.add(p*float64(others), &d.other[taken][others-1])
	}
	if same > 0 {
		d.third += p * float64(same) * d.again(taken, others)
		d.sum.add(p*float64(same), &d.same[taken][others])
	}
	d.count[hands] += p
}
