package odds

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"pgregory.net/rapid"
)

// TestEachLineMovesItsBet: another prize of any line of any paytable moves the edge of its bet by how likely the line
// is, and nothing else.
func TestEachLineMovesItsBet(t *testing.T) {
	book := profile.Built()
	before := map[string]map[string]Wager{} // by house
	rapid.Check(t, func(t *rapid.T) {
		h := book[rapid.SampledFrom(book.Names()).Draw(t, "house")]
		if len(h.SideBets) == 0 {
			return
		}
		bet := rapid.SampledFrom(h.SideBets).Draw(t, "bet")
		line := rapid.SampledFrom(bet.Pays).Draw(t, "line")
		if line.Pays.Jackpot {
			return // its prize is the meter
		}
		odds := money.Ratio{Num: rapid.Int64Range(1, 1000).Draw(t, "odds"), Den: rapid.Int64Range(1, 3).Draw(t, "to")}
		key := "side_bets." + bet.Bet.String() + ".pays." + line.Line.String()
		changed, err := profile.WhatIf(h, []string{key + "=" + odds.String()})
		if err != nil {
			t.Fatal(err)
		}
		name := bet.Bet.String()
		if before[h.House] == nil {
			before[h.House] = wagersOf(t, h.Rules)
		}
		was, is := before[h.House], wagersOf(t, changed.Rules)
		for other := range was {
			if other != name && was[other].Edge != is[other].Edge {
				t.Fatalf("%s moves %s", key, other)
			}
		}
		expectMove(t, key, was[name].Edge-is[name].Edge, lineOf(was[name], line.Line.String()).P, odds, line.Pays,
			h.Offer(bet.Bet).Least)
	})
}

// wagersOf are all wagers but the main game, by name; a box of which the play decides a bet does not lose every other
// time.
func wagersOf(t *rapid.T, r *rules.Rules) map[string]Wager {
	q := Query{Rules: r, Shoe: Full(r)}
	list, err := Sides(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, bet := range r.Offers() {
		if bet.ByPlay() {
			list = append(list, q.Played(bet, 1, 2, 1))
		}
	}
	by := map[string]Wager{}
	for _, w := range list {
		by[w.Name] = w
	}
	return by
}

func lineOf(w Wager, name string) Line {
	return w.Lines[slices.IndexFunc(w.Lines, func(l Line) bool { return l.Name == name })]
}

func expectMove(t *rapid.T, key string, moved, p float64, odds money.Ratio, was rules.Prize, least money.Amount) {
	before := ratio(money.Ratio{Num: was.Odds.Num, Den: max(was.Odds.Den, 1)})
	if was.Amount != 0 {
		before = float64(was.Amount) / float64(least)
	}
	if want := p * (ratio(odds) - before); math.Abs(moved-want) > 1e-9 {
		t.Fatalf("%s=%s moves the edge by %v, not %v", key, odds, moved, want)
	}
}

// fewKinds is a shoe of the cards that the rules are about, of which the main game is soon worked out.
func fewKinds(r *rules.Rules) Shoe {
	s := Full(r)
	for c := range card.All {
		switch c.Rank() {
		case 2, 3, 8:
			s.cards[c] = 0
		}
	}
	return s
}

// edgesOf are those of all wagers, by name, and of a jackpot in the long run.
func edgesOf(t *testing.T, r *rules.Rules, boxes int) map[string]float64 {
	t.Helper()
	report, err := Work(context.Background(), Query{Rules: r, Shoe: fewKinds(r), Boxes: boxes})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]float64{}
	for _, w := range report.Wagers {
		by[w.Name] = w.Edge
		if w.LongRun != nil {
			by["long-run"] = *w.LongRun
		}
	}
	return by
}

