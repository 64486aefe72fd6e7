package docs

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

const oddsPage = "odds.md"

// part is a part of the page that is worked out, between its marks.
type part struct {
	name string
	make func(*testing.T) string
}

// TestOddsPage compares the tables that are known beforehand, and of what has to be worked out what takes a second or
// two.
func TestOddsPage(t *testing.T) {
	page := readPage(t, oddsPage)
	for _, p := range []part{{"edges", edgesTable}, {"lines", linesTable}} {
		if _, is, _ := partOf(t, page, p.name); is != p.make(t) {
			t.Errorf("%s, %s: it is not what is known: run go test ./docs -run AllOdds -rewrite", oddsPage, p.name)
		}
	}
	_, charts, _ := partOf(t, page, "charts")
	if !strings.Contains(charts, chartText(t, profile.Built()["baden"])) {
		t.Errorf("%s has another chart of baden: run go test ./docs -run AllOdds -rewrite", oddsPage)
	}
	_, published, _ := partOf(t, page, "published")
	var quick publishedRows
	quick.ofOnePack(t)
	quick.ofSides(t)
	for line := range strings.Lines(quick.String()) {
		if !strings.Contains(published, line) {
			t.Errorf("%s lacks the line %s: run go test ./docs -run AllOdds -rewrite", oddsPage, line)
		}
	}
}

// TestEuropeanGame compares what the text says of a game without a hole card.
func TestEuropeanGame(t *testing.T) {
	page := strings.Join(strings.Fields(readPage(t, oddsPage)), " ")
	const again = "split.aces_again=true"
	as, _ := dealt.Known(profile.Built()["wiesbaden"].Rules)
	before, _, found := strings.Cut(page, "(`sabot rules odds --house wiesbaden --set "+again+" --wager main`)")
	sentence := before[strings.LastIndex(before, ". ")+1:]
	for _, edge := range []float64{as[0].Edge, worked(t, changed(t, "wiesbaden", again)).Wagers[0].Edge} {
		if want := fmt.Sprintf("%.3f %%", 100*edge); !found || !strings.Contains(sentence, want) {
			t.Errorf("%s has no %s before the command that gives it: %s", oddsPage, want, sentence)
		}
	}
}

