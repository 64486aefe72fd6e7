package odds

import "github.com/sabot-table/sabot/table/vocab"

// follower plays hands of a split box by fixed calls, whatever the other hands have taken.
type follower struct {
	*game
	up      int
	left    points
	size    int
	calls   []vocab.Call
	again   []bool
	known   []*byEnd
	spreads []*Spread
}

func (g *game) follower(up int, left points, p *plan) *follower {
	return &follower{
		game: g, up: up, left: left, size: left.size(), calls: p.calls, again: p.again,
		known: make([]*byEnd, len(combinations())), spreads: make([]*Spread, len(combinations())),
	}
}

// at is what a hand is worth, played by the calls.
func (f *follower) at(i int) *byEnd {
	if f.known[i] != nil {
		return f.known[i]
	}
	e := new(byEnd)
	f.known[i] = e
	switch f.calls[i] {
	case vocab.CallCard:
		f.draw(i, 1, e, func(next int) *byEnd { return f.at(next) })
	case vocab.CallDouble:
		f.draw(i, 2, e, f.afterDouble)
	case vocab.CallSurrender:
		*e = *f.surrender(i)
	default:
		*e = *f.rest(i, 1)
	}
	return e
}

// afterDouble is a doubled hand after its card.
func (f *follower) afterDouble(i int) *byEnd {
	if !f.again[i] {
		return f.rest(i, 2)
	}
	e := new(byEnd)
	f.draw(i, 4, e, func(next int) *byEnd { return f.rest(next, 4) })
	return e
}

// surrender is a hand that is given up, which counts as lost among those that are ahead or not.
func (f *follower) surrender(i int) *byEnd {
	e := new(byEnd)
	for end, p := range f.spread(i) {
		if End(end) == EndBlackJack && f.takesSurrender(f.up, true) {
			e[end].set(p, -1, -1)
			continue
		}
		e[end].set(p, -1, -.5)
		e[end].decidedAtOnce(p)
	}
	return e
}

// draw adds what one card more makes of a hand.
func (f *follower) draw(i, stakes int, e *byEnd, after func(int) *byEnd) {
	h := &combinations()[i]
	part := inverse[f.size-h.cards]
	for value, next := range h.next {
		n := f.left[value] - int(h.count[value])
		switch {
		case n <= 0:
		case next == over:
			e.add(float64(n)*part, f.lost(i, value, stakes))
		default:
			e.add(float64(n)*part, after(next))
		}
	}
}

// rest is what a hand is worth against the bank, with so many stakes on it.
func (f *follower) rest(i, stakes int) *byEnd {
	h, e := &combinations()[i], new(byEnd)
	atOnce := f.rules.ManyCards.Win(h.cards, true)
	tie := !f.rules.Bank.TakesTie(h.total)
	for end, p := range f.spread(i) {
		outcome := -stakes
		switch {
		case f.looks[f.up] && End(end) == EndBlackJack: // the round ended before the box was split
			e[end].set(p, outcome, f.result(outcome))
			continue
		case atOnce:
			e[end].set(p, stakes, float64(stakes)*f.many+f.bonus(h, true))
			e[end].decidedAtOnce(p)
			continue
		case End(end) == end22:
			outcome = 0
		case End(end) == EndOver, End(end) < EndBlackJack && end+17 < h.total:
			outcome = stakes
		case End(end) < EndBlackJack && end+17 == h.total && tie:
			outcome = 0
		}
		e[end].set(p, outcome, f.result(outcome)+f.bonus(h, true))
	}
	return e
}

// lost is a hand over 21. How the bank ends is as likely as before the card that did it: only the mean matters much.
// Where the bank's Black Jack gives something back, it is as likely as after that card.
func (f *follower) lost(i, value, stakes int) *byEnd {
	e, s := new(byEnd), *f.spread(i)
	if f.original[f.up] {
		natural := blackJackAfter(f.up, &f.left, f.size, &combinations()[i], value)
		for end := range s {
			s[end] *= (1 - natural) / (1 - f.spread(i)[EndBlackJack])
		}
		s[EndBlackJack] = natural
	}
	for end, p := range s {
		e[end].set(p, -stakes, f.result(-stakes))
		if f.busted[f.up] {
			e[end].decidedAtOnce(p)
		}
	}
	return e
}

// spread is how the bank ends against a hand.
func (f *follower) spread(i int) *Spread {
	if f.spreads[i] == nil {
		left := combinations()[i].left(f.left)
		s := f.bank.spread(f.up, &left, f.work)
		f.spreads[i] = &s
	}
	return f.spreads[i]
}
