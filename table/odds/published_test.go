package odds

import (
	"context"
	"math"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// whatIf is a house with other values.
func whatIf(t testing.TB, house string, changes ...string) *rules.Rules {
	t.Helper()
	h, err := profile.WhatIf(profile.Built()[house], changes)
	if err != nil {
		t.Fatal(err)
	}
	return h.Rules
}

func mainOf(t testing.TB, r *rules.Rules) *Main {
	t.Helper()
	s := Full(r)
	m, err := blackJackMain(context.Background(), r, &s, 1, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestPublishedBank compares how the bank ends with the tables of Michael Shackleford, Blackjack Appendix 2B, one pack,
// standing on soft 17, before anybody looks for a Black Jack. (wizardofodds.com/games/blackjack/appendix/2b)
func TestPublishedBank(t *testing.T) {
	s := Packs(1, 0)
	for rank, want := range map[card.Rank][Ends]float64{
		card.Ace: {.126128, .131003, .129486, .131553, .0515646, .313726, .11654},
		2:        {.138976, .131762, .131815, .123948, .120526, 0, .352973},
		3:        {.130313, .130946, .123761, .123345, .116047, 0, .375588},
		4:        {.130973, .114163, .120679, .116286, .115096, 0, .402803},
		5:        {.119687, .123483, .116909, .104694, .106321, 0, .428905},
		6:        {.166948, .106454, .107192, .100705, .0978785, 0, .420823},
		7:        {.372345, .138583, .0773344, .0788967, .072987, 0, .259854},
		8:        {.130857, .362989, .129445, .0682898, .0697914, 0, .238627},
	} {
		ends, err := Totals(&s, rank)
		if err != nil {
			t.Fatal(err)
		}
		for end, p := range want {
			if got := float(ends[end]); math.Abs(got-p) > 1e-6 {
				t.Errorf("first card %d: the bank ends with %s with %.7f, published is %.7f", rank, End(end), got, p)
			}
		}
	}
}

// TestPublishedHands compares what the calls are worth with his Blackjack Appendix 9, one pack, standing on soft 17,
// against an ace. His bank has looked for a Black Jack and has none; what is lost to one is taken off here.
// (wizardofodds.com/games/blackjack/appendix/9/1ds17r4)
func TestPublishedHands(t *testing.T) {
	m := mainOf(t, whatIf(t, "schaffhausen", "cards.decks=1", "surrender=false"))
	const none = 16. / 49 // how likely the bank has a Black Jack against two cards without a ten
	for _, c := range []struct {
		cards              [2]card.Rank
		rest, card, double float64
	}{
		{[2]card.Rank{2, 1}, -.661732, -.067808, -.593281},
		{[2]card.Rank{3, 1}, -.661047, -.100568, -.595803},
		{[2]card.Rank{3, 2}, -.659375, -.291565, -1.318751},
		{[2]card.Rank{4, 1}, -.658818, -.153931, -.619882},
		{[2]card.Rank{4, 2}, -.658712, -.334901, -1.295655},
		{[2]card.Rank{4, 3}, -.657967, -.345048, -1.126423},
		{[2]card.Rank{5, 1}, -.659151, -.206061, -.656070},
		{[2]card.Rank{5, 2}, -.657529, -.331115, -1.125237},
		{[2]card.Rank{5, 3}, -.656761, -.217133, -.793964},
		{[2]card.Rank{5, 4}, -.654533, -.070215, -.395771},
		{[2]card.Rank{6, 1}, -.482815, -.199899, -.527213},
		{[2]card.Rank{6, 2}, -.639160, -.225772, -.799095},
		{[2]card.Rank{6, 3}, -.638344, -.078495, -.401329},
		{[2]card.Rank{6, 4}, -.636118, .081506, .048615},
		{[2]card.Rank{6, 5}, -.634013, .172946, .240259},
		{[2]card.Rank{7, 1}, -.101015, -.108386, -.357778},
	} {
		cell := m.Hand([]card.Card{card.Of(c.cards[0], card.Spades), card.Of(c.cards[1], card.Hearts)},
			card.Of(card.Ace, card.Clubs))
		for call, published := range map[vocab.Call]float64{
			vocab.CallRest: c.rest, vocab.CallCard: c.card,
			vocab.CallDouble: c.double,
		} {
			stakes := 1.
			if call == vocab.CallDouble {
				stakes = 2
			}
			want := (1-none)*published - none*stakes
			for _, w := range cell.Worth {
				if w.Call == call && math.Abs(w.Mean-want) > 1e-6 {
					t.Errorf("%d-%d against an ace: %s is worth %.6f, published is %.6f", c.cards[0], c.cards[1], call,
						w.Mean, want)
				}
			}
		}
	}
}

// TestPublishedPairs compares Perfect Pairs with his page on it, eight packs, four paytables, and two packs.
// (wizardofodds.com/games/ blackjack/side-bets/perfect-pairs)
func TestPublishedPairs(t *testing.T) {
	for _, c := range []struct {
		packs     string
		pays      [3]string // perfect, coloured, mixed
		comesBack float64
	}{
		{"8", [3]string{"25:1", "12:1", "6:1"}, -.040964},
		{"8", [3]string{"30:1", "10:1", "5:1"}, -.033735},
		{"8", [3]string{"25:1", "12:1", "5:1"}, -.079518},
		{"8", [3]string{"25:1", "15:1", "5:1"}, -.021687},
		{"2", [3]string{"25:1", "12:1", "6:1"}, -.223301},
	} {
		const bet = "side_bets.perfect-pairs.pays."
		r := whatIf(t, "schaffhausen", "cards.decks="+c.packs, bet+"perfect-pair="+c.pays[0], bet+"coloured-pair="+
			c.pays[1], bet+"mixed-pair="+c.pays[2])
		w := sideOf(t, r, sidebet.PerfectPairs.String())
		if math.Abs(w.Edge+c.comesBack) > 1e-6 {
			t.Errorf("%s packs, %v: the edge is %.6f, published is %.6f", c.packs, c.pays, w.Edge, -c.comesBack)
		}
	}
}

func sideOf(t testing.TB, r *rules.Rules, name string) Wager {
	t.Helper()
	list, err := Sides(Query{Rules: r, Shoe: Full(r)})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		if w.Name == name {
			return w
		}
	}
	t.Fatalf("%s has no %s", r.House, name)
	return Wager{}
}

// TestPublishedRules compares what rules are worth with the list of blackjackreview.com, "Blackjack Rule Variations and
// Odds", six packs, in hundredths, and with the usual figure for a bank without a hole card.
func TestPublishedRules(t *testing.T) {
	tier.Soak(t, "six games are worked out, each for seconds; table/odds/dealt has one compared in make test")
	plain, err := profile.WhatIf(profile.Built()["schaffhausen"],
		[]string{"surrender=false", "three_sevens.paid=false", "split.max=3"})
	if err != nil {
		t.Fatal(err)
	}
	edge := func(more ...string) float64 {
		h, err := profile.WhatIf(plain, more)
		if err != nil {
			t.Fatal(err)
		}
		return -mainOf(t, h.Rules).Mean
	}
	base := edge()
	for _, c := range []struct {
		rule      string
		change    string
		published float64
		within    float64
	}{
		{"no double after a split", "double.after_split=false", .14, .01},
		{"Black Jack pays 6:5", "pays.black_jack=6:5", 1.36, .005},
		{"Black Jack pays 2:1", "pays.black_jack=2:1", -2.3, .05},
		{"surrender, also against an ace and a ten", "surrender=true", -.39 - .24 - .002, .01},
		{"aces again", "split.aces_again=true", -.07, .02},
	} {
		if got := 100 * (edge(c.change) - base); math.Abs(got-c.published) > c.within {
			t.Errorf("%s: %+.3f, published is %+.3f", c.rule, got, c.published)
		}
	}
}
