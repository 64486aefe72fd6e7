package luck

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

func houseOdds(t *testing.T, house string) (*rules.Rules, []*Odds) {
	t.Helper()
	r := profile.Built()[house].Rules
	all, err := Of(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, all
}

func oddsOf(t *testing.T, house, wager string) *Odds {
	t.Helper()
	_, all := houseOdds(t, house)
	for _, o := range all {
		if o.Wager == wager {
			return o
		}
	}
	t.Fatalf("%s has no odds of %s", house, wager)
	return nil
}

// TestKnownOdds: lines that are counted by hand from six packs.
func TestKnownOdds(t *testing.T) {
	for _, c := range []struct {
		house, wager, line string
		num, den           int64
	}{
		{"schaffhausen", "perfect-pairs", "perfect-pair", 5, 311},
		{"schaffhausen", "perfect-pairs", "coloured-pair", 6, 311},
		{"schaffhausen", "perfect-pairs", "mixed-pair", 12, 311},
		{"schaffhausen", "swiss-casinos-jack", "jack-is-black", 288, 48516},
		{"schaffhausen", "swiss-casinos-jack", "all-red", 576, 48516},
		{"schaffhausen", "swiss-casinos-jack", "mix", 1440, 48516},
		{"wiesbaden", "twins", "twins", 23 * 311, 311 * 313},
		{"wiesbaden", "twins", "twins-joker", 23 * 2, 311 * 313},
		{"st-moritz", "3-card-wins", "three-aces-of-spades", 20, 5_013_320},
		{"st-moritz", "3-card-wins", "three-red-jacks", 220, 5_013_320},
		{"st-moritz", "3-card-wins", "three-of-a-kind", 26_072, 5_013_320},
		{"st-moritz", "3-card-wins", "three-black", 617_760, 5_013_320},
		{"st-moritz", "queens-trio", "three-queens-of-spades", 20, 5_013_320},
		{"mendrisio", "admiral-jack", "blackjack", 192, 4043},
		{"mendrisio", "progressive", "ace-king", 8 * 36, 48516},
		{"mendrisio", "progressive", "jackpot", 4 * 36 * 23 * 23 * 2, 48516 * 310 * 309},
	} {
		found := false
		for _, chance := range oddsOf(t, c.house, c.wager).Chances {
			if chance.Line == c.line {
				found = true
				if want := big.NewRat(c.num, c.den); chance.P.Cmp(want) != 0 {
					t.Errorf("%s: %s has %s, not %s", c.wager, c.line, chance.P, want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no line %s", c.wager, c.line)
		}
	}
	if over := float(oddsOf(t, "schaffhausen", "bust").Chances[0].P); math.Abs(over-.28192) > 5e-6 {
		t.Errorf("the bank goes over 21 with %.6f, not .28192", over)
	}
	if ten := oddsOf(t, "wiesbaden", "insurance").Chances[0].P; ten.Cmp(big.NewRat(96, 311)) != 0 {
		t.Errorf("an insurance wins with %s", ten)
	}
}

// TestEveryWagerHasOdds: nothing that a house offers is left out, and probabilities are 1 together.
func TestEveryWagerHasOdds(t *testing.T) {
	for name := range profile.Built() {
		r, all := houseOdds(t, name)
		want := 1 + len(r.SideBets)
		if r.Insurance.Offered {
			want++
		}
		if len(all) != want {
			t.Errorf("%s: %d wagers have odds, not %d", name, len(all), want)
		}
		for _, o := range all {
			sum, exact := new(big.Rat), new(big.Rat)
			for _, c := range o.Chances {
				sum.Add(sum, c.P)
				exact.Add(exact, new(big.Rat).Mul(c.P, c.House))
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Errorf("%s: %s: probabilities are %s together", name, o.Wager, sum)
			}
			if mean := float(exact); math.Abs(mean-o.mean) > 1e-9 {
				t.Errorf("%s: %s: the mean is %f, and %f", name, o.Wager, mean, o.mean)
			}
			t.Logf("%-13s %-19s edge %7.4f ± %.4f  deviation %7.3f  skew %7.2f  pair %7.4f  turnover %.3f", name,
				o.Wager, o.Edge(), o.Error, o.Deviation(), o.Skew(), o.Pair(), o.turnover)
		}
	}
}

// TestInsuranceAgainstTens: where tens are insured, too, insurance has no odds of its own: one against a ten wins far
// less often, and what is recorded of it does not say which it was.
func TestInsuranceAgainstTens(t *testing.T) {
	for change, want := range map[string]bool{"insurance.tens=false": true, "insurance.tens=true": false} {
		house, err := profile.WhatIf(profile.Built()["schaffhausen"], []string{change, "insurance.offered=true"})
		if err != nil {
			t.Fatal(err)
		}
		all, err := Of(house.Rules)
		if err != nil {
			t.Fatal(err)
		}
		if has := slices.ContainsFunc(all, func(o *Odds) bool { return o.Wager == "insurance" }); has != want {
			t.Errorf("%s: insurance has odds: %v", change, has)
		}
	}
}

// TestPairs compares the covariance of two boxes with what comes of dealing two boxes from a pack or two, where it is
// far larger than from six.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		house string
		bet   sidebet.Bet
	}{
		{"schaffhausen", sidebet.PerfectPairs},
		{"wiesbaden", sidebet.Twins},
		{"st-moritz", sidebet.ThreeCardWins},
		{"st-moritz", sidebet.QueensTrio},
		{"mendrisio", sidebet.AdmiralJack},
	} {
		r, wrong := profile.Built()[c.house].With(rules.Setup{House: c.house, Decks: 1})
		if wrong != nil {
			t.Fatal(wrong)
		}
		bet := r.Offer(c.bet)
		o := side(r, bet)
		mean, pair, noise := dealPairs(r, bet, 400_000)
		t.Logf("%-14s mean %8.5f, dealt %8.5f; pair %8.5f, dealt %8.5f ± %.5f", c.bet, o.mean, mean, o.pair,
			pair, noise)
		if math.Abs(o.pair-pair) > 4*noise {
			t.Errorf("%s: two boxes have a covariance of %.5f, dealt %.5f ± %.5f", c.bet, o.pair, pair, noise)
		}
	}
}

// dealPairs deals two boxes and the bank's first two cards, Jokers with them, and judges a bet on each.
func dealPairs(r *rules.Rules, bet *rules.Offer, rounds int) (mean, pair, noise float64) {
	d := newDealer(r, dealt.Basic, 5)
	house := byLine(r, bet)
	var sum, products, squares float64
	for range rounds {
		d.Shuffle()
		var box [2]sidebet.Cards
		next := func(to *sidebet.Cards) card.Card {
			for {
				if c := d.Draw(); c != card.Joker {
					return c
				} else if to != nil {
					to.Joker = true
				}
			}
		}
		box[0].First, box[1].First = next(&box[0]), next(&box[1])
		up := next(nil)
		box[0].Second, box[1].Second = next(&box[0]), next(&box[1])
		second := next(nil)
		result := [2]float64{}
		for i := range box {
			box[i].Bank, box[i].BankSecond = up, second
			line, _ := bet.Judge(box[i])
			result[i] = house[line]
		}
		sum += (result[0] + result[1]) / 2
		products += result[0] * result[1]
		squares += result[0] * result[0] * result[1] * result[1]
	}
	n := float64(rounds)
	mean = sum / n
	return mean, products/n - mean*mean, math.Sqrt((squares/n - products/n*products/n) / n)
}

// TestJokers: one Joker is laid to a given box in 2 of 313 rounds, as shuffling shows for three of them.
func TestJokers(t *testing.T) {
	c := odds.Packs(6, 1)
	if p := c.OnBox(boxPlaces); p.Cmp(big.NewRat(2, 313)) != 0 {
		t.Errorf("one Joker is laid to a box with %s", p)
	}
	c = odds.Packs(1, 3)
	rng := rand.New(rand.NewPCG(1, 2))
	const rounds = 200_000
	came := 0
	for range rounds {
		left, jokers := 55, 3
		laid := false
		for ordinary := 0; ordinary < 2; left-- {
			if rng.IntN(left) < jokers {
				jokers, laid = jokers-1, true
			} else {
				ordinary++
			}
		}
		if laid {
			came++
		}
	}
	p := float(c.OnBox(boxPlaces))
	if d := math.Abs(float64(came)/rounds - p); d > 4*math.Sqrt(p*(1-p)/rounds) {
		t.Errorf("three Jokers were laid to a box with %.4f, not %.4f", float64(came)/rounds, p)
	}
}
