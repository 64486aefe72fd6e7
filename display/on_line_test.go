package display_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Rounds with half a chip: a Black Jack of 5.00 leaves one.
const (
	halfLeft  = "open; stake 1 a 5; close; AS 7D TH"
	halfWon   = "open; stake 1 a 5; close; TS 7D TH; rest; TC"
	halfLost  = "open; stake 1 a 5; close; TS 7D 6H; rest; TC"
	halfAgain = "open; stake 1 a 5; close; AS 7D TH"
	halfSplit = "open; stake 1 a 5; close; 8S 9D 8H; split; 3H; surrender a; 2C; surrender a"
)

// TestWhatLiesOnALineIsSaid: whose half it is, and what is done with it, from when it is laid there until it is gone.
func TestWhatLiesOnALineIsSaid(t *testing.T) {
	const lies, lay, from, take = "1.00 on line: ½\u00a0a", "Lay 1.00 on line: ½\u00a0a", "1.00 of it from line: a",
		"Take 1.00 from line: a"
	house, err := profile.WhatIf(tabletest.Book()["olympic"], []string{"surrender_only.after_split=true"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		lines string
		want  string
	}{
		"before the payment": {"open; stake 1 a 5; close; AS 7D TH", lay},
		"in the payment":     {halfLeft, lay},
		"paid":               {halfLeft + "; paid", lies},
		"paid at once": {"open; stake 1 a 5; stake 2 b 5; close; AS TD 7D TH 5D; paid box 1 wager=main " +
			"hand=1 why=blackjack", lies},
		"in the bets":              {halfLeft + "; paid; open", lies},
		"in the play":              {halfLeft + "; paid; open; stake 1 a 5; close; TS 7D TH", lies},
		"who plays elsewhere":      {halfLeft + "; paid; open; stake 2 a 5; close; TS 7D TH; rest; TC", lies},
		"won":                      {halfLeft + "; paid; " + halfWon, from},
		"won and paid":             {halfLeft + "; paid; " + halfWon + "; paid", ""},
		"lost":                     {halfLeft + "; paid; " + halfLost, take},
		"lost and taken":           {halfLeft + "; paid; " + halfLost + "; paid", ""},
		"won, and another is left": {halfLeft + "; paid; " + halfAgain, from + "; " + lay},
		"two of a split box":       {halfSplit + "; paid", "2.00 on line: ½\u00a0a, a"},
		"two that are won":         {halfSplit + "; paid; " + halfWon, "2.00 of it from line: a, a"},
		"two that are lost":        {halfSplit + "; paid; " + halfLost, "Take 2.00 from line: a, a"},
		"void": {halfLeft +
			"; paid; open; stake 1 a 5; close; TS; hold by=s1; resolve void-round by=s1", lies},
	} {
		var tab table.Table
		tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: "olympic"}, Rules: house.Rules})
		if said, err := tabletest.Play(&tab, c.lines); err != nil || strings.Contains(said, "rejected") {
			t.Errorf("%s: %v, %s", name, err, said)
			continue
		}
		v := display.From(&tab, "BJ 4", 1)
		if got := strings.Join(display.English.OnTheLine(v, v.Boxes[0]), "; "); got != c.want {
			t.Errorf("%s: it is said as %q, not as %q", name, got, c.want)
		}
	}
}

// TestWhatLayOnALineIsOver: once a round is over, what lies on a line is for the next one, and no payment says that it
// had lain there before.
func TestWhatLayOnALineIsOver(t *testing.T) {
	house, err := profile.WhatIf(tabletest.Book()["olympic"], []string{"surrender_only.after_split=true"})
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: "olympic"}, Rules: house.Rules})
	said, err := tabletest.Play(&tab, halfLeft+"; paid; "+halfSplit+"; paid")
	if err != nil || strings.Contains(said, "rejected") || len(tab.OnLines()) != 2 {
		t.Fatalf("on the lines are %v: %v, %s", tab.OnLines(), err, said)
	}
	for _, p := range display.From(&tab, "BJ 4", 1).Boxes[0].Payouts {
		if p.LineChips != 0 {
			t.Errorf("of the chip that lay there the payment of hand %d says %d", p.Hand, p.LineChips)
		}
	}
}

// TestHalfAChipIsOnPaper: the sheet of each round says what of a payment stayed on the line, and what became of it.
func TestHalfAChipIsOnPaper(t *testing.T) {
	inputs, err := tabletest.Inputs(halfLeft + "; paid\n" + halfAgain + "; paid\n" + halfWon + "; paid\n" + halfLeft +
		"; paid\n" + halfLost + "; paid")
	if err != nil {
		t.Fatal(err)
	}
	inputs = slices.Insert(inputs, 0, *tabletest.SetUp(rules.Setup{House: "olympic"}))
	const lies, from, taken = " – half a chip stays on the line", " – with what lay on the line",
		" – what lay on the line is taken"
	for n, want := range []string{"gets 12.00" + lies, "gets 13.00" + from + lies, "gets 11.00" + from, "gets 12.00" +
		lies, "gets 0.00" + taken} {
		round, err := displaytest.RoundsOf(inputs, history.Table{House: "olympic"}).Round(uint64(n + 1))
		if err != nil {
			t.Fatal(err)
		}
		told := display.English.Tell(round)
		if !slices.ContainsFunc(told, func(one display.Told) bool { return strings.HasSuffix(one.Text, want) }) {
			t.Errorf("round %d: nothing ends with %q in %v", n+1, want, told)
		}
	}
}
