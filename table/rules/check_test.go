package rules_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// Each bound lets its last value pass and complains of the next one.
func TestBounds(t *testing.T) {
	type change = func(r *rules.Rules)
	for _, c := range []struct {
		house, path string
		good, bad   change
	}{
		{"baden", "table.boxes", func(r *rules.Rules) { r.Table.Boxes = 1 }, func(r *rules.Rules) {
			r.Table.Boxes = 0
		}},
		{"baden", "table.boxes", func(r *rules.Rules) { r.Table.Boxes = rules.MaxBoxes }, func(r *rules.Rules) {
			r.Table.Boxes = rules.MaxBoxes + 1
		}},
		{"baden", "table.boxes", boxesOf(7, 7), boxesOf(8, 9)},
		{"baden", "table.boxes", boxesOf(1, 7), boxesOf(1, 6)},
		{"baden", "table.boxes_from", boxesOf(1, 9), boxesOf(0, 9)},
		{"baden", "table.boxes_to", boxesOf(1, 9), boxesOf(1, 10)},
		{"baden", "table.boxes_to", boxesOf(7, 7), boxesOf(8, 7)},
		{"st-moritz", "table.boxes", func(r *rules.Rules) { r.Table.Boxes = 5 }, func(r *rules.Rules) {
			r.Table.Boxes = 4
		}},
		{"st-moritz-65", "table.boxes", func(r *rules.Rules) { r.Table.Boxes = 9 }, func(r *rules.Rules) {
			r.Table.Boxes = 1
		}},
		{"baden", "chips[0].value", chipsOf(money.Max), chipsOf(money.Max + 1)},
		{"baden", "chips[1].value", chipsOf(500, 1000), chipsOf(500, 500)},
		{"baden", "chips[1].value", chipsOf(500, 1000), chipsOf(1000, 500)},
		{"baden", "chips[0].value", chipsOf(100), chipsOf(110)},
		{"baden", "chips", manyChips(rules.MaxChips), manyChips(rules.MaxChips + 1)},
		{"baden", "table.unit", func(r *rules.Rules) { r.Table.Unit = 1 }, func(r *rules.Rules) { r.Table.Unit = 0 }},
		{"baden", "table.unit", func(r *rules.Rules) {
			r.Table.Unit, r.Table.Min, r.Table.BoxMax = money.Max, money.Max,
				money.Max
		}, func(r *rules.Rules) {
			r.Table.Unit = money.Max + 1
		}},
		{"baden", "table.min", func(r *rules.Rules) { r.Table.Min, r.Table.Unit = 1, 1 }, func(r *rules.Rules) {
			r.Table.Min = 0
		}},
		{
			"baden", "table.min", func(r *rules.Rules) { r.Table.Min, r.Table.BoxMax = money.Max, money.Max },
			func(r *rules.Rules) {
				r.Table.Min = money.Max + 1
			},
		},
		{"baden", "table.min", func(r *rules.Rules) { r.Table.Min, r.Table.Unit = 1000, 500 }, func(r *rules.Rules) {
			r.Table.Min, r.Table.Unit = 1001, 500
		}},
		{"baden", "table.box_max", func(r *rules.Rules) { r.Table.BoxMax = money.Max }, func(r *rules.Rules) {
			r.Table.BoxMax = money.Max + 1
		}},
		{"baden", "table.box_max", func(r *rules.Rules) { r.Table.BoxMax = r.Table.Min }, func(r *rules.Rules) {
			r.Table.BoxMax = r.Table.Min - 1
		}},
		{"baden", "table.step", step("5.00"), step("5.25")},
		{"baden", "table.step", step("min"), step("1/1000 min")},
		{"baden", "table.min", step("10.00"), step("4.00")},
		{"baden", "table.box_max", step("10.00"), func(r *rules.Rules) { step("10.00")(r); r.Table.BoxMax = 50500 }},
		{"baden", "table.bettors", bettors(1), bettors(0)},
		{"wiesbaden", "cards.decks", func(r *rules.Rules) { r.Cards.Decks = rules.MaxDecks }, func(r *rules.Rules) {
			r.Cards.Decks = rules.MaxDecks + 1
		}},
		{
			"wiesbaden", "cards.decks", func(r *rules.Rules) { r.Cards.Decks, r.Cards.Jokers = 1, 1 },
			func(r *rules.Rules) {
				r.Cards.Decks = 0
			},
		},
		{"wiesbaden", "cards.jokers", func(r *rules.Rules) { r.Cards.Jokers = r.Cards.Decks }, func(r *rules.Rules) {
			r.Cards.Jokers = r.Cards.Decks + 1
		}},
		{"wiesbaden", "cards.jokers", func(r *rules.Rules) { r.Cards.Jokers = 0 }, func(r *rules.Rules) {
			r.Cards.Jokers = -1
		}},
		{"wiesbaden", "split.max", func(r *rules.Rules) { r.Split.Max = rules.Unlimited }, func(r *rules.Rules) {
			r.Split.Max = rules.Unlimited - 1
		}},
		{"wiesbaden", "double.on[0]", func(r *rules.Rules) { r.Double.On = []int{4} }, func(r *rules.Rules) {
			r.Double.On = []int{3}
		}},
		{"wiesbaden", "double.on[0]", func(r *rules.Rules) { r.Double.On = []int{21} }, func(r *rules.Rules) {
			r.Double.On = []int{22}
		}},
		{
			"wiesbaden", "play.keys_apart_ms", func(r *rules.Rules) { r.Play.KeysApart = rules.MaxKeysApart },
			func(r *rules.Rules) {
				r.Play.KeysApart = rules.MaxKeysApart + 1
			},
		},
		{
			"mendrisio", "jackpot.feeds", func(r *rules.Rules) { r.Jackpot.Feeds = money.Ratio{Num: 1, Den: 1} },
			func(r *rules.Rules) {
				r.Jackpot.Feeds = money.Ratio{Num: 2, Den: 1}
			},
		},
		{"baden", "insurance", func(*rules.Rules) {}, func(r *rules.Rules) { r.Insurance.Offered = true }},
		{"baden", "insurance", func(*rules.Rules) {}, func(r *rules.Rules) { r.Insurance.EvenMoney = true }},
		{"baden", "side_bets", func(*rules.Rules) {}, func(r *rules.Rules) { r.SideBets = []rules.SideBet{{}} }},
		{"baden", "cards.jokers", func(*rules.Rules) {}, func(r *rules.Rules) { r.Cards.Jokers = 1 }},
	} {
		if made := changed(t, c.house, c.good); complains(made, c.path) {
			t.Errorf("%s: complains of %s, which may be so: %v", c.house, c.path, made.Check())
		}
		if made := changed(t, c.house, c.bad); !complains(made, c.path) {
			t.Errorf("%s: does not complain of %s: %v", c.house, c.path, made.Check())
		}
	}
}

