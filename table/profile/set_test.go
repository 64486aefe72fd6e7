package profile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

func TestSetWithoutChanges(t *testing.T) {
	for name, house := range profile.Built() {
		r, err := profile.Built().Set(rules.Setup{House: name})
		if err != nil {
			t.Fatal(err)
		}
		if r == house.Rules {
			t.Errorf("%s: the table has the book's own rules", name)
		}
		if r.Table != house.Table || r.Cards != house.Cards || r.Meter != house.Meter ||
			r.Fingerprint != house.Fingerprint {
			t.Errorf("%s: the table differs from the house", name)
		}
	}
}

// TestSetChanges, in a set-up that is on record, since it names the profile: nine boxes were taken before the profile
// said seven.
func TestSetChanges(t *testing.T) {
	before := *profile.Built()["mendrisio"]
	r, err := profile.Built().Set(rules.Setup{
		House: "mendrisio", Currency: "CHF", Min: 2500, BoxMax: 100_000, Unit: 100, Decks: 8, Boxes: 9,
		Calls:   "implied",
		Jackpot: 1234, Profile: before.Fingerprint,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := rules.TableLimits{Currency: "CHF", Boxes: 9, Min: 2500, BoxMax: 100_000, Unit: 100}
	if r.Table != want || r.Cards.Decks != 8 || r.Play.Calls != rules.CallsImplied || r.Meter.Seed != 1234 {
		t.Errorf("the table is %+v, %+v, calls %s, jackpot %d", r.Table, r.Cards, r.Play.Calls, r.Meter.Seed)
	}
	if r.Fingerprint != before.Fingerprint {
		t.Error("the fingerprint has changed, but it is the profile's")
	}
	if now := profile.Built()["mendrisio"]; now.Table != before.Table || now.Cards != before.Cards ||
		now.Play != before.Play || now.Meter != before.Meter {
		t.Error("the book has changed")
	}
}

// A side bet's limits that are parts of the table's own change with them.
func TestLimitsFollowTheTable(t *testing.T) {
	for _, c := range []struct {
		setup                      rules.Setup
		bet                        sidebet.Bet
		least, most, step, boxMost int64
	}{
		{rules.Setup{House: "schaffhausen"}, sidebet.PerfectPairs, 50, 5000, 50, 0},
		{rules.Setup{House: "schaffhausen", BoxMax: 33_300, Unit: 100}, sidebet.PerfectPairs, 100, 3300, 100, 0},
		{rules.Setup{House: "schaffhausen", Min: 2500}, sidebet.SwissCasinosJack, 2500, 2500, 50, 0},
		{rules.Setup{House: "schaffhausen", Min: 2500}, sidebet.Bust, 50, 2500, 50, 0},
		{
			rules.Setup{House: "wiesbaden", Min: 2500, BoxMax: 100_000, Unit: 100},
			sidebet.Twins, 1000, 10_000,
			1000, 20_000,
		},
		{rules.Setup{House: "wiesbaden"}, sidebet.CrazyTwins, 1000, 10_000, 1000, 0},
		{rules.Setup{House: "st-moritz", Min: 500, BoxMax: 20_000}, sidebet.QueensTrio, 500, 20_000, 50, 0},
		{rules.Setup{House: "mendrisio", Min: 2500}, sidebet.AdmiralJack, 2500, 5000, 50, 0},
		{rules.Setup{House: "mendrisio", Min: 2500}, sidebet.Progressive, 500, 500, 500, 0},
	} {
		r, err := profile.Built().Set(c.setup)
		if err != nil {
			t.Fatal(err)
		}
		o := r.Offer(c.bet)
		if o.Bet != c.bet || o.Least != c.least || o.Most != c.most || o.Step != c.step || o.BoxMost != c.boxMost {
			t.Errorf("%+v: %s is offered as %+v, want %d to %d by %d, a box %d", c.setup, c.bet, *o, c.least, c.most,
				c.step, c.boxMost)
		}
	}
}

func TestOffer(t *testing.T) {
	r := profile.Built()["mendrisio"]
	if r.Offer(sidebet.Twins) != nil {
		t.Error("Mendrisio offers Twins")
	}
	o := r.Offer(sidebet.Progressive)
	for line, want := range map[sidebet.Line]string{
		sidebet.Jackpot: "jackpot", sidebet.AceKing: "100.00", sidebet.BlackJack: "20.00",
		sidebet.TwinsPair: "", "": "",
	} {
		if got := o.Prize(line).Text(2); got != want {
			t.Errorf("the line %q pays %q, want %q", line, got, want)
		}
	}
	if got := r.Offer(sidebet.AdmiralJack).Prize(sidebet.BlackJack).Text(2); got != "19:1" {
		t.Errorf("Admiral Jack pays %s", got)
	}
}

func TestSetRefuses(t *testing.T) {
	for _, c := range []struct {
		setup rules.Setup
		paths string
		said  string
	}{
		{rules.Setup{House: "monaco"}, "", `house "monaco" is not known; known are baden, mendrisio,`},
		{
			rules.Setup{House: "baden", Profile: strings.Repeat("0", 64)},
			"",
			`the rules of house "baden" are not those that were played: their fingerprint was 000000000000…, and is `,
		},
		{
			rules.Setup{House: "baden", Calls: "maybe"},
			"call",
			`call: "maybe" is not a call mode; write required or implied`,
		},
		{
			rules.Setup{House: "baden", Currency: "XXA", Boxes: 10, Decks: 13},
			"table.currency table.boxes cards.decks",
			`"XXA" is no currency`,
		},
		{
			rules.Setup{House: "wiesbaden", Boxes: 8},
			"table.boxes",
			"table.boxes: 8 boxes, where the house's sheet says 1 to 7; write 1 to 7",
		},
		{
			rules.Setup{House: "schaffhausen", Boxes: 9},
			"table.boxes",
			"table.boxes: 9 boxes, where the house's sheet says 1 to 7; write 1 to 7",
		},
		{
			rules.Setup{House: "mendrisio", Boxes: 9},
			"table.boxes",
			"table.boxes: 9 boxes, where the house's sheet says 1 to 7; write 1 to 7",
		},
		{
			rules.Setup{House: "st-moritz", Boxes: 3},
			"table.boxes",
			"table.boxes: 3 boxes, where the house's sheet says 5 to 9; write 5 to 9",
		},
		{
			rules.Setup{House: "st-moritz-65", Boxes: 10},
			"table.boxes",
			"table.boxes: 10 boxes do not fit a table; write 5 to 9",
		},
		{
			rules.Setup{House: "baden", Min: 60_000},
			"table.box_max",
			"the box maximum 500.00 is below the minimum 600.00",
		},
		{rules.Setup{House: "baden", Unit: 300}, "table.min", "the minimum 10.00 is not a multiple of the unit 3.00"},
		{rules.Setup{House: "baden", Min: -1}, "table.min table.min", "a minimum of -0.01 is not a stake"},
		{rules.Setup{House: "baden", Unit: -1}, "table.unit", "-0.01 is not a payable unit"},
		{
			rules.Setup{House: "schaffhausen", BoxMax: 1000, Unit: 1000},
			"side_bets[0].most",
			"the most, 0.00, is below the least, 10.00",
		},
	} {
		r, err := profile.Built().Set(c.setup)
		if r != nil || err == nil || !strings.Contains(err.Error(), c.said) {
			t.Errorf("%+v gives %v, want %s", c.setup, err, c.said)
			continue
		}
		var found rules.Complaints
		errors.As(err, &found)
		paths := make([]string, len(found))
		for i, complaint := range found {
			paths[i] = complaint.Path
		}
		if got := strings.Join(paths, " "); got != c.paths {
			t.Errorf("%+v: complaints of %s, want %s", c.setup, got, c.paths)
		}
	}
}
