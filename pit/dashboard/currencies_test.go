package dashboard

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
)

// TestSearchOverCurrencies: an amount is one of the table's currency or, where tables have several, as much of each.
func TestSearchOverCurrencies(t *testing.T) {
	tables := tablesNamed(5)
	tiles := []floor.Tile{
		{Table: tables[1], Currency: "EUR"},
		{Table: tables[2], Currency: "JPY"},
		{Table: tables[3], Currency: "KWD"},
		{Table: tables[4]},
	}
	r := renderer{language: display.English}
	for _, c := range []struct {
		tiles  []floor.Tile
		table  topic.Table
		asked  string
		in     string
		amount int64
	}{
		{tiles, topic.Table{}, "1,000.50", "", 100_050},
		{tiles, tables[1], "1,000.50", "EUR", 100_050},
		{tiles, tables[2], "1,000", "JPY", 1000},
		{tiles, tables[3], "1,000.505", "KWD", 1_000_505},
		{tiles, tables[4], "20", "", 2000},
		{tiles[1:2], topic.Table{}, "1,000", "JPY", 1000},
		{tiles[3:], topic.Table{}, "20", "", 2000},
	} {
		in := currencyOf(c.tiles, c.table)
		s, wrong := r.search(query{Amount: c.asked}, looked{}, in)
		if wrong != "" || in != c.in || s.AmountsIn != c.in || s.LeastStaked != c.amount {
			t.Errorf("%s of %s: %d %s, %q", c.asked, c.table, s.LeastStaked, s.AmountsIn, wrong)
		}
	}
	if _, wrong := r.search(query{Amount: "1000.5"}, looked{}, "JPY"); wrong == "" {
		t.Error("half a yen is looked for")
	}
}

// TestRoundsSayTheirCurrency: where rounds are of several currencies each says its own, with its decimals.
func TestRoundsSayTheirCurrency(t *testing.T) {
	r := renderer{language: display.English}
	for currency, want := range map[string]string{
		"EUR": "12,345.67", "JPY": "1,234,567 JPY", "KWD": "1,234.567 KWD", "": "12,345.67",
	} {
		one := store.Round{Round: tally.Round{Currency: currency}, Staked: 1_234_567}
		if got := r.round(&one, r.amountsOf(&one, "EUR")).Staked; got != want {
			t.Errorf("%q: %s, want %s", currency, got, want)
		}
	}
	day := signed(r.language, takenIn(&topic.Period{Wagers: []topic.Takings{
		{Currency: "EUR", Staked: 2000, Result: 1050},
		{Currency: "JPY", Staked: 2000, Result: -1050},
		{Currency: "KWD", Staked: 2000, Result: 1055},
		{Currency: "EUR", Staked: 2000, Result: 100},
	}}), &floor.Tile{Currency: "EUR", Digits: 2}, func(one *taken) (int64, bool) { return one.result, true })
	if want := "+11.50 · \u22121,050 JPY · +1.055 KWD"; day != want {
		t.Errorf("the day has come to %q, want %q", day, want)
	}
	m := r.day(&topic.Totals{Day: topic.Period{Wagers: []topic.Takings{
		{Wager: "main", Currency: "EUR", Staked: 12_500, Result: 2500},
		{Wager: "main", Currency: "JPY", Staked: 12_500, Result: -2500},
	}}}, &floor.Tile{Currency: "JPY"}, true)
	for i, want := range [][2]string{{"+25 EUR", "of 125 EUR staked"}, {"\u22122,500", "of 12,500 staked"}} {
		if got := m.Wagers[i]; got.Won != r.say("pit.house-won")+" "+want[0] || got.Value != want[1] {
			t.Errorf("a wager of the day is %q %q, want %q", got.Won, got.Value, want)
		}
	}
}

// TestLaysNotEntered: a box without amounts says nothing was staked only where all amounts of the round are known.
func TestLaysNotEntered(t *testing.T) {
	r := renderer{language: display.English}
	ace := card.Of(card.Ace, card.Spades)
	for unknown, want := range map[int64][]string{
		0: {"Box 2: A♠ · Staked 0.00 · To guests 0.00", "Box 3: A♠ · Staked 20.00 · To guests 0.00"},
		1: {"Box 2: A♠", "Box 3: A♠ · Staked 20.00 · To guests 0.00"},
	} {
		one := store.Round{Round: tally.Round{
			Currency: "EUR", Wagers: []tally.Wager{{Wager: "main", Count: 2, Unknown: unknown}},
			Lays: []tally.Lay{
				{Box: 2, Cards: []card.Card{ace}},
				{Box: 3, Cards: []card.Card{ace}, Staked: 2000},
			},
		}}
		got := r.lays(&one, &store.RoundQuery{Boxes: []uint8{2, 3}}, r.amountsOf(&one, "EUR"))
		if !slices.Equal(got, want) {
			t.Errorf("%d amounts are not entered: %q, want %q", unknown, got, want)
		}
	}
}
