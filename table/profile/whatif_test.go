package profile_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestWhatIf(t *testing.T) {
	built := profile.Built()
	for _, c := range []struct {
		house, change string
		is            func(*profile.House) bool
	}{
		{"schaffhausen", "split.max=1", func(h *profile.House) bool { return h.Split.Max == 1 }},
		{"schaffhausen", "pays.black_jack=6:5", func(h *profile.House) bool {
			return h.Pays.BlackJack.String() == "6:5"
		}},
		{"schaffhausen", "double.on=[9, 10, 11]", func(h *profile.House) bool { return len(h.Double.On) == 3 }},
		{"schaffhausen", "surrender=false", func(h *profile.House) bool { return !h.Surrender }},
		{"schaffhausen", "cards.source=shuffler", func(h *profile.House) bool {
			return h.Cards.Source == rules.Shuffler
		}},
		{"schaffhausen", "table.min=20", func(h *profile.House) bool {
			return h.Rules.Table.Min == 2000 && h.Offer(sidebet.SwissCasinosJack).Least == 2000
		}},
		{"schaffhausen", "side_bets.perfect-pairs.pays.mixed-pair=5:1", func(h *profile.House) bool {
			return h.Offer(sidebet.PerfectPairs).Prize(sidebet.MixedPair).Text(2) == "5:1"
		}},
		{"schaffhausen", "side_bets[0].pays[2].pays=5:1", func(h *profile.House) bool {
			return h.Offer(sidebet.PerfectPairs).Prize(sidebet.MixedPair).Text(2) == "5:1"
		}},
		{"schaffhausen", "side_bets.bust.most=100", func(h *profile.House) bool {
			return h.Offer(sidebet.Bust).Most == 10_000
		}},
		{"schaffhausen", "side_bets.bust=none", func(h *profile.House) bool {
			return h.Offer(sidebet.Bust) == nil && len(h.SideBets) == 2
		}},
		{"st-moritz", "pays.bonus_black_jack=5:1", func(h *profile.House) bool { return h.Pays.BonusBlackJack != nil }},
		{"st-moritz-65", "pays.bonus_black_jack=none", func(h *profile.House) bool {
			return h.Pays.BonusBlackJack == nil
		}},
		{"schaffhausen", "table.step=min", func(h *profile.House) bool { return h.Step() == 1000 }},
		{"schaffhausen", "table.bettors=3", func(h *profile.House) bool { return h.MostBettors() == 3 }},
		{"mendrisio", "jackpot.seed=20000", func(h *profile.House) bool { return h.Meter.Seed == 2_000_000 }},
	} {
		was := built[c.house].Rules.Fingerprint
		h, err := profile.WhatIf(built[c.house], []string{c.change})
		if err != nil {
			t.Errorf("%s: %v", c.change, err)
			continue
		}
		if !c.is(h) || h.Fingerprint == was || h.House != c.house {
			t.Errorf("%s: %s has not changed, or more has", c.change, c.house)
		}
		if again := profile.Built()[c.house]; c.is(again) || again.Fingerprint != was {
			t.Errorf("%s changes the book", c.change)
		}
	}
}

func TestWhatIfTogether(t *testing.T) {
	h, err := profile.WhatIf(profile.Built()["wiesbaden"],
		[]string{"insurance.offered=false", "insurance.even_money=false", "cards.jokers=0"})
	if err != nil || h.Insurance.Offered || h.Insurance.EvenMoney || h.Cards.Jokers != 0 {
		t.Errorf("%v, %+v", err, h.Insurance)
	}
	few, err := profile.WhatIf(profile.Built()["st-moritz"],
		[]string{"table.boxes_from=none", "table.boxes_to=none", "table.boxes=3"})
	if err != nil || few.Rules.Table.Boxes != 3 {
		t.Errorf("three boxes: %v", err)
	}
	same, err := profile.WhatIf(profile.Built()["wiesbaden"], nil)
	if err != nil || same.Fingerprint != profile.Built()["wiesbaden"].Fingerprint {
		t.Errorf("without a change: %v", err)
	}
}

