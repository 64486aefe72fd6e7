package dealt_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

var (
	// rounds is how many rounds of each house are compared; "make bench" deals 100,000,000.
	rounds = flag.Int64("rounds", usualRounds, "rounds that each comparison deals")
	// states is where make bench keeps how far it is.
	states = flag.String("states", "", "folder with how far each house is, to go on from; empty for none")
)

// variant is a house with other rules, packs or boxes.
type variant struct {
	name, house string
	set         []string
	packs       int
	seen        string
	boxes       int
	// whole is never lean.
	whole bool
}

var houses = []variant{
	{name: "schaffhausen"},
	{name: "wiesbaden"},
	{name: "st-moritz"},
	{name: "st-moritz-65"},
	{name: "baden"},
	{name: "mendrisio"},
}

// variants have what no house has: what the analysis can get wrong there would not be seen in a house.
var variants = []variant{
	{name: "one pack", house: "st-moritz", packs: 1},
	{name: "two packs, no limit of splits", house: "schaffhausen", packs: 2},
	{name: "aces again", house: "st-moritz", set: []string{"split.aces_again=true"}},
	{
		name: "sevens after a split, 25:1", house: "mendrisio",
		set: []string{"three_sevens.after_split=true", "pays.three_sevens=25:1"},
	},
	{
		name: "one split, no doubling after it", house: "st-moritz",
		set: []string{"split.max=1", "double.after_split=false"},
	},
	{name: "no split", house: "st-moritz", set: []string{"split.max=0"}},
	{name: "a win pays 6:5", house: "st-moritz", set: []string{"pays.win=6:5"}},
	{name: "even money pays 6:1", house: "wiesbaden", set: []string{"pays.even_money=6:1"}},
	{
		name: "doubles of 10 and 11, soft ones too", house: "wiesbaden",
		set: []string{"double.on=[10, 11, 18]", "double.hard_only=false"},
	},
	{
		name: "tens and aces left", house: "schaffhausen", packs: 2, whole: true,
		seen: "2S 2H 2D 2C 3S 3H 3D 3C 4S 4H 4D 4C 5S 5H 5D 5C 6S 6H 6D 6C 2S 3S 4S 5S 6S 7S 7S",
	},
	{name: "seven boxes", house: "wiesbaden", boxes: 7},
	{name: "higher or lower, one pack", house: "baden", packs: 1},
	{
		name: "soft 17, original bets, late surrender", house: "schaffhausen",
		set: []string{
			"bank.soft_17=draws", "bank.black_jack_takes=original", "surrender_only.late=true",
			"surrender_only.after_split=true", "split.max=3",
		},
	},
	{
		name: "surrender of hard 14, after a split, not against an ace", house: "schaffhausen",
		set: []string{
			"surrender_only.hard_from=14", "surrender_only.after_split=true", "surrender_only.not_against_ace=true",
			"split.max=3",
		},
	},
	{
		name: "doubled on four cards, and once more", house: "st-moritz",
		set: []string{"double.most_cards=4", "double.again=true"},
	},
	{
		name: "split aces drawn, by rank, no eights", house: "st-moritz",
		set: []string{"split.aces_drawn=true", "split.by=rank", "split.never=8"},
	},
	{
		name: "draws below 12, rests from 15", house: "mendrisio",
		set: []string{
			"play.draw_below=12", "play.rest_from=15", "double.on=[]", "double.hard_only=false", "split.max=2",
		},
	},
	{name: "insurance against tens, even money", house: "wiesbaden", set: []string{"insurance.tens=true"}},
	{
		name: "a bank that pushes 22, wins ties, suited", house: "schaffhausen",
		set: []string{"bank.pushes_22=true", "bank.wins_ties=17, 18", "pays.black_jack_suited=2:1", "split.max=2"},
	},
	{
		name: "five cards win", house: "st-moritz",
		set: []string{`many_cards={cards: 5, pays: "3:2", after_split: true}`},
	},
	{
		name: "original bets and busted", house: "schaffhausen",
		set: []string{"bank.black_jack_takes=busted", "split.max=2", "surrender=false"},
	},
	{name: "packs without tens", house: "schaffhausen", set: []string{"cards.tens=false", "split.max=2"}},
	{
		name: "doubled once more, original bets", house: "st-moritz",
		set: []string{"double.again=true", "bank.black_jack_takes=original"},
	},
	{
		name: "a hole card is looked at, five cards win, sevens 25:1", house: "st-moritz",
		set: []string{
			"bank.hole_card=ace-and-ten", `many_cards={cards: 5, pays: "3:2", after_split: true}`,
			"pays.three_sevens=25:1",
		},
	},
	{
		name: "a hole card is looked at under tens, early surrender, doubled once more", house: "schaffhausen",
		set: []string{"bank.hole_card=ten", "double.again=true", "split.max=2"},
	},
	{
		name: "a hole card is looked at under aces, soft 17, late surrender", house: "schaffhausen",
		set: []string{
			"bank.hole_card=ace", "bank.soft_17=draws", "surrender_only.late=true", "surrender_only.after_split=true",
			"split.max=2",
		},
	},
	{
		name: "original bets, five cards win", house: "mendrisio",
		set: []string{
			"bank.black_jack_takes=original", `many_cards={cards: 5, pays: "3:2", after_split: true}`, "split.max=2",
		},
	},
}