func step(written string) func(*rules.Rules) {
	return func(r *rules.Rules) {
		r.Profile.Table.Step = new(rules.Limit)
		if err := r.Profile.Table.Step.UnmarshalText([]byte(written)); err != nil {
			panic(err)
		}
	}
}

func bettors(most int) func(*rules.Rules) {
	return func(r *rules.Rules) { r.Profile.Table.Bettors = &most }
}

func boxesOf(from, to int) func(*rules.Rules) {
	return func(r *rules.Rules) { r.Profile.Table.BoxesFrom, r.Profile.Table.BoxesTo = &from, &to }
}

func changed(t *testing.T, house string, change func(r *rules.Rules)) *rules.Rules {
	t.Helper()
	built := profile.Built()[house]
	if wrong := built.Check(); len(wrong) > 0 {
		t.Fatal(wrong)
	}
	r := *built.Rules
	if r.Jackpot != nil {
		own := *r.Jackpot
		r.Jackpot = &own
	}
	change(&r)
	return &r
}

func complains(r *rules.Rules, path string) bool {
	for _, c := range r.Check() {
		if c.Path == path {
			return true
		}
	}
	return false
}

// What a table sets follows the same bounds, and a gap between keys can be set to none.
func TestSetBounds(t *testing.T) {
	house := profile.Built()["wiesbaden"]
	for _, c := range []struct {
		setup rules.Setup
		apart int
	}{
		{rules.Setup{}, house.Play.KeysApart},
		{rules.Setup{KeysApart: 1}, 1},
		{rules.Setup{KeysApart: rules.MaxKeysApart}, rules.MaxKeysApart},
		{rules.Setup{KeysApart: -1}, 0},
	} {
		if r, wrong := house.With(c.setup); wrong != nil || r.Play.KeysApart != c.apart {
			t.Errorf("%+v: %+v", c.setup, wrong)
		}
	}
	for path, setup := range map[string]rules.Setup{
		"play.keys_apart_ms": {KeysApart: rules.MaxKeysApart + 1},
		"cards.decks":        {Decks: rules.MaxDecks + 1},
		"table.boxes":        {Boxes: -1},
		"table.unit":         {Unit: -1},
		"table.min":          {Min: math.MinInt64},
	} {
		if _, wrong := house.With(setup); len(wrong) == 0 || wrong[0].Path != path {
			t.Errorf("%+v: %+v", setup, wrong)
		}
	}
}

