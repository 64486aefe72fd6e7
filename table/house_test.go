package table_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// What no house that comes with Sabot has, a house of its own may.
func TestRulesOfOtherHouses(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(r *rules.Rules)
		lines  string
		last   string
	}{
		{
			"a split hand may be doubled", func(r *rules.Rules) { r.Double.AfterSplit = true }, "split; 3H",
			"due: box 1 calls card, rest, double",
		},
		{
			"a split hand may not be doubled", func(r *rules.Rules) { r.Double.AfterSplit = false }, "split; 3H",
			"due: box 1 calls card, rest",
		},
		{
			"a bank that always draws", func(r *rules.Rules) { r.Bank.Draws = rules.DrawsAlways }, "card; 9C",
			"due: card to the bank",
		},
		{
			"a bank that always draws, and stands at 17", func(r *rules.Rules) { r.Bank.Draws = rules.DrawsAlways },
			"card; 9C; 5C 6H", "due: payment",
		},
		{
			"a bank that draws where it matters", func(r *rules.Rules) { r.Bank.Draws = rules.DrawsNeeded }, "card; 9C",
			"due: payment",
		},
	} {
		setup := rules.Setup{House: "wiesbaden"}
		r, wrong := profile.Built()["wiesbaden"].With(setup)
		if wrong != nil {
			t.Fatal(wrong)
		}
		c.change(r)
		var tab table.Table
		tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: r})
		said, err := tabletest.Play(&tab, "open; stake 1 a 20; close; 8S 6D 8H; "+c.lines)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(strings.TrimSpace(said), c.last) {
			t.Errorf("%s:\n%s", c.what, said)
		}
	}
}
