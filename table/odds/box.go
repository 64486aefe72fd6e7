package odds

import (
	"slices"

	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// box is a box, or a hand after a split, against a first card of the bank. It works out each hand once.
type box struct {
	*game
	up int
	// left are the cards without the bank's first and those of the box's other hands; size is their number.
	left  points
	size  int
	split bool

	calls []Calls
	known []bool
	// again says which doubled hands are best doubled once more.
	again []bool
}

func (g *game) box(up int, left points, split bool) *box {
	n := len(combinations())
	return &box{
		game: g, up: up, left: left, size: left.size(), split: split,
		calls: make([]Calls, n), known: make([]bool, n), again: make([]bool, n),
	}
}

// at says what each call is worth with a hand. A hand of 21 rests by itself. (Common rule 5.)
func (b *box) at(i int) *Calls {
	h, c := &combinations()[i], &b.calls[i]
	if b.known[i] {
		return c
	}
	b.known[i] = true
	may := &b.rules.Play
	draws := h.total < hand.Best && may.MayDraw(h.total, h.soft) && !b.rules.ManyCards.Win(h.cards, b.split)
	if !draws || may.MayRest(h.total) {
		c.set(vocab.CallRest, b.rest(h, 1))
	}
	if h.total == hand.Best || b.rules.ManyCards.Win(h.cards, b.split) {
		return c
	}
	if draws {
		c.set(vocab.CallCard, b.card(h))
	}
	if b.mayDouble(h) {
		c.set(vocab.CallDouble, b.double(h))
	}
	if h.cards == 2 && b.rules.MaySurrender(h.total, h.soft, b.split, b.up == ace) {
		c.set(vocab.CallSurrender, b.surrender(h))
	}
	if h.cards == 2 && !b.split {
		if pair := h.pair(); pair >= 0 && b.maySplit(pair) {
			c.set(vocab.CallSplit, b.plan(b.up, pair).worth)
		}
	}
	return c
}

// surrender is what giving up is worth. Late, the bank's Black Jack takes the whole stake.
func (b *box) surrender(h *combination) (w Worth) {
	lost := 0.
	if b.takesSurrender(b.up, b.split) {
		left := h.left(b.left)
		lost = b.game.bank.spread(b.up, &left, b.work)[EndBlackJack]
	}
	w.add(lost, certain(-1))
	w.add(1-lost, certain(-.5))
	return w
}

// takesSurrender says whether the bank's Black Jack takes the stake of a surrender: a late one, or one of a split hand
// after the dealer has looked.
func (g *game) takesSurrender(up int, split bool) bool {
	return g.rules.LateSurrender() || split && g.looks[up]
}

// rest is what a hand is worth against the bank, with so many stakes on it.
func (b *box) rest(h *combination, stakes float64) (w Worth) {
	left := h.left(b.left)
	s := b.game.bank.spread(b.up, &left, b.work)
	bonus, seen := b.bonus(h, b.split), 0.
	if b.looks[b.up] { // the round ended before the hand had more than its first cards
		seen = s[EndBlackJack]
		w.add(seen, certain(-1))
	}
	if b.rules.ManyCards.Win(h.cards, b.split) {
		w.add(1-seen, certain(bonus+stakes*b.many))
		return w
	}
	win, draw := s.below(h.total), s[end22]
	if !b.rules.Bank.TakesTie(h.total) {
		draw += s.at(h.total)
	}
	lost := 1 - win - draw - seen
	w.add(win, certain(stakes*b.win+bonus))
	w.add(draw, certain(bonus))
	if b.original[b.up] && seen == 0 && stakes > 1 { // of which the bank's Black Jack takes one
		lost -= s[EndBlackJack]
		w.add(s[EndBlackJack], certain(bonus-1))
	}
	w.add(lost, certain(bonus-stakes))
	return w
}

// card is what one card more is worth, played best after it.
func (b *box) card(h *combination) (w Worth) {
	b.eachCard(h, func(p float64, _, next int) {
		if next == over {
			w.add(p, certain(-1))
			return
		}
		w.add(p, b.at(next).BestWorth())
	})
	return w
}

// double is what one card and twice the stake are worth.
func (b *box) double(h *combination) Worth {
	return b.doubled(h, 2, func(next int) Worth {
		var w Worth
		w, b.again[next] = b.afterDouble(next)
		return w
	})
}

// doubled is what one card is worth with so many stakes on the hand, which is then worth what after says. Of a hand
// that is over, a bank's Black Jack may take one stake alone.
func (b *box) doubled(h *combination, stakes float64, after func(next int) Worth) (w Worth) {
	b.eachCard(h, func(p float64, value, next int) {
		if next == over {
			back := 0.
			if b.original[b.up] && !b.busted[b.up] {
				back = p * blackJackAfter(b.up, &b.left, b.size, h, value)
				w.add(back, certain(-1))
			}
			w.add(p-back, certain(-stakes))
			return
		}
		w.add(p, after(next))
	})
	return w
}

// afterDouble is what a doubled hand is worth after its card, and whether it is best doubled once more.
func (b *box) afterDouble(i int) (w Worth, again bool) {
	h := &combinations()[i]
	w = b.rest(h, 2)
	if !b.rules.Double.MayAgain() || h.total == hand.Best || !b.rules.Play.MayDraw(h.total, h.soft) ||
		b.rules.ManyCards.Win(h.cards, b.split) {
		return w, false
	}
	more := b.doubled(h, 4, func(next int) Worth { return b.rest(&combinations()[next], 4) })
	if more.Mean > w.Mean {
		return more, true
	}
	return w, false
}

// blackJackAfter is how likely the bank makes a Black Jack of its first card, when a hand and one card more have left
// the shoe.
func blackJackAfter(up int, left *points, size int, h *combination, value int) float64 {
	needs := ten
	switch up {
	case ten:
		needs = ace
	case ace:
	default:
		return 0
	}
	n := left[needs] - int(h.count[needs])
	if value == needs {
		n--
	}
	return float64(max(n, 0)) * inverse[size-h.cards-1]
}

// eachCard yields the hands that one card more can make, with how likely each is.
func (b *box) eachCard(h *combination, yield func(p float64, value, next int)) {
	part := inverse[b.size-h.cards]
	for value, next := range h.next {
		if n := b.left[value] - int(h.count[value]); n > 0 {
			yield(float64(n)*part, value, next)
		}
	}
}

// maySplit says whether the house lets a pair be split. By rank, not every two tens are one, and a split of two that
// are is never best: how much it could be worth is bounded.
func (g *game) maySplit(pair int) bool {
	s := &g.rules.Split
	return s.Allows(pair+1) && !(pair == ten && s.ByRank())
}

// mayDouble says whether the house lets a hand be doubled.
func (b *box) mayDouble(h *combination) bool {
	d := &b.rules.Double
	switch {
	case !d.Allowed || !b.rules.Play.MayDraw(h.total, h.soft), h.cards < 2 || h.cards > d.Cards(),
		h.soft && d.HardOnly, b.split && !d.AfterSplit:
		return false
	}
	return len(d.On) == 0 || slices.Contains(d.On, h.total)
}
