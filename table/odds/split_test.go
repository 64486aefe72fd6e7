package odds

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// dealt plays a split box card by card, hand after hand as at the table, and then the bank: every order of cards. It knows nothing of
// what can be exchanged.
type dealt struct {
	g    *game
	up   int
	pair int
	p    *plan
	left points
}

// mean is what the box wins on the average.
func (d *dealt) mean(hands []int, done []outcome) float64 {
	if len(hands) == 0 {
		return d.bank(done)
	}
	first := hands[0]
	size := d.left.size()
	h := &combinations[first]
	if h.cards == 1 {
		return d.each(size, func(value int) float64 {
			next := h.next[value]
			all := len(hands) + len(done)
			if combinations[next].pair() == d.pair && all < d.p.hands {
				one := of(d.pair)
				return d.mean(append([]int{one, one}, hands[1:]...), done)
			}
			return d.mean(append([]int{next}, hands[1:]...), done)
		})
	}
	rest := func(i int, stakes float64) float64 {
		return d.mean(hands[1:], append(done[:len(done):len(done)], outcome{i, stakes}))
	}
	switch d.p.calls[first] {
	case vocab.CallCard:
		return d.each(size, func(value int) float64 {
			if next := h.next[value]; next != over {
				return d.mean(append([]int{next}, hands[1:]...), done)
			}
			return rest(over, 1)
		})
	case vocab.CallDouble:
		return d.each(size, func(value int) float64 { return rest(h.next[value], 2) })
	}
	return rest(first, 1)
}

type outcome struct {
	hand   int
	stakes float64
}

func (d *dealt) each(size int, then func(value int) float64) (mean float64) {
	for value, n := range d.left {
		if n > 0 {
			d.left[value]--
			mean += float64(n) / float64(size) * then(value)
			d.left[value]++
		}
	}
	return mean
}

func (d *dealt) bank(done []outcome) (mean float64) {
	left := d.left
	s := spread(d.up, &left, d.g.work)
	for _, o := range done {
		switch {
		case o.hand == over:
			mean -= o.stakes
		default:
			total := combinations[o.hand].total
			mean += o.stakes * (s.below(total)*(1+d.g.win) + s.at(total) - 1)
		}
	}
	return mean
}

// TestSplitCardByCard compares what a split is worth with every order in which it can be dealt, in shoes of few kinds of cards: the
// formulas exchange cards that nobody has looked at, and this does not.
func TestSplitCardByCard(t *testing.T) {
	for _, c := range []struct {
		name     string
		up, pair int
		left     points
		split    int
	}{
		{"eights, once", 5, 7, points{0, 0, 0, 0, 4, 3, 0, 6, 0, 12}, 1},
		{"eights, three times", 5, 7, points{0, 0, 0, 0, 4, 3, 0, 6, 0, 12}, 3},
		{"aces", 6, ace, points{6, 0, 0, 0, 4, 0, 6, 0, 0, 10}, 3},
		{"nines, against a ten", ten, 8, points{5, 0, 0, 0, 0, 0, 0, 3, 6, 9}, 3},
		{"sevens, few left", 6, 6, points{3, 0, 0, 4, 0, 0, 5, 0, 4, 8}, 2},
		{"sixes, all that are left", 5, 5, points{0, 0, 0, 0, 6, 3, 0, 8, 0, 12}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := *whatIf(t, "schaffhausen", "surrender=false", "three_sevens.paid=false")
			r.Split = rules.Split{Max: c.split}
			g := newGame(&r, &Shoe{Packs: 6})
			g.left, g.size = c.left, c.left.size()
			p := g.plan(c.up, c.pair)
			d := dealt{g: g, up: c.up, pair: c.pair, p: p, left: c.left.less(c.up, 1).less(c.pair, 2)}
			one := of(c.pair)
			if got := d.mean([]int{one, one}, nil); math.Abs(got-p.worth.Mean) > 1e-12 {
				t.Errorf("to %d hands it is worth %.9f, card by card %.9f", p.hands, p.worth.Mean, got)
			}
		})
	}
}