// TestEachRuleMovesItsWagers: another value of each rule moves the wagers that it concerns, in the direction that it
// must, and no others. A wager that is offered no more is gone.
func TestEachRuleMovesItsWagers(t *testing.T) {
	const gone = 2
	type moves map[string]int                                       // 1 for a higher edge, -1 for a lower one
	once, twice := []string{"split.max=1"}, []string{"split.max=2"} // soon worked out
	soft := append(once[:1:1], "double.on=[]", "double.hard_only=true")
	even := append(once[:1:1], "pays.even_money=5:4")
	bases := map[string]map[string]float64{}
	for _, c := range []struct {
		house  string
		base   []string
		boxes  int
		change string
		moves  moves
	}{
		{"mendrisio", once, 1, "pays.black_jack=6:5", moves{"main": 1, "even-money": -1}},
		{"mendrisio", once, 1, "pays.win=2:1", moves{"main": -1}},
		{"mendrisio", once, 1, "pays.even_money=5:4", moves{"main": -1, "even-money": -1}},
		{"mendrisio", once, 1, "pays.insurance=11:5", moves{"insurance": -1}},
		{"mendrisio", once, 1, "pays.three_sevens=3:1", moves{"main": -1}},
		{"mendrisio", once, 1, "pays.bonus_black_jack=5:1", moves{"main": -1}},
		{"mendrisio", once, 1, "three_sevens.paid=false", moves{"main": 1}},
		{"mendrisio", once, 1, "three_sevens.after_split=true", moves{"main": -1}},
		{"mendrisio", once, 1, "surrender=true", moves{"main": -1}},
		{"mendrisio", once, 1, "double.allowed=false", moves{"main": 1}},
		{"mendrisio", once, 1, "double.on=[10, 11]", moves{"main": 1}},
		{"mendrisio", soft, 1, "double.hard_only=false", moves{"main": -1}},
		{"mendrisio", once, 1, "double.after_split=false", moves{"main": 1}},
		{"mendrisio", once, 1, "split.max=0", moves{"main": 1}},
		{"mendrisio", once, 1, "split.max=2", moves{"main": -1}},
		{"mendrisio", twice, 1, "split.aces_again=true", moves{"main": -1}},
		{"mendrisio", once, 1, "insurance.offered=false", moves{"insurance": gone}},
		{"mendrisio", even, 1, "insurance.even_money=false", moves{"main": 1, "even-money": gone}},
		{"mendrisio", once, 1, "jackpot.seed=20000", moves{"progressive": -1, "long-run": -1}},
		{"mendrisio", once, 1, "jackpot.feeds=8:10", moves{"long-run": -1}},
		{"mendrisio", once, 1, "jackpot.envy=1000", nil},
		{"mendrisio", once, 2, "jackpot.envy=1000", moves{"progressive": -1, "long-run": -1}},
		{"mendrisio", once, 1, "table.box_max=1000", nil},
		{"mendrisio", once, 1, "insurance.exactly_half=false", nil},
		{"mendrisio", once, 1, "bank.draws=always", nil},
		{"mendrisio", once, 1, "play.auto_rest_at_21=false", nil},
		{"mendrisio", once, 1, "play.lone_player_two_boxes=false", nil},
		{"mendrisio", once, 1, "cards.source=shuffler", nil},
		{"baden", nil, 1, "pays.five_card_trick=2:1", moves{"main": -1}},
		{"baden", nil, 1, "pays.win=6:5", moves{"main": -1}},
		{"baden", nil, 1, "pays.black_jack=6:5", moves{"main": 1}},
		{"baden", nil, 1, "table.min=20", nil},
	} {
		base := fmt.Sprint(c.house, c.base, c.boxes)
		if bases[base] == nil {
			bases[base] = edgesOf(t, whatIf(t, c.house, c.base...), c.boxes)
		}
		was, is := bases[base], edgesOf(t, whatIf(t, c.house, instead(c.base, c.change)...), c.boxes)
		for name, edge := range was {
			now, offered := is[name]
			moved := cmp.Compare(now, edge)
			if !offered {
				moved = gone
			}
			if moved != c.moves[name] {
				t.Errorf("%s, %v, %d boxes: %s: the edge of %s goes from %.6f to %.6f", c.house, c.base, c.boxes,
					c.change, name, edge, now)
			}
		}
	}
}

// instead has a change in the place of one that has the same key.
func instead(base []string, change string) (list []string) {
	key, _, _ := strings.Cut(change, "=")
	for _, one := range base {
		if !strings.HasPrefix(one, key+"=") {
			list = append(list, one)
		}
	}
	return append(list, change)
}

// TestBreakEven: with the jackpot that breaks even the bettor has the edge, and with a little less the house.
func TestBreakEven(t *testing.T) {
	r := profile.Built()["mendrisio"].Rules
	for boxes := 1; boxes <= rules.MaxBoxes; boxes += tier.Times(3, 1) {
		q := Query{Rules: r, Shoe: Full(r), Boxes: boxes}
		at := func(meter money.Amount) Wager {
			q.Meter = meter
			list, err := Sides(q)
			if err != nil {
				t.Fatal(err)
			}
			return list[slices.IndexFunc(list, func(w Wager) bool { return w.EachUnit > 0 })]
		}
		even := at(0).BreakEven
		if at(even).Edge > 1e-12 || at(even-10).Edge <= 0 {
			t.Errorf("%d boxes: at %d the edge is %v, at 10 less %v", boxes, even, at(even).Edge, at(even-10).Edge)
		}
	}
}

// TestCancelled: work ends when nobody wants it any more.
func TestCancelled(t *testing.T) {
	for _, house := range []string{"baden", "wiesbaden"} {
		r := profile.Built()[house].Rules
		ctx, cancel := context.WithCancel(context.Background())
		told := 0
		_, err := Work(ctx, Query{Rules: r, Shoe: Full(r), Told: func(Progress) {
			told++
			cancel()
		}})
		if err != context.Canceled || told != 1 {
			t.Errorf("%s: after %d parts: %v", house, told, err)
		}
	}
}
