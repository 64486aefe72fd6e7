package display_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

func TestInChips(t *testing.T) {
	euros := []int64{200, 500, 1000, 2000, 5000, 10000, 50000}
	for _, tt := range []struct {
		amount int64
		want   []display.Stack
		rest   int64
	}{
		{0, nil, 0},
		{1500, []display.Stack{{1000, 1}, {500, 1}}, 0},
		{53000, []display.Stack{{50000, 1}, {2000, 1}, {1000, 1}}, 0},
		{44000, []display.Stack{{10000, 4}, {2000, 2}}, 0},
		{750, []display.Stack{{500, 1}, {200, 1}}, 50},
	} {
		stacks, rest := display.InChips(tt.amount, euros)
		if rest != tt.rest || len(stacks) != len(tt.want) {
			t.Errorf("%d: %v and %d, want %v and %d", tt.amount, stacks, rest, tt.want, tt.rest)
			continue
		}
		for i, s := range stacks {
			if s != tt.want[i] {
				t.Errorf("%d: %v, want %v", tt.amount, stacks, tt.want)
			}
		}
	}
}

// Whatever chips a table has: they and the rest are the amount, and no chip pays the rest.
func TestInChipsPaysAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chips := rapid.SliceOfNDistinct(rapid.Int64Range(1, 100000), 0, 8, rapid.ID[int64]).Draw(t, "chips")
		for i := range chips { // the smallest first
			for j := i; j > 0 && chips[j] < chips[j-1]; j-- {
				chips[j], chips[j-1] = chips[j-1], chips[j]
			}
		}
		amount := rapid.Int64Range(0, 10_000_000).Draw(t, "amount")
		stacks, rest := display.InChips(amount, chips)
		sum := rest
		for _, s := range stacks {
			sum += s.Value * s.Count
		}
		if sum != amount || rest < 0 || len(chips) > 0 && rest >= chips[0] {
			t.Errorf("%d in %v: %v and %d", amount, chips, stacks, rest)
		}
	})
}

func TestNextToPay(t *testing.T) {
	v := displaytest.Named("payment-full") // box 1 is paid
	if b, ok := display.NextToPay(v); !ok || b.Number != 2 || display.ToTake(b) != 4000 {
		t.Errorf("box %d is next, %d to take, %v", b.Number, display.ToTake(b), ok)
	}
	if _, ok := display.NextToPay(displaytest.Named("play")); ok {
		t.Error("a box is to be paid in mid-round")
	}
}

// TestUsualChips: a table of whatever currency has chips to lay, where its house lists none: those that are multiples
// of its unit and lie within its limits.
func TestUsualChips(t *testing.T) {
	for _, c := range []struct {
		currency        string
		min, most, unit int64
		want            []int64
	}{
		{"EUR", 1000, 50_000, 50, []int64{200, 500, 1000, 2000, 5000, 10_000, 50_000}},
		{"USD", 2500, 100_000, 100, []int64{100, 500, 2500, 10_000, 50_000, 100_000}},
		{"HKD", 10_000, 500_000, 5000, []int64{5000, 10_000, 50_000, 100_000, 500_000}},
		{"JPY", 1000, 100_000, 50, []int64{100, 500, 1000, 5000, 10_000, 50_000, 100_000}},
		{"KRW", 5000, 1_000_000, 1000, []int64{1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000}},
		{"KWD", 2500, 250_000, 500, []int64{1000, 5000, 10_000, 50_000, 100_000}},
	} {
		p := profile.Built()["schaffhausen"].Profile
		p.Table.Currency, p.SideBets = c.currency, nil
		p.Table.Min, p.Table.BoxMax, p.Table.Unit = rules.Money(c.min), rules.Money(c.most), rules.Money(c.unit)
		house := profile.New(p)
		if wrong := house.Check(); len(wrong) > 0 {
			t.Fatalf("%s: %v", c.currency, wrong)
		}
		var tab table.Table
		tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules})
		if v := display.From(&tab, "bj", 1); !slices.Equal(v.Bets.Chips, c.want) {
			t.Errorf("%s: %v, want %v", c.currency, v.Bets.Chips, c.want)
		}
	}
}

// TestChipsOfTheHouse: what the profile lists is what the screens lay and pay with, but for what does not fit the
// table.
func TestChipsOfTheHouse(t *testing.T) {
	const listed = "extends: wiesbaden\nhouse: chips\ntable: {unit: 0.50, box_max: 200}\n" +
		"chips: [{value: 0.50}, {value: 1}, {value: 2.50}, {value: 100, colour: blue}, {value: 1000, plaque: true}]\n"
	house, err := profile.Built().Parse("chips.yaml", []byte(listed))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		setup rules.Setup
		want  []int64
	}{
		{rules.Setup{}, []int64{50, 100, 250, 10_000}},
		{rules.Setup{Unit: 100, BoxMax: 100_000}, []int64{100, 10_000, 100_000}},
		{rules.Setup{Currency: "CHF"}, []int64{100, 500, 1000, 2000, 5000, 10_000}},
	} {
		set, wrong := house.With(tt.setup)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		tt.setup.House = "chips"
		in := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
		in.Setup, in.Rules = &tt.setup, set
		var tab table.Table
		tab.Step(in)
		v := display.From(&tab, "bj", 1)
		if !slices.Equal(v.Bets.Chips, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.setup, v.Bets.Chips, tt.want)
		}
		if look := v.Look(100_000); look.Plaque != (tt.setup.Currency == "") {
			t.Errorf("%+v: a plaque is drawn: %t", tt.setup, look.Plaque)
		}
	}
}
