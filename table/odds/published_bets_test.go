package odds_test

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestPublishedSideBets compares the side bets that every house knows with what is published of their best known
// paytables. docs/odds.md names the sources.
func TestPublishedSideBets(t *testing.T) {
	for _, c := range []struct {
		bet, packs string
		pays       map[string]string // where it is not what the house of the test pays
		edge       float64
		within     float64
	}{
		{"21-plus-3", "6", map[string]string{
			"suited-three-of-a-kind": "9:1", "straight-flush": "9:1", "three-of-a-kind": "9:1", "straight": "9:1",
			"flush": "9:1",
		}, .032386, 1e-6},
		{"21-plus-3", "6", map[string]string{"three-of-a-kind": "33:1", "straight-flush": "35:1"}, .041427, 2e-6},
		{"lucky-ladies", "6", nil, .247089, 1e-6},
		{"royal-match", "6", nil, .066658, 1e-6},
		{"royal-match", "1", nil, .108597, 1e-6},
		{"match-the-dealer", "2", map[string]string{
			"two-suited-matches": "38:1", "suited-and-other-match": "23:1", "suited-match": "19:1",
		}, .033124, 1e-6},
		{"hot-3", "6", nil, .054894, 1e-6},
		{"lucky-lucky", "6", nil, .0266, 5e-5},
		{"over-13", "6", nil, .0655, 5e-5},
		{"under-13", "6", nil, .1007, 5e-5},
		{"buster", "6", map[string]string{"bust-8-blackjack": "250:1", "bust-7-blackjack": "50:1", "bust-6": "12:1"}, .0825, 5e-5},
		{"buster", "6", nil, .0620, 5e-5},
		{"in-bet", "6", nil, .03396, 5e-6},
		{"in-bet", "2", nil, .05696, 5e-6},
		{"lucky-aces", "8", nil, .149012, 1e-6},
	} {
		changes := []string{"cards.decks=" + c.packs}
		for line, pays := range c.pays {
			changes = append(changes, "side_bets."+c.bet+".pays."+line+"="+pays)
		}
		house := tabletest.Book()["known-bets"]
		for _, o := range house.Offers() {
			if o.Bet.String() != c.bet {
				changes = append(changes, "side_bets."+o.Bet.String()+"=none")
			}
		}
		h, err := profile.WhatIf(house, changes)
		if err != nil {
			t.Fatal(err)
		}
		w := sideOf(t, h.Rules, c.bet)
		t.Logf("%-16s %s packs: %.6f %%", c.bet, c.packs, 100*w.Edge)
		if math.Abs(w.Edge-c.edge) > c.within {
			t.Errorf("%s, %s packs: the edge is %.6f, published is %.6f", c.bet, c.packs, w.Edge, c.edge)
		}
	}
}

func sideOf(t *testing.T, r *rules.Rules, name string) odds.Wager {
	t.Helper()
	list, err := odds.Sides(odds.Query{Rules: r, Shoe: odds.Full(r)})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		if w.Name == name {
			return w
		}
	}
	t.Fatalf("%s has no %s", r.House, name)
	return odds.Wager{}
}
