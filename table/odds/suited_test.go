package odds

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
)

// naturalsPay is what a Black Jack pays in the mean, counted card by card, and the same of those that are no Bonus
// Black Jack.
func naturalsPay(r *rules.Rules) (all, even float64) {
	bonus := card.Of(card.Jack, card.Spades)
	var n, sum, plainN, plain float64
	for suit := range card.Suit(4) {
		for c := range card.All {
			if c.Rank() < card.Ten || c.Rank() > card.King {
				continue
			}
			pays := r.Pays.BlackJack
			if more := r.Pays.BlackJackSuited; more != nil && c.Suit() == suit {
				pays = *more
			}
			n++
			if more := r.Pays.BonusBlackJack; more != nil && c == bonus && suit == card.Spades {
				sum += ratio(*more)
				continue
			}
			sum += ratio(pays)
			plain += ratio(pays)
			plainN++
		}
	}
	return sum / n, plain / plainN
}

// TestSuitedBlackJack: one of jack and ace of spades that is paid a bonus is not paid as one of one suit as well; and
// who takes even money gives away what such a one is paid, too.
func TestSuitedBlackJack(t *testing.T) {
	for _, house := range []string{"wiesbaden", "st-moritz-65"} {
		r := whatIf(t, house, "pays.black_jack_suited=7:1", "insurance.even_money=true", "pays.even_money=1:1")
		s := Full(r)
		all, plain := naturalsPay(r)
		worth, _ := newGame(r, &s).natural(seven)
		if math.Abs(worth.Mean-all) > 1e-12 {
			t.Errorf("%s: a Black Jack is worth %.6f, and pays %.6f", house, worth.Mean, all)
		}
		q := Query{Rules: r, Shoe: s}
		p := s.points()
		waiting := plain * (1 - float64(p[ten]-1)/float64(p.size()-3))
		even := ratio(r.Pays.EvenMoney)
		if w := q.evenMoney(p); math.Abs(w.Edge-(waiting-even)) > 1e-12 {
			t.Errorf("%s: even money gives %.6f away, and waiting is worth %.6f", house, w.Edge, waiting)
		}
	}
}
