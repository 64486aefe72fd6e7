package odds

import (
	"context"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// heights are cards by their height in Black James, less two: the twos to the aces. (Black James, rule 2.)
type heights [13]int

func (s *Shoe) heights() (h heights) {
	for c := range card.All {
		h[c.Rank().Height()-2] += s.Of(c)
	}
	return h
}

// trick is how many points a box has at most. (Black James, rule 3.)
const trick = 5

// James is what Black James is worth under best play to a bettor on the only box, or beside others while the bank draws
// in any case.
type James struct {
	Worth
	// states are all places where a box can stand.
	states map[jamesKey]jamesState
	shoe   heights
}

// jamesState is what each call is worth to a box, by the calls in Forecasts, and the best.
type jamesState struct {
	worth [len(Forecasts)]Worth
	best  int
}

// Forecasts are the calls that are compared in Black James. Of two that are worth the same the first is best.
var Forecasts = [...]vocab.Call{vocab.CallRest, vocab.CallHigher, vocab.CallLower}

// Call is the best call of a box with these cards against the bank's first.
func (j *James) Call(cards []card.Card, up card.Card) vocab.Call {
	at := jamesKey{up: int8(up.Rank().Height() - 2)}
	for i, c := range cards {
		at.cards[i] = int8(c.Rank().Height()-2) + 1
	}
	return Forecasts[j.states[at].best]
}

// jamesKey is where a box stands: the bank's card, and its own, the last one at the end.
type jamesKey struct {
	up    int8
	cards [trick - 1]int8 // a height and one, 0 for none
}

// jamesGame works through one first card of the bank.
type jamesGame struct {
	*James
	up                       int
	left                     heights
	size                     int
	win, blackJack, fiveCard float64
	beside                   bool
	ahead                    map[heights]rights // by the cards on the box
}

// rights is how likely the bank is right so many times or more.
type rights [trick + 1]float64

// blackJames goes through all orders of cards of a box, for every first card of the bank. beside is a box beside
// others, on whose account the bank is taken to draw in any case.
func blackJames(ctx context.Context, r *rules.Rules, s *Shoe, beside bool, told func(done, of int)) (*James, error) {
	left := s.heights()
	j := &James{states: map[jamesKey]jamesState{}, shoe: left}
	for up, n := range left {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if n > 0 {
			g := jamesGame{
				James: j, up: up, left: left, size: s.Size(), beside: beside, ahead: map[heights]rights{},
				win: ratio(r.Pays.Win), blackJack: ratio(r.Pays.BlackJack), fiveCard: ratio(r.Pays.FiveCardTrick),
			}
			g.left[up]--
			g.size--
			g.begin(float64(n) / float64(g.size+1))
		}
		told(up+1, len(left))
	}
	return j, nil
}

// begin deals the box its first card.
func (g *jamesGame) begin(p float64) {
	var drawn heights
	g.each(&drawn, func(of float64, first int) {
		g.add(p*of, g.best(jamesKey{up: int8(g.up)}, &drawn, 1, first))
	})
}

// each yields each card that can come next, drawn already, with how likely it is.
func (g *jamesGame) each(drawn *heights, yield func(p float64, height int)) {
	size := g.size
	for _, n := range drawn {
		size -= n
	}
	for height := range g.left {
		if n := g.left[height] - drawn[height]; n > 0 {
			drawn[height]++
			yield(float64(n)*inverse[size], height)
			drawn[height]--
		}
	}
}

// best is the best that a box can do that has points, the last of them with a card.
func (g *jamesGame) best(at jamesKey, drawn *heights, points, last int) Worth {
	at.cards[points-1] = int8(last) + 1
	var state jamesState
	for i, call := range Forecasts {
		w := &state.worth[i]
		if call == vocab.CallRest {
			*w = g.rest(drawn, points)
		} else {
			g.each(drawn, func(p float64, next int) {
				w.add(p, g.after(at, drawn, points, last, next, call))
			})
		}
		if w.Mean > state.worth[state.best].Mean {
			state.best = i
		}
	}
	g.states[at] = state
	return state.worth[state.best]
}

// after is what the next card makes of the box.
func (g *jamesGame) after(at jamesKey, drawn *heights, points, last, next int, forecast vocab.Call) Worth {
	right := fulfilled(last, next, forecast)
	switch {
	case points == 1 && blackJackOf(last, next) && right:
		return certain(g.blackJack)
	case points == 1 && blackJackOf(last, next):
		return certain(0)
	case !right:
		return certain(-1)
	case points+1 == trick:
		return g.tricked(drawn)
	}
	return g.best(at, drawn, points+1, next)
}

// fulfilled says whether a forecast was right: an equal card is. (Black James, rule 3.)
func fulfilled(last, next int, forecast vocab.Call) bool {
	return next == last || (next > last) == (forecast == vocab.CallHigher)
}

const (
	heightTen = 10 - 2
	heightAce = 14 - 2
)

func blackJackOf(a, b int) bool {
	tenValue := func(height int) bool { return height >= heightTen && height < heightAce }
	return a == heightAce && tenValue(b) || b == heightAce && tenValue(a)
}

// tricked is what a Five-Card-Trick is worth. If no other box is in the game, the bank draws nothing and has one point;
// else the trick must have more points, and with as many it is paid as others are. (Black James, rules 6 and 8.)
func (g *jamesGame) tricked(drawn *heights) (w Worth) {
	if !g.beside {
		return certain(g.fiveCard)
	}
	bank := g.bank(drawn, trick)
	more, as := bank[trick], bank[trick-1]
	w.add(1-as, certain(g.fiveCard))
	w.add(as-more, certain(g.win))
	w.add(more, certain(-1))
	return w
}

// rest is what the points are worth: as many as the bank or more win. (Black James, rule 8.)
func (g *jamesGame) rest(drawn *heights, points int) (w Worth) {
	lost := g.bank(drawn, points)[points]
	w.add(1-lost, certain(g.win))
	w.add(lost, certain(-1))
	return w
}

// bank is how often the bank is right, up to as many times as the box has points.
func (g *jamesGame) bank(drawn *heights, points int) rights {
	p, known := g.ahead[*drawn]
	if !known {
		left, size := g.left, g.size
		for height, n := range drawn {
			left[height] -= n
			size -= n
		}
		p.follow(&left, size, g.up, 1, points, 1)
		g.ahead[*drawn] = p
	}
	return p
}

// follow adds the chances from so many times on: the bank is right with a higher card after 2 to 8, with a lower one
// after 9 to ace. (Black James, rule 7.)
func (r *rights) follow(left *heights, size, last, times, most int, p float64) {
	from, to := last+1, len(left)
	if last > 8-2 {
		from, to = 0, last
	}
	part := p * inverse[size]
	if times == most {
		n := 0
		for _, of := range left[from:to] {
			n += of
		}
		r[times] += part * float64(n)
		return
	}
	for next := from; next < to; next++ {
		if n := left[next]; n > 0 {
			of := part * float64(n)
			r[times] += of
			left[next]--
			r.follow(left, size-1, next, times+1, most, of)
			left[next]++
		}
	}
}
