package odds

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
	"pgregory.net/rapid"
)

// edges are those of all wagers but the main game, by name.
func edges(t testing.TB, r *rules.Rules) map[string]float64 {
	t.Helper()
	list, err := Sides(Query{Rules: r, Shoe: Full(r)})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]float64{}
	for _, w := range list {
		by[w.Name] = w.Edge
	}
	return by
}

// TestEachLineMovesItsBet: another prize of any line of any paytable moves the edge of its bet by how likely the line is, and nothing else.
func TestEachLineMovesItsBet(t *testing.T) {
	book := profile.Built()
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
		was, is := wagersOf(t, h.Rules), wagersOf(t, changed.Rules)
		for other := range was {
			if other != name && was[other].Edge != is[other].Edge {
				t.Fatalf("%s moves %s", key, other)
			}
		}
		expectMove(t, key, was[name].Edge-is[name].Edge, lineOf(was[name], line.Line.String()).P, odds, line.Pays, h.Offer(bet.Bet).Least)
	})
}

// wagersOf are all wagers but the main game, by name; a box of which the play decides a bet does not lose every other time.
func wagersOf(t *rapid.T, r *rules.Rules) map[string]Wager {
	q := Query{Rules: r, Shoe: Full(r)}
	list, err := Sides(q)
	if err != nil {
		t.Fatal(err)
	}
	for _, bet := range r.SideBets {
		if ByPlay(bet.Bet) {
			list = append(list, q.Played(bet.Bet, 1, 2, 1))
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

// TestEachRuleMovesItsWagers: another value of each rule moves the wagers that it concerns, in the direction that it must, and no others.
func TestEachRuleMovesItsWagers(t *testing.T) {
	base := []string{"split.max=1"} // soon worked out
	r := whatIf(t, "mendrisio", base...)
	was := edges(t, r)
	was[vocab.WagerMain.String()] = mainOf(t, r).Edge()
	for _, c := range []struct {
		change string
		moves  map[string]int // 1 for a higher edge, -1 for a lower one
	}{
		{"pays.black_jack=6:5", map[string]int{"main": 1, "even-money": -1}},
		{"pays.win=2:1", map[string]int{"main": -1}},
		{"pays.even_money=5:4", map[string]int{"main": -1, "even-money": -1}},
		{"pays.insurance=11:5", map[string]int{"insurance": -1}},
		{"pays.three_sevens=3:1", map[string]int{"main": -1}},
		{"pays.bonus_black_jack=5:1", map[string]int{"main": -1}},
		{"three_sevens.paid=false", map[string]int{"main": 1}},
		{"surrender=true", map[string]int{"main": -1}},
		{"double.allowed=false", map[string]int{"main": 1}},
		{"double.on=[10, 11]", map[string]int{"main": 1}},
		{"double.after_split=false", map[string]int{"main": 1}},
		{"split.max=0", map[string]int{"main": 1}},
		{"split.max=2", map[string]int{"main": -1}},
		{"jackpot.seed=20000", map[string]int{"progressive": -1}},
		{"table.box_max=1000", nil},
		{"insurance.exactly_half=false", nil},
		{"bank.draws=always", nil},
		{"play.auto_rest_at_21=false", nil},
		{"play.lone_player_two_boxes=false", nil},
		{"cards.source=shuffler", nil},
	} {
		changed := whatIf(t, "mendrisio", append(base[:1:1], c.change)...)
		is := edges(t, changed)
		is[vocab.WagerMain.String()] = mainOf(t, changed).Edge()
		for name, edge := range was {
			moved := 0
			switch {
			case is[name] > edge:
				moved = 1
			case is[name] < edge:
				moved = -1
			}
			if moved != c.moves[name] {
				t.Errorf("%s: the edge of %s goes from %.6f to %.6f", c.change, name, edge, is[name])
			}
		}
	}
}

// TestBreakEven: with the jackpot that breaks even the bettor has the edge, and with a little less the house.
func TestBreakEven(t *testing.T) {
	r := profile.Built()["mendrisio"].Rules
	for boxes := 1; boxes <= rules.MaxBoxes; boxes++ {
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
