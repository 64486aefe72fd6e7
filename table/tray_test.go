package table_test

import (
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// withChips is a table of a house that lists chips of 5.00 and of 100.00, in a currency.
func withChips(t *testing.T, currency string) *table.Table {
	t.Helper()
	house, err := profile.Built().Parse("chips.yaml",
		[]byte("extends: wiesbaden\nhouse: chips\nchips: [{value: 5, colour: red}, {value: 100, plaque: true}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	setup := rules.Setup{House: "chips", Currency: currency}
	set, wrong := house.With(setup)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	in := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
	in.Setup, in.Rules = &setup, set
	var tab table.Table
	tab.Step(in)
	return &tab
}

// TestOnlyTheHousesChipsAreCounted: a value that the profile does not list lies in no tray, whatever is done with it;
// in another currency the list means nothing.
func TestOnlyTheHousesChipsAreCounted(t *testing.T) {
	five, seven := pieces(500, 20), pieces(700, 20)
	for _, in := range []vocab.Input{
		{Kind: vocab.InCount, Role: vocab.Supervisor, Tray: &vocab.Tray{Count: vocab.CountOpening, Dealer: "d7"}},
		{Kind: vocab.InFill, Tray: &vocab.Tray{Step: vocab.SlipAsked}},
		{Kind: vocab.InCredit, Tray: &vocab.Tray{Step: vocab.SlipAsked}},
		{Kind: vocab.InChange, Tray: &vocab.Tray{For: pieces(10_000, 1)}},
	} {
		put := func(tab *table.Table, chips []vocab.Chips) vocab.Reason {
			in, y := in, *in.Tray
			in.By, in.Tray, y.Chips = "anna", &y, chips
			tab.Step(&in)
			return tab.Rejected()
		}
		if why := put(withChips(t, ""), seven); why != vocab.UnknownChip {
			t.Errorf("%s: a chip of 7.00 is refused with %q", in.Kind, why)
		}
		if why := put(withChips(t, ""), five); why != 0 {
			t.Errorf("%s: a chip of 5.00 is refused with %q", in.Kind, why)
		}
		if why := put(withChips(t, "CHF"), seven); why == vocab.UnknownChip {
			t.Errorf("%s: a table in francs has the chips that the house has in euros", in.Kind)
		}
	}
}

// TestSlipsKeepTheirCurrency: chips that were asked for in one currency come into no tray of another, whatever the
// cents; in their own they do. The second book says the same.
func TestSlipsKeepTheirCurrency(t *testing.T) {
	var tab table.Table
	var book secondbook.Book
	put := func(in *vocab.Input) vocab.Reason {
		t.Helper()
		if err := book.Enter(in, tab.Step(in)); err != nil {
			t.Fatalf("%+v: %v", in, err)
		}
		return tab.Rejected()
	}
	money := func(house string) { put(tabletest.SetUp(rules.Setup{House: house})) }
	count := vocab.Input{Kind: vocab.InCount, By: "anna", Tray: &vocab.Tray{
		Count: vocab.CountOpening, Dealer: "d7", Chips: pieces(10_000, 5),
	}}
	step := func(step vocab.SlipStep, by string) vocab.Reason {
		y := vocab.Tray{Step: step, Chips: pieces(10_000, 2)}
		if step != vocab.SlipAsked {
			y.Slip = 1
		}
		return put(&vocab.Input{Kind: vocab.InFill, By: by, Tray: &y})
	}
	money("wiesbaden")
	for i, by := range []string{"d7", "anna", "cage"} {
		step(vocab.SlipAsked+vocab.SlipStep(i), by)
	}
	for _, other := range []string{"schaffhausen", "yen"} {
		money(other)
		put(&count)
		before := tab.Tray()
		if why := step(vocab.SlipReceived, "d7"); why != vocab.OtherCurrency {
			t.Errorf("a fill in euros is received at %s: %q", other, why)
		}
		if now := tab.Tray(); !reflect.DeepEqual(now, before) {
			t.Errorf("a step that is refused changes the tray: %+v", now)
		}
	}
	money("wiesbaden")
	put(&count)
	if why := step(vocab.SlipReceived, "d7"); why != 0 || tab.Tray().Must != 70_000 {
		t.Errorf("in its own money the fill is refused with %q, and %d must be in the tray", why, tab.Tray().Must)
	}
}
