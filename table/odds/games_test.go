package odds

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/profile"
)

// publishedGames are what whole games return by Michael Shackleford's Blackjack Appendix 9: four hands at most, aces
// split once, any two cards doubled. His values of splits know how many hands there are, and not what they have drawn.
// (wizardofodds.com/games/blackjack/appendix/9)
var publishedGames = []struct {
	name    string
	rules   []string
	returns float64
}{
	{"euro-6dh17r4", []string{"bank.soft_17=draws"}, -.0072705},
	{"euro-6dh17r4, no double after a split", []string{"bank.soft_17=draws", "double.after_split=false"}, -.0086975},
	{"euro-8dh17r4", []string{"bank.soft_17=draws", "cards.decks=8"}, -.007562},
	{
		"euro-8dh17r4, no double after a split",
		[]string{"bank.soft_17=draws", "cards.decks=8", "double.after_split=false"},
		-.0089865,
	},
	{"1ds17r4", []string{"bank.black_jack_takes=original", "cards.decks=1"}, .001839},
	{
		"1ds17r4, no double after a split",
		[]string{"bank.black_jack_takes=original", "cards.decks=1", "double.after_split=false"},
		.000423,
	},
	{"1dh17r4", []string{"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=1"}, -.000072},
	{
		"1dh17r4, no double after a split",
		[]string{
			"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=1", "double.after_split=false",
		},
		-.001513,
	},
	{"2dh17r4", []string{"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=2"}, -.003797},
	{
		"2dh17r4, no double after a split",
		[]string{
			"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=2", "double.after_split=false",
		},
		-.005252,
	},
	{"5dh17r4", []string{"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=5"}, -.005918},
	{
		"5dh17r4, no double after a split",
		[]string{
			"bank.black_jack_takes=original", "bank.soft_17=draws", "cards.decks=5", "double.after_split=false",
		},
		-.007366,
	},
	{"5ds17r4", []string{"bank.black_jack_takes=original", "cards.decks=5"}, -.003804},
	{
		"5ds17r4, no double after a split",
		[]string{"bank.black_jack_takes=original", "cards.decks=5", "double.after_split=false"},
		-.005225,
	},
}

// gameWithin is how much a whole game may differ from what is published of it: a hundredth of a per cent.
const gameWithin = 1e-4

// TestPublishedGames compares whole games.
func TestPublishedGames(t *testing.T) {
	plain, err := profile.WhatIf(profile.Built()["schaffhausen"],
		[]string{"surrender=false", "three_sevens.paid=false", "split.max=3"})
	if err != nil {
		t.Fatal(err)
	}
	for nth, c := range publishedGames {
		if nth%5 != 0 && !tier.InSoak() {
			continue // each takes a second or two
		}
		h, err := profile.WhatIf(plain, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		got := mainOf(t, h.Rules).Mean
		t.Logf("%s: %.6f, published is %.6f", c.name, got, c.returns)
		if math.Abs(got-c.returns) > gameWithin {
			t.Errorf("%s: %.6f, published is %.6f", c.name, got, c.returns)
		}
	}
}