// allOfBaden is the only box of Baden, with all cards.
var allOfBaden = variant{name: "all cards of Baden", house: "baden", whole: true}

// lean says that shoes have no twos, threes and eights, except for what is about whole packs: they are worked out many
// times faster, in the same way. In make soak they are full, and for whoever asks for another number of rounds.
func lean() bool { return !tier.InSoak() && *rounds == usualRounds }

func (v *variant) query(t testing.TB) odds.Query {
	t.Helper()
	if v.house == "" {
		v.house = v.name
	}
	house, err := profile.WhatIf(profile.Built()[v.house], v.set)
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Query{Rules: house.Rules, Shoe: odds.Full(house.Rules), Boxes: v.boxes}
	if v.packs > 0 {
		q.Shoe = odds.Packs(v.packs, house.Rules.Cards.Jokers)
	}
	var seen []card.Card
	if lean() && !v.whole {
		for c := range card.All {
			if slices.Contains([]card.Rank{2, 3, 8}, c.Rank()) {
				seen = append(seen, slices.Repeat([]card.Card{c}, q.Shoe.Of(c))...)
			}
		}
	}
	for i := 0; i < len(v.seen); i += 3 {
		var c card.Card
		if err := c.UnmarshalText([]byte(v.seen[i : i+2])); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, c)
	}
	if q.Shoe, err = q.Shoe.Without(seen); err != nil {
		t.Fatal(err)
	}
	return q
}

var (
	worked   = map[string]*odds.Report{}
	workedMu sync.Mutex
)

// report works a variant out, once for all tests.
func (v *variant) report(t testing.TB) *odds.Report {
	t.Helper()
	workedMu.Lock()
	defer workedMu.Unlock()
	if worked[v.name] == nil {
		report, err := odds.Work(context.Background(), v.query(t))
		if err != nil {
			t.Fatal(err)
		}
		worked[v.name] = report
	}
	return worked[v.name]
}

// TestEngineMeetsOdds deals each house by the engine under best play: the edge and how often a box wins lie within four
// standard errors of what is worked out, and the variance, whose figure takes split hands as independent, within a
// hundredth and that of so many rounds.
//
// Cards come from a fixed seed, so that chance cannot fail it.
func TestEngineMeetsOdds(t *testing.T) {
	for _, v := range append(houses[:len(houses):len(houses)], variants...) {
		t.Run(v.name, func(t *testing.T) {
			report := v.report(t)
			result, err := deal(t, &v, report)
			if err != nil {
				t.Fatal(err)
			}
			meets(t, report.Wagers[0], result)
			if alone := math.Sqrt(result.Variance / float64(result.Rounds) / float64(report.Boxes)); report.Boxes > 1 &&
				result.Error < 1.3*alone {
				t.Errorf("the error is %.6f, and %.6f if boxes knew nothing of each other: they share the bank's cards",
					result.Error, alone)
			}
		})
	}
}

