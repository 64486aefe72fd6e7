package keysim

import (
	"sync"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// The heights of Black James run from the two to the ace; all are equally likely, as with endless decks.
const (
	lowest  = 2
	highest = 14
	heights = highest - lowest + 1
	// trick is the most points of a box.
	trick = 5
)

// forecast is the best call for a box's points and last card against the bank's
// first card.
func forecast(last card.Card, points int, bank card.Card) vocab.Call {
	return games()[bank.Rank().Height()].calls[points][last.Rank().Height()].call
}

// games are the games against each first card of the bank, by its height.
var games = sync.OnceValue(func() *[highest + 1]game {
	var all [highest + 1]game
	for bank := lowest; bank <= highest; bank++ {
		all[bank] = newGame(bank)
	}
	return &all
})

// ends is how likely the bank ends with so many points; the last counts everything beyond what a box can have.
type ends [trick + 2]float64

// bankEnds follows the bank's fixed rule: higher after 2 to 8, lower after 9 to
// ace, until a forecast is wrong.
func bankEnds(points, last int) (e ends) {
	if points > trick {
		e[trick+1] = 1
		return e
	}
	for next := lowest; next <= highest; next++ {
		if last <= 8 && next <= last || last > 8 && next >= last {
			e[points] += 1.0 / heights
			continue
		}
		for i, p := range bankEnds(points+1, next) {
			e[i] += p / heights
		}
	}
	return e
}

// game evaluates the calls against one first card of the bank.
type game struct {
	bank ends
	// calls are the best calls by points and the height of the last card.
	calls [trick + 1][highest + 1]weighed
}

// weighed is a call, and what a stake of 1 wins with it on average.
type weighed struct {
	call  vocab.Call
	worth float64
}

func newGame(bank int) game {
	g := game{bank: bankEnds(1, bank)}
	for points := trick - 1; points >= 1; points-- {
		for last := lowest; last <= highest; last++ {
			g.calls[points][last] = g.best(points, last)
		}
	}
	return g
}

// best is the best call, once those with more points are known.
func (g *game) best(points, last int) weighed {
	best := weighed{vocab.CallRest, g.compared(points)}
	for _, call := range []vocab.Call{vocab.CallHigher, vocab.CallLower} {
		if worth := g.forecast(call, points, last); worth > best.worth {
			best = weighed{call, worth}
		}
	}
	return best
}

// compared is what points are worth against the bank's.
func (g *game) compared(points int) float64 {
	worth := 0.0
	for bank, p := range g.bank {
		switch {
		case points < bank:
			worth -= p
		case points == trick && points > bank:
			worth += 1.5 * p
		default:
			worth += p
		}
	}
	return worth
}

func (g *game) forecast(call vocab.Call, points, last int) float64 {
	worth := 0.0
	for next := lowest; next <= highest; next++ {
		right := next == last || (next > last) == (call == vocab.CallHigher)
		worth += g.after(right, points, last, next) / heights
	}
	return worth
}

// after is what a box is worth once its next card is dealt.
func (g *game) after(right bool, points, last, next int) float64 {
	switch blackJack := points == 1 && blackJack(last, next); {
	case blackJack && right:
		return 1.5
	case blackJack:
		return 0
	case !right:
		return -1
	case points+1 == trick:
		return g.compared(trick)
	}
	return g.calls[points+1][next].worth
}

// blackJack: an ace and a ten, jack, queen or king.
func blackJack(a, b int) bool {
	return max(a, b) == highest && min(a, b) >= int(card.Ten) && min(a, b) < highest
}