// TestAllOddsOnThePage makes all parts of the page that are worked out, and compares them.
func TestAllOddsOnThePage(t *testing.T) {
	if !rewrite() {
		tier.Soak(t, "every house's best play is worked out, and that of every published change of rules")
	}
	page := readPage(t, oddsPage)
	want := page
	for _, p := range []part{
		{"edges", edgesTable},
		{"lines", linesTable},
		{"charts", chartsOf},
		{"published", publishedTable},
		{"keys", keysTable},
	} {
		head, _, tail := partOf(t, want, p.name)
		want = head + p.make(t) + tail
	}
	if want == page {
		return
	}
	if !rewrite() {
		t.Fatalf("%s is not what is worked out: run go test ./docs -run AllOdds -rewrite", oddsPage)
	}
	if err := os.WriteFile(oddsPage, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// partOf cuts a part out of the page; its marks stay with what is around it.
func partOf(t *testing.T, page, name string) (head, part, tail string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->"
	head, rest, opened := strings.Cut(page, begin)
	part, tail, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has nothing between %q and %q", oddsPage, begin, end)
	}
	return head + begin, part, end + tail
}

func eachHouse(t *testing.T, yield func(h *profile.House, wagers []odds.Wager)) {
	book := profile.Built()
	for _, name := range book.Names() {
		wagers, ok := dealt.Known(book[name].Rules)
		if !ok {
			t.Fatalf("%s is not known: go test ./table/odds/dealt -rewrite", name)
		}
		yield(book[name], wagers)
	}
}

func edgesTable(t *testing.T) string {
	var s strings.Builder
	s.WriteString("| house | wager | edge | of the least stake | deviation | variance | wins of 1,000 | " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	eachHouse(t, func(h *profile.House, wagers []odds.Wager) {
		for _, w := range wagers {
			least := odds.LeastStake(h.Rules, w.Name)
			fmt.Fprintf(&s, "| %s | `%s` | %.3f %% | %.4f of %.2f | %.3f | %.3f | %.2f | %s |\n", h.House, w.Name,
				100*w.Edge,
				w.Edge*float64(least)/100, float64(least)/100, math.Sqrt(w.Variance), w.Variance, 1000*w.Hit,
				w.HowFound())
			if long := w.LongRun; long != nil {
				fmt.Fprintf(&s,
					"| %s | `%s`, [in the long run](#the-jackpot) | %.3f %% | %.4f of %.2f | | | | exact |\n", h.House,
					w.Name, 100**long, *long*float64(least)/100, float64(least)/100)
			}
		}
	})
	return s.String()
}

func linesTable(t *testing.T) string {
	var s strings.Builder
	s.WriteString("| house | wager | line | pays | comes | of 1,000 | worth |\n|---|---|---|---|---|---|---|\n")
	eachHouse(t, func(h *profile.House, wagers []odds.Wager) {
		for _, w := range wagers {
			for _, l := range w.Lines {
				exactly, worth := "", ""
				if l.Probability != nil {
					exactly = l.Probability.RatString()
				}
				if l.Worth != 0 {
					worth = fmt.Sprintf("%.3f %%", 100*l.Worth)
				}
				fmt.Fprintf(&s, "| %s | `%s` | `%s` | %s | %s | %.4f | %s |\n", h.House, w.Name, l.Name, l.Pays,
					exactly, 1000*l.P, worth)
			}
		}
	})
	return s.String()
}

func chartsOf(t *testing.T) string {
	var s strings.Builder
	book := profile.Built()
	for _, name := range book.Names() {
		s.WriteString(chartText(t, book[name]))
	}
	return s.String()
}

// chartText is the section with the chart of a house.
func chartText(t *testing.T, h *profile.House) string {
	var s strings.Builder
	fmt.Fprintf(&s, "### %s\n\n```text", h.Title)
	c := chartOf(t, h.Rules)
	if err := c.Text(&s); err != nil {
		t.Fatal(err)
	}
	s.WriteString("```\n\n")
	return s.String()
}

func chartOf(t *testing.T, r *rules.Rules) odds.Chart {
	report := worked(t, r)
	if report.James != nil {
		return report.James.Chart()
	}
	return report.Main.Chart()
}

func worked(t *testing.T, r *rules.Rules) *odds.Report {
	t.Helper()
	report, err := odds.Work(context.Background(), odds.Query{Rules: r, Shoe: odds.Full(r)})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func changed(t *testing.T, house string, changes ...string) *rules.Rules {
	t.Helper()
	return changedHouse(t, profile.Built()[house], changes...).Rules
}

func changedHouse(t *testing.T, h *profile.House, changes ...string) *profile.House {
	t.Helper()
	h, err := profile.WhatIf(h, changes)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The sources of published figures.
const (
	shackleford2B = "M. Shackleford, [Blackjack Appendix 2B](https://wizardofodds.com/games/blackjack/appendix/2b/)"
	shackleford   = "M. Shackleford, [Rule Variations](https://wizardofodds.com/games/blackjack/rule-variations/)"
	shackleford9  = "M. Shackleford, [Blackjack Appendix " +
		"9](https://wizardofodds.com/games/blackjack/appendix/9/1ds17r4/)"
	perfectPairs = "M. Shackleford, [Perfect Pairs](https://wizardofodds.com/games/blackjack/side-bets/perfect-pairs/)"
	sideBets     = "[Side bets, " +
		"analysed](https://onlinecasinositeinfo.com/mathematical-analysis-of-blackjack-side-bets)"
	krigman = "A. Krigman, [On " +
		"insurance](https://online.casinocity.com/article/" +
		"are-there-conditions-under-which-insurance-is-a-good-bet-48592)"
	variations   = "[Blackjack rule variations](https://www.blackjackreview.com/wp/blackjack-rule-variations/)"
	appendix9    = "M. Shackleford, [Blackjack Appendix 9](https://wizardofodds.com/games/blackjack/appendix/9/)"
	atlanticCity = "[Rule variations, eight packs](http://www.21blackjack.net/card/)"
	charlies     = "[Blackjack 5 card rules](http://casinoblackjackplay.com/BlackjackRules/blackjack-5-card-rules)"
	rare         = "[Rare blackjack rules](https://888casino.com/blog/rare-blackjack-rules)"
	europeanGold = "[European Gold](https://debitcardcasino.ca/blackjack/?p=311)"
)

// publishedRows puts published figures beside ours, a row each.
type publishedRows struct{ strings.Builder }

func (s *publishedRows) row(source, what string, theirs, ours float64, digits int) {
	fmt.Fprintf(s, "| %s | %s | %.*f %% | %.*f %% | %+.*f |\n", source, what,
		digits, theirs, digits, ours, digits, ours-theirs)
}

func publishedTable(t *testing.T) string {
	var s publishedRows
	s.WriteString("| source | what | theirs | ours | difference |\n|---|---|---|---|---|\n")
	s.ofOnePack(t)
	s.ofSides(t)
	s.ofChanges(t)
	s.ofGames(t)
	s.beside(t, variations, "six packs, no double after a split", sixPacks, "double.after_split=false")
	s.beside(t, atlanticCity, "eight packs", eightPacks, "cards.decks=8")
	s.early(t)
	s.manyCards(t)
	return s.String()
}

// noOptions is the game from which those of the lists differ, with so many changes more.
func noOptions(t *testing.T, more ...string) *profile.House {
	t.Helper()
	return changedHouse(t, profile.Built()["schaffhausen"],
		append([]string{"surrender=false", "three_sevens.paid=false", "split.max=3"}, more...)...)
}

const (
	original   = "bank.black_jack_takes=original" // comes to the same as a hole card
	onSoft17   = "bank.soft_17=draws"
	notOnSplit = "double.after_split=false"
)

// ofGames are whole games.
func (s *publishedRows) ofGames(t *testing.T) {
	for _, c := range []struct {
		what       string
		set        []string
		theirs, no float64 // with and without doubling after a split
	}{
		{"six packs, the bank draws on soft 17, no hole card", []string{onSoft17}, .72705, .86975},
		{"eight packs, the bank draws on soft 17, no hole card", []string{onSoft17, "cards.decks=8"}, .7562, .89865},
		{"one pack, original bets only", []string{original, "cards.decks=1"}, -.1839, -.0423},
		{"one pack, soft 17 drawn on, original bets only", []string{original, onSoft17, "cards.decks=1"}, .0072, .1513},
		{
			"two packs, soft 17 drawn on, original bets only",
			[]string{original, onSoft17, "cards.decks=2"},
			.3797,
			.5252,
		},
		{"five packs, original bets only", []string{original, "cards.decks=5"}, .3804, .5225},
		{
			"five packs, soft 17 drawn on, original bets only",
			[]string{original, onSoft17, "cards.decks=5"},
			.5918,
			.7366,
		},
	} {
		s.row(appendix9, c.what, c.theirs, 100*worked(t, noOptions(t, c.set...).Rules).Wagers[0].Edge, 3)
		s.row(appendix9, "the same, no double after a split", c.no,
			100*worked(t, noOptions(t, append(c.set, notOnSplit)...).Rules).Wagers[0].Edge, 3)
	}
}

// besideHole is what a change is worth in a game with a hole card.
type besideHole struct {
	what   string
	theirs float64
	change []string
}

var sixPacks = []besideHole{
	{"the bank draws on soft 17", .20, []string{onSoft17}},
	{"late surrender", -.08, []string{"surrender=true", "surrender_only.late=true"}},
	{"double after a split", -.14, []string{"double.after_split=true"}},
	{"aces again", -.07, []string{"split.aces_again=true"}},
	{"Black Jack pays 6:5", 1.36, []string{"pays.black_jack=6:5"}},
}

var eightPacks = []besideHole{
	{"no hole card, all bets lost", .11, []string{"bank.black_jack_takes=all"}},
	{"the bank draws on soft 17", .22, []string{onSoft17}},
	{"late surrender", -.07, []string{"surrender=true", "surrender_only.late=true"}},
	{"split aces drawn", -.19, []string{"split.aces_drawn=true"}},
	{"aces again", -.08, []string{"split.aces_again=true"}},
	{"no double after a split", .14, []string{notOnSplit}},
	{"double on 10 and 11 alone", .18, []string{"double.on=[10, 11]"}},
	{"seven cards win", -.01, []string{`many_cards={cards: 7, pays: "1:1", after_split: false}`}},
	{"the bank wins ties on 17", 1.87, []string{"bank.wins_ties=17"}},
}

// beside are changes beside a hole card.
func (s *publishedRows) beside(t *testing.T, source, game string, list []besideHole, base ...string) {
	house := noOptions(t, append([]string{original}, base...)...)
	edge := func(change ...string) float64 {
		return 100 * worked(t, changedHouse(t, house, change...).Rules).Wagers[0].Edge
	}
	plain := edge()
	for _, c := range list {
		s.row(source, game+", original bets only: "+c.what, c.theirs, edge(c.change...)-plain, 2)
	}
}

// early is what an early surrender is worth beside a hole card, which the dealer looks at afterwards.
func (s *publishedRows) early(t *testing.T) {
	house := noOptions(t, "bank.hole_card=ace-and-ten", "cards.decks=8")
	edge := func(change ...string) float64 {
		return 100 * worked(t, changedHouse(t, house, change...).Rules).Wagers[0].Edge
	}
	plain, both := edge(), edge("surrender=true")
	ten := edge("surrender=true", "surrender_only.not_against_ace=true")
	const game = "eight packs, a hole card: surrender before the look, "
	s.row(shackleford, game+"against an ace", -.39, both-ten, 2)
	s.row(shackleford, game+"against a ten", -.24, ten-plain, 2)
}

// manyCards is what hands of many cards are worth beside a hole card: nobody has one when the bank has a Black Jack.
func (s *publishedRows) manyCards(t *testing.T) {
	house := noOptions(t, "bank.hole_card=ace-and-ten", "cards.decks=8")
	edge := func(change ...string) float64 {
		return 100 * worked(t, changedHouse(t, house, change...).Rules).Wagers[0].Edge
	}
	plain := edge()
	for _, c := range []struct {
		cards  string
		theirs float64
	}{{"5", -1.46}, {"6", -.16}, {"7", -.01}} {
		won := edge("many_cards={cards: " + c.cards + `, pays: "1:1", after_split: false}`)
		s.row(charlies, "eight packs, a hole card: "+c.cards+" cards win", c.theirs, won-plain, 2)
	}
	s.row(rare, "eight packs, a hole card: Black Jack pays 1:1", 2.27, edge("pays.black_jack=1:1")-plain, 2)
}

// keysTable is what keys are worth of which no list has a figure.
func keysTable(t *testing.T) string {
	house := noOptions(t, original, "cards.decks=8")
	edge := func(change string) float64 {
		return 100 * worked(t, changedHouse(t, house, change).Rules).Wagers[0].Edge
	}
	plain := edge(original)
	var s strings.Builder
	s.WriteString("| key | changes the edge by |\n|---|---|\n")
	for _, change := range []string{
		"double.most_cards=21", "double.again=true", "double.on=[9, 10, 11]", "double.hard_only=true", "split.max=1",
		"split.max=2", "split.by=rank", "split.never=4, 5, 10", "split.never=A", "pays.black_jack_suited=2:1",
		"bank.pushes_22=true", "bank.black_jack_takes=busted", "cards.tens=false", "play.draw_below=12",
		"play.rest_from=17",
	} {
		fmt.Fprintf(&s, "| `%s` | %+.2f |\n", change, edge(change)-plain)
	}
	return s.String()
}

// ofOnePack are the bank's totals and hands of one pack.
func (s *publishedRows) ofOnePack(t *testing.T) {
	one := odds.Packs(1, 0)
	for _, c := range []struct {
		rank card.Rank
		what string
		over float64
	}{{card.Ace, "an ace", 11.654}, {2, "a two", 35.2973}, {6, "a six", 42.0823}, {8, "an eight", 23.8627}} {
		ends, err := odds.Totals(&one, c.rank)
		if err != nil {
			t.Fatal(err)
		}
		ours, _ := ends[odds.EndOver].Float64()
		s.row(shackleford2B, "one pack: the bank goes over 21 from "+c.what, c.over, 100*ours, 4)
	}
	pack := worked(t, changed(t, "schaffhausen", "cards.decks=1", "surrender=false")).Main
	for _, c := range []struct {
		hand   string
		cards  [2]card.Rank
		call   vocab.Call
		theirs float64
	}{
		{"6-5, double", [2]card.Rank{6, 5}, vocab.CallDouble, .240259},
		{"7-A, rest", [2]card.Rank{7, 1}, vocab.CallRest, -.101015},
		{"5-3, card", [2]card.Rank{5, 3}, vocab.CallCard, -.217133},
		{"4-2, card", [2]card.Rank{4, 2}, vocab.CallCard, -.334901},
	} {
		cell := pack.Hand([]card.Card{card.Of(c.cards[0], card.Spades), card.Of(c.cards[1], card.Hearts)},
			card.Of(card.Ace, card.Clubs))
		stakes := 1.
		if c.call == vocab.CallDouble {
			stakes = 2
		}
		for _, w := range cell.Worth {
			if w.Call == c.call {
				const natural = 16. / 49
				s.row(shackleford9, "one pack, "+c.hand+" against an ace without Black Jack", 100*c.theirs,
					100*(w.Mean+natural*stakes)/(1-natural), 4)
			}
		}
	}
}

// ofSides are side bets and insurance, which are counted.
func (s *publishedRows) ofSides(t *testing.T) {
	pairs := func(packs int) float64 {
		return 100 * sideEdge(t, changed(t, "schaffhausen", fmt.Sprint("cards.decks=", packs)), "perfect-pairs")
	}
	s.row(perfectPairs, "Perfect Pairs 25, 12 and 6:1, eight packs", 4.0964, pairs(8), 4)
	s.row(perfectPairs, "the same, two packs", 22.3301, pairs(2), 4)
	s.row(sideBets, "the same, six packs", 6.11, pairs(6), 2)
	for _, p := range tabletest.PublishedBets {
		h, err := p.House()
		if err != nil {
			t.Fatal(err)
		}
		s.row(p.Source, p.What, 100*p.Edge, 100*sideEdge(t, h.Rules, p.Bet.String()), p.Digits)
	}
	insured := sideEdge(t, changed(t, "schaffhausen"), "insurance")
	s.row(krigman, "insuring half the stake against every ace, six packs", .28, 100*insured/2/13, 2)
	s.row(krigman, "insurance, eight packs; the formula that he gives comes to 7.47", 7.7,
		100*sideEdge(t, changed(t, "schaffhausen", "cards.decks=8"), "insurance"), 2)
}

// ofChanges is what changes of the rules cost a player.
func (s *publishedRows) ofChanges(t *testing.T) {
	plain := changedHouse(t, profile.Built()["schaffhausen"], "surrender=false", "three_sevens.paid=false",
		"split.max=3")
	edge := func(more ...string) float64 {
		return 100 * worked(t, changedHouse(t, plain, more...).Rules).Wagers[0].Edge
	}
	base := edge()
	for _, c := range []struct {
		what, change string
		theirs       float64
	}{
		{"no double after a split", "double.after_split=false", .14},
		{"Black Jack pays 6:5", "pays.black_jack=6:5", 1.36},
		{"Black Jack pays 2:1", "pays.black_jack=2:1", -2.3},
		{"surrender before the bank looks, against ace, ten and nine", "surrender=true", -.632},
		{"split aces again", "split.aces_again=true", -.07},
		{"no second split", "split.max=1", .04},
		{"double on 9, 10 and 11 alone", "double.on=[9, 10, 11]", .09},
		{"two packs for six", "cards.decks=2", -.20},
		{"eight packs for six", "cards.decks=8", .02},
	} {
		s.row(variations, c.what, c.theirs, edge(c.change)-base, 2)
	}
	s.row(europeanGold, "European Gold: two packs, no double after a split, double on 9 to 11, no second split", .40,
		edge("cards.decks=2", "double.after_split=false", "double.on=[9, 10, 11]", "split.max=1"), 2)
}

func sideEdge(t *testing.T, r *rules.Rules, name string) float64 {
	t.Helper()
	list, err := odds.Sides(odds.Query{Rules: r, Shoe: odds.Full(r)})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range list {
		if w.Name == name {
			return w.Edge
		}
	}
	t.Fatalf("%s has no %s", r.House, name)
	return 0
}