func meets(t *testing.T, is odds.Wager, dealt *dealt.Result) {
	t.Helper()
	off := (dealt.Edge - is.Edge) / dealt.Error
	t.Logf("edge %9.6f, dealt %9.6f ± %.6f: %5.2f standard errors off; variance %.4f, dealt %.4f; hits %.4f, dealt "+
		"%.4f; %d rounds",
		is.Edge, dealt.Edge, dealt.Error, off, is.Variance, dealt.Variance, is.Hit, dealt.Hit, dealt.Rounds)
	n := float64(dealt.Rounds)
	if math.Abs(off) > 4 {
		t.Errorf("the edge is %.6f, dealt %.6f ± %.6f", is.Edge, dealt.Edge, dealt.Error)
	}
	if d := math.Abs(dealt.Variance/is.Variance - 1); d > .01+8/math.Sqrt(n) {
		t.Errorf("the variance is %.4f, dealt %.4f", is.Variance, dealt.Variance)
	}
	if d := math.Abs(dealt.Hit - is.Hit); d > .0005+4*math.Sqrt(is.Hit*(1-is.Hit)/n) {
		t.Errorf("a box wins with %.4f, dealt %.4f", is.Hit, dealt.Hit)
	}
}

// deal deals a variant on from where it was, if it was kept.
func deal(t *testing.T, v *variant, report *odds.Report) (*dealt.Result, error) {
	o := dealt.Options{Rounds: *rounds, Seed: 18}
	if *states == "" {
		return dealt.Deal(context.Background(), report, o)
	}
	name := filepath.Join(*states, v.name+".json")
	switch text, err := os.ReadFile(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		t.Fatal(err)
	default:
		if err := json.Unmarshal(text, &o.State); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Logf("%d rounds were dealt before", o.State.Rounds)
	}
	o.Told = func(s *dealt.State) {
		text, err := json.Marshal(s)
		if err == nil {
			if err = os.WriteFile(name+".new", text, 0o644); err == nil {
				err = os.Rename(name+".new", name)
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	return dealt.Deal(context.Background(), report, o)
}

// TestBankEnds lets the bank always draw, and compares how it ends with what is counted.
func TestBankEnds(t *testing.T) {
	v := variant{name: "schaffhausen"}
	report, always := *v.report(t), *v.report(t).Rules
	always.Bank.Draws = rules.DrawsAlways // changes nothing of the play
	report.Rules = &always
	result, err := dealt.Deal(context.Background(), &report, dealt.Options{Rounds: *rounds, Seed: 18})
	if err != nil {
		t.Fatal(err)
	}
	ends, err := odds.Totals(&report.Shoe, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := float64(result.Rounds)
	for end, exact := range ends {
		p, _ := exact.Float64()
		came := float64(result.Ends[end])
		t.Logf("%-10s %.5f, dealt %.5f", odds.End(end), p, came/n)
		if math.Abs(came-n*p) > 4*math.Sqrt(n*p*(1-p)) {
			t.Errorf("the bank ends with %s in %.5f of the rounds, dealt %.5f", odds.End(end), p, came/n)
		}
	}
}

// TestBadenFavoursTheBettor: on the only box a Five-Card-Trick is paid 3:2 always, since the bank draws for nobody.
func TestBadenFavoursTheBettor(t *testing.T) {
	tier.Soak(t, "TestEngineMeetsOdds deals for make test")
	report := allOfBaden.report(t)
	if report.Rules.Game != rules.BlackJames || math.Abs(report.Wagers[0].Edge+.02274) > 5e-6 {
		t.Fatalf("the edge of one box in Baden is %.6f, not -0.02274", report.Wagers[0].Edge)
	}
	result, err := dealt.Deal(context.Background(), report,
		dealt.Options{Rounds: int64(tier.Times(100_000, 300_000)), Seed: 18})
	if err != nil {
		t.Fatal(err)
	}
	if result.Edge > -5*result.Error {
		t.Errorf("dealt, it is %.6f ± %.6f", result.Edge, result.Error)
	}
}
