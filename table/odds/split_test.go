package odds

import (
	"context"
	"math"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// dealt plays a split box card by card, hand after hand as at the table, and then the bank: every order of cards. It
// knows nothing of what can be exchanged.
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
	h := &combinations()[first]
	if h.cards == 1 {
		return d.each(size, func(value int) float64 {
			next := h.next[value]
			all := len(hands) + len(done)
			if combinations()[next].pair() == d.pair && all < d.p.hands {
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
	s := d.g.bank.spread(d.up, &left, d.g.work)
	for _, o := range done {
		switch {
		case o.hand == over:
			mean -= o.stakes
		default:
			total := combinations()[o.hand].total
			mean += o.stakes * (s.below(total)*(1+d.g.win) + s.at(total) - 1)
		}
	}
	return mean
}

// TestSplitCardByCard compares what a split is worth with every order in which it can be dealt, in shoes of few kinds
// of cards: the formulas exchange cards that nobody has looked at, and this does not.
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

// TestFurther: boxes that are followed less far are worth no more than those that are followed further, and less by no
// more than the bound, whatever the house pays.
func TestFurther(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
		left points
	}{
		{"as in the house", nil, points{24, 24, 24, 24, 24, 24, 24, 24, 24, 96}},
		{"a win pays 10:1", []string{"pays.win=10:1"}, points{4, 4, 4, 4, 4, 4, 4, 4, 4, 16}},
		{
			"sevens pay 500:1, after a split, too",
			[]string{"pays.three_sevens=500:1", "three_sevens.after_split=true"},
			points{4, 4, 4, 4, 4, 4, 24, 4, 4, 16},
		},
		{"aces again", []string{"split.aces_again=true"}, points{20, 4, 4, 4, 4, 4, 4, 4, 4, 16}},
		{"no doubling", []string{"double.allowed=false", "pays.win=3:1"}, points{8, 0, 0, 0, 0, 8, 20, 20, 0, 20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := whatIf(t, "schaffhausen", append(c.set, "surrender=false")...)
			for _, at := range [][2]int{{5, 7}, {ten, ten}, {6, seven}, {ace, ace}, {5, ten}} {
				followed := func(hands int) *plan {
					g := newGame(r, &Shoe{Packs: 6})
					g.left, g.size, g.follow = c.left, c.left.size(), hands
					return g.plan(at[0], at[1])
				}
				far := followed(6)
				for hands := 2; hands < 6; hands++ {
					p := followed(hands)
					more := far.worth.Mean - p.worth.Mean
					if more < -1e-12 || more > p.cut+1e-12 {
						t.Errorf("%d against %d: of six hands %.9f, of %d %.9f within %.9f", at[1]+1, at[0]+1,
							far.worth.Mean, hands, p.worth.Mean, p.cut)
					}
				}
			}
		})
	}
}

// TestBounded: whatever lets a box be split further than it is followed is bounded, and nothing else is.
func TestBounded(t *testing.T) {
	s := Shoe{Packs: 12}
	for rank, n := range map[card.Rank]int16{5: 12, 8: 10, card.King: 12} {
		for suit := card.Spades; suit <= card.Clubs; suit++ {
			s.cards[card.Of(rank, suit)] = n
		}
	}
	for most, want := range map[string]Method{
		"-1": Bounded, "8": Bounded, "100": Bounded,
		"9223372036854775807": Bounded, "7": Exact, "1": Exact, "0": Exact,
	} {
		report, err := Work(context.Background(), Query{Rules: whatIf(t, "schaffhausen", "split.max="+most), Shoe: s})
		if err != nil {
			t.Fatal(err)
		}
		if w := report.Wagers[0]; w.Method != want || (w.Error > 0) != (want == Bounded) {
			t.Errorf("with %s splits the main game is %s, within %v", most, w.Method, w.Error)
		}
	}
}

// TestSplitsBeyond counts the splits beyond a number of hands card by card, each worth one.
func TestSplitsBeyond(t *testing.T) {
	s := splitting{pairs: 5, size: 20}
	var count func(p float64, waiting, hands, taken, others, from, limit int) float64
	count = func(p float64, waiting, hands, taken, others, from, limit int) (n float64) {
		if waiting == 0 || hands == limit {
			return 0
		}
		again := s.again(taken, others)
		if hands >= from {
			n = p * again
		}
		return n + count(p*again, waiting+1, hands+1, taken+1, others, from, limit) + count(p*(1-again), waiting-1,
			hands, taken, others+1, from, limit)
	}
	for from := 2; from < 8; from++ {
		for limit := from; limit < 9; limit++ {
			want := count(1, 2, 2, 0, 0, from, limit)
			if got := s.further(from, limit, 1); math.Abs(got-want) > 1e-15 || (want > 0) != (from < min(limit, 7)) {
				t.Errorf("from %d hands to %d there are %v splits, card by card %v", from, limit, got, want)
			}
		}
	}
}

// TestTurn: what one split more is worth is the difference of what boxes are worth that may be split once more.
func TestTurn(t *testing.T) {
	r := whatIf(t, "schaffhausen", "surrender=false")
	for _, at := range [][2]int{{5, 7}, {ten, ten}, {6, seven}, {5, ten}} {
		g := newGame(r, &Shoe{Packs: 6})
		g.left = points{4, 4, 4, 4, 4, 4, 24, 24, 4, 96}
		g.size = g.left.size()
		p := g.plan(at[0], at[1])
		s := g.splitting(at[0], at[1], p)
		for hands := 2; hands < 5; hands++ {
			more, _ := s.worth(g, hands+1)
			less, _ := s.worth(g, hands)
			want := more.Mean - less.Mean
			if got := s.between(hands); math.Abs(got-want) > 1e-12 {
				t.Errorf("%d against %d: the split to %d hands is worth %.12f, and its turns %.12f", at[1]+1, at[0]+1,
					hands+1, want, got)
			}
		}
	}
}

// between adds up what the splits from so many hands to one more are worth, card by card.
func (s *splitting) between(hands int) float64 {
	var next func(p float64, waiting, taken, others int) float64
	next = func(p float64, waiting, taken, others int) (sum float64) {
		if waiting == 0 {
			return 0
		}
		again := s.again(taken, others)
		if 2+taken == hands {
			sum = p * again * s.turn(taken+1, others, math.NaN())
		} else {
			sum = next(p*again, waiting+1, taken+1, others)
		}
		return sum + next(p*(1-again), waiting-1, taken, others+1)
	}
	return next(1, 2, 0, 0)
}
