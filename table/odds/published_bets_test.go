package odds_test

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/odds"
)

// TestPublishedSideBets compares the side bets that every house knows with what is published of their best known
// paytables, to the last digit that is printed there.
func TestPublishedSideBets(t *testing.T) {
	for _, p := range tabletest.PublishedBets {
		h, err := p.House()
		if err != nil {
			t.Fatal(err)
		}
		list, err := odds.Sides(odds.Query{Rules: h.Rules, Shoe: odds.Full(h.Rules)})
		if err != nil {
			t.Fatal(err)
		}
		w := list[len(list)-1]
		if within := .51 / math.Pow10(p.Digits); w.Name != p.Bet.String() || math.Abs(100*(w.Edge-p.Edge)) > within {
			t.Errorf("%s: the edge of %s is %.6f, published is %.6f", p.What, w.Name, w.Edge, p.Edge)
		}
	}
}