// Each way must put the irregularity right, and one must be left where there is no round
// that could be given up.
func TestCheckOfWays(t *testing.T) {
	built := profile.Built()["wiesbaden"]
	for _, c := range []struct {
		choices []irregularity.Choice
		wrong   int
	}{
		{[]irregularity.Choice{irregularity.Identify}, 0},
		{[]irregularity.Choice{irregularity.Burn, irregularity.VoidRound}, 0},
		{[]irregularity.Choice{irregularity.VoidRound}, 1},
		{[]irregularity.Choice{irregularity.Burn, irregularity.Reload}, 1},
		{[]irregularity.Choice{irregularity.Accept, irregularity.Reload}, 2},
	} {
		p := built.Profile
		p.Irregularities.UnreadCard = irregularity.Ways{Choices: irregularity.Of(c.choices...)}
		wrong := rules.Of(p, nil, "").Check()
		for _, one := range wrong {
			if one.Path != "irregularities.unread-card" {
				t.Error(one)
			}
		}
		if len(wrong) != c.wrong {
			t.Errorf("%v: %v", c.choices, wrong)
		}
	}
}

// A house's name is part of files' names and of topics.
func TestHouseNames(t *testing.T) {
	named := func(name string) *rules.Rules {
		return changed(t, "baden", func(r *rules.Rules) { r.House = name })
	}
	for _, name := range []string{"a", "z", "a0", "a9", "a-z", "a-", strings.Repeat("a", 32)} {
		if complains(named(name), "house") {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{
		"", "0a", "-a", "A", "aZ", "a/", "a:", "a`", "a{", "a_b", "ä",
		strings.Repeat("a", 33),
	} {
		if !complains(named(name), "house") {
			t.Errorf("%q is taken", name)
		}
	}
}

// chipsOf lists chips of these values.
func chipsOf(values ...money.Amount) func(r *rules.Rules) {
	return func(r *rules.Rules) {
		r.Chips = nil
		for _, value := range values {
			r.Chips = append(r.Chips, rules.Chip{Value: rules.Money(value)})
		}
	}
}

// manyChips lists so many chips.
func manyChips(n money.Amount) func(r *rules.Rules) {
	var values []money.Amount
	for i := range n {
		values = append(values, 100*(i+1))
	}
	return chipsOf(values...)
}