func TestWhatIfRefuses(t *testing.T) {
	for change, says := range map[string]string{
		"split":                                  "is no change",
		"=1":                                     "is no change",
		"split.max":                              "is no change",
		"split.maxi=1":                           `did you mean "max"`,
		"split=1":                                "whole number",
		"split.max=x":                            "whole number",
		"split.max=1\nsurrender: true":           "one line",
		"split.max=1 # surely":                   "one line",
		"pays.black_jack=6/5":                    "is not a ratio",
		"cards.decks=0":                          "0 decks do not fit a shoe",
		"cards.decks=1000":                       "1000 decks do not fit a shoe",
		"cards.decks=[1":                         "",
		"table.min=600":                          "below the minimum",
		"game=black-james":                       "is not played in Black James",
		"pays.five_card_trick=2:1":               "does nothing in the game black-jack",
		"table.step=0.75":                        "is not a multiple of the unit 0.50",
		"table.boxes_from=8":                     "7 is below boxes_from, 8: no table would do",
		"house=mine":                             "this is no rule",
		"table.currency=JPY":                     "in CHF, which has other decimals; write a house in JPY",
		"table.currency=XYZ":                     `"XYZ" is no currency`,
		"extends=baden":                          "this is no rule",
		"surrender=none":                         "cannot do without",
		"side_bets=none":                         "name the side bet",
		"side_bets.twins.pays.twins=2:1":         "no side bet",
		"side_bets.bust=5:2":                     "can only be none",
		"side_bets.bust.pays=5:2":                "name the line",
		"side_bets.bust.pays.twins=5:2":          "no line",
		"side_bets.bust.pays.bank-bust.x=5:2":    "no such key",
		"side_bets.bust.pays.bank-bust=jackpot":  "the house has no jackpot",
		"side_bets[9].least=1":                   "no side bet",
		"jackpot.seed=5":                         "is missing",
		"a b=1":                                  "no such key",
		"irregularities.unread-card=void-round":  "no choice between two rounds",
		strings.Repeat("a.", 2000) + "b=1":       "",
		"split.max=" + strings.Repeat("9", 5000): "",
	} {
		h, err := profile.WhatIf(profile.Built()["schaffhausen"], []string{change})
		if err == nil || h != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60q: %v", change, err)
		}
	}
}

// FuzzWhatIf: every change gives rules that can be played, or says what is wrong; and never changes the book.
func FuzzWhatIf(f *testing.F) {
	for _, change := range []string{
		"split.max=1", "pays.black_jack=6:5", "double.on=[9, 10]",
		"side_bets[0].pays[2].pays=5:1", "pays.bonus_black_jack=none", "side_bets.bust=none", "table.min=&a 1",
		"x.y={a: b}",
	} {
		f.Add(change)
	}
	book := profile.Built()
	f.Fuzz(func(t *testing.T, change string) {
		for name, h := range book {
			was := h.Fingerprint
			changed, err := profile.WhatIf(h, []string{change})
			if (err == nil) == (changed == nil) {
				t.Fatalf("%s: %v, %v", name, changed, err)
			}
			if err == nil && len(changed.Check()) > 0 {
				t.Fatalf("%s: %q can be set, and cannot be played: %v", name, change, changed.Check())
			}
			if string(h.Text()) != string(book[name].Text()) || h.Fingerprint != was {
				t.Fatalf("%s: %q changes the book", name, change)
			}
		}
	})
}

// TestWhatIfTwice: two changes of one key, whatever it is called, contradict each other unless they say the same.
func TestWhatIfTwice(t *testing.T) {
	for _, c := range []struct {
		changes []string
		good    bool
	}{
		{[]string{"split.max=1", "split.max=2"}, false},
		{[]string{"split.max=1", "surrender=false", "split.max=1"}, true},
		{[]string{"split.max=1", "split.aces_again=true"}, true},
		{[]string{"side_bets.perfect-pairs.pays.mixed-pair=5:1", "side_bets[0].pays[2].pays=7:1"}, false},
		{[]string{"side_bets.perfect-pairs.pays.mixed-pair=5:1", "side_bets[0].pays[2]=5:1"}, true},
		{
			[]string{"side_bets.perfect-pairs.pays.mixed-pair=5:1", "side_bets.perfect-pairs.pays.perfect-pair=30:1"},
			true,
		},
		{[]string{"side_bets.bust.most=100", "side_bets.bust=none"}, false},
	} {
		_, err := profile.WhatIf(profile.Built()["schaffhausen"], c.changes)
		if (err == nil) != c.good || err != nil && !strings.Contains(err.Error(), "it contradicts "+c.changes[0]) {
			t.Errorf("%v: %v", c.changes, err)
		}
	}
}

// TestWhatIfHints: a fault for which there is no hint ends without one.
func TestWhatIfHints(t *testing.T) {
	_, err := profile.WhatIf(profile.Built()["schaffhausen"], []string{"pays.black_jack=0:1"})
	if err == nil || strings.HasSuffix(err.Error(), "; ") {
		t.Errorf("%v", err)
	}
}
