package odds

import (
	"math"
	"testing"
)

// TestNothingIsWonBehindALook: where the dealer has looked at the hole card, a bank's Black Jack has ended the round
// before a hand could win by many cards or get a third seven. Where nobody has looked, these are won whatever the bank
// has.
func TestNothingIsWonBehindALook(t *testing.T) {
	const two = 1
	for _, c := range []struct {
		rule   string
		looked bool
	}{
		{"bank.hole_card=ace-and-ten", true},
		{"bank.hole_card=ten", true},
		{"bank.hole_card=ace", false},
		{"bank.hole_card=end", false},
		{"bank.black_jack_takes=original", false},
	} {
		r := whatIf(t, "schaffhausen", c.rule, `many_cards={cards: 5, pays: "3:2", after_split: true}`,
			"pays.three_sevens=25:1")
		s := Full(r)
		g := newGame(r, &s)
		b := g.box(ten, g.left.less(ten, 1), false)
		natural := 0.
		if c.looked {
			natural = float64(b.left[ace]) / float64(b.size-5)
		}
		many := &combinations()[of(two, two, two, two, two)]
		if got, want := b.rest(many, 1).Mean, 1.5*(1-natural)-natural; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: five cards are worth %.6f, not %.6f", c.rule, got, want)
		}
		sevens, other := b.rest(&combinations()[of(seven, seven, seven)], 1),
			b.rest(&combinations()[of(ten, ten, ace)], 1)
		if sevens.Mean-other.Mean > 25.01*(1-natural) {
			t.Errorf("%s: three sevens are worth %.6f more than another 21", c.rule, sevens.Mean-other.Mean)
		}
		f := g.follower(ten, b.left, &plan{})
		lost := f.rest(of(two, two, two, two, two), 1)[EndBlackJack].mean < 0
		if lost != c.looked {
			t.Errorf("%s: behind a Black Jack of the bank a split hand of five cards loses is %v", c.rule, lost)
		}
	}
}
