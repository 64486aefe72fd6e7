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
	{"1ds17r4, with a hole card", []string{"bank.hole_card=ace-and-ten", "cards.decks=1"}, .001839},
	{
		"5dh17r4, with a hole card",
		[]string{"bank.hole_card=ace-and-ten", "bank.soft_17=draws", "cards.decks=5"},
		-.005918,
	},
	{"euro-6dh17r4, nobody looks", []string{"bank.hole_card=end", "bank.soft_17=draws"}, -.0072705},
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

// TestPublishedPush compares how likely a bank that draws on soft 17 has 22 with Michael Shackleford's page on the
// rule. (wizardofodds.com/games/blackjack/push-22)
func TestPublishedPush(t *testing.T) {
	for _, c := range []struct {
		packs     string
		published float64
	}{{"1", .073362}, {"2", .073470}, {"3", .073504}, {"6", .073536}, {"8", .073544}} {
		r := whatIf(t, "schaffhausen", "bank.pushes_22=true", "cards.decks="+c.packs, "bank.soft_17=draws")
		s := Full(r)
		sum := totals{left: s.points(), size: s.Size(), bank: drawsOf(s.bank)}
		for up := range sum.left {
			sum.from(up)
		}
		if got := float(sum.sum(end22)); math.Abs(got-c.published) > 1e-6 {
			t.Errorf("%s packs: the bank has 22 with %.6f, published is %.6f", c.packs, got, c.published)
		}
	}
}

// changes are what rules are worth in per cent of the edge, beside a hole card, or original bets only, which comes to
// the same.
type changes struct {
	list, from string
	base       []string
	each       []change
}

type change struct {
	name              string
	rules             []string
	published, within float64
}

var sixPacks = changes{
	"blackjackreview.com, Blackjack Rule Variations and Odds",
	"six packs, no double after a split, four hands, aces split once",
	[]string{"double.after_split=false"},
	[]change{
		{"the bank draws on soft 17", []string{"bank.soft_17=draws"}, .20, .02},
		{"late surrender", []string{"surrender=true", "surrender_only.late=true"}, -.08, .01},
		{"double after a split", []string{"double.after_split=true"}, -.14, .01},
		{"aces again", []string{"split.aces_again=true"}, -.07, .01},
		{"Black Jack pays 6:5", []string{"pays.black_jack=6:5"}, 1.36, .01},
	},
}

var eightPacks = changes{
	"21blackjack.net, Rule Variations",
	"eight packs, double after a split, four hands, aces split once",
	[]string{"cards.decks=8"},
	[]change{
		{"seven cards win", []string{`many_cards={cards: 7, pays: "1:1", after_split: false}`}, -.01, .01},
		{"split aces drawn", []string{"split.aces_drawn=true"}, -.19, .01},
		{"aces again", []string{"split.aces_again=true"}, -.08, .01},
		{"no hole card", []string{"bank.black_jack_takes=all"}, .11, .01},
		{"the bank draws on soft 17", []string{"bank.soft_17=draws"}, .22, .01},
		{"no double after a split", []string{"double.after_split=false"}, .14, .01},
		{"double on 10 and 11", []string{"double.on=[10, 11]", "double.hard_only=true"}, .18, .01},
		{"the bank wins ties on 17", []string{"bank.wins_ties=17"}, 1.87, .07},
	},
}

var beforeTheLook = changes{
	"wizardofodds.com, Rule Variations",
	"eight packs, a hole card that is looked at under ace and ten",
	[]string{"cards.decks=8", "bank.hole_card=ace-and-ten"},
	[]change{
		{
			"early surrender against ten",
			[]string{"surrender=true", "surrender_only.not_against_ace=true"},
			-.24,
			.01,
		},
		{"early surrender against ace and ten", []string{"surrender=true"}, -.63, .01},
	},
}

var besideALook = changes{
	"casinoblackjackplay.com, Blackjack 5 card rules",
	"eight packs, a hole card that is looked at under ace and ten",
	[]string{"cards.decks=8", "bank.hole_card=ace-and-ten"},
	[]change{
		{"five cards win", []string{`many_cards={cards: 5, pays: "1:1", after_split: false}`}, -1.46, .05},
		{"six cards win", []string{`many_cards={cards: 6, pays: "1:1", after_split: false}`}, -.16, .02},
	},
}

// TestPublishedChanges compares what rules are worth with four lists in hundredths of a per cent.
func TestPublishedChanges(t *testing.T) {
	tier.Soak(t, "each game is worked out for a second or two")
	for _, list := range []changes{sixPacks, eightPacks, beforeTheLook, besideALook} {
		base, err := profile.WhatIf(profile.Built()["schaffhausen"], append([]string{
			"surrender=false", "three_sevens.paid=false", "split.max=3", "bank.black_jack_takes=original",
		}, list.base...))
		if err != nil {
			t.Fatal(err)
		}
		edge := func(changes ...string) float64 {
			h, err := profile.WhatIf(base, changes)
			if err != nil {
				t.Fatal(err)
			}
			return -100 * mainOf(t, h.Rules).Mean
		}
		plain := edge()
		t.Logf("%s: %.3f %%", list.from, plain)
		for _, c := range list.each {
			got := edge(c.rules...) - plain
			t.Logf("%s: %+.3f, published is %+.2f", c.name, got, c.published)
			if math.Abs(got-c.published) > c.within {
				t.Errorf("%s, %s: %+.3f, published is %+.2f", list.list, c.name, got, c.published)
			}
		}
	}
}
