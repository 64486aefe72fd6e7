package touch_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// TestOneGoldenKey: while chips are asked for, their key is the golden one, and the hole card is turned with another.
func TestOneGoldenKey(t *testing.T) {
	for _, c := range []struct{ name, lines, key, shortcut string }{
		{"nothing is asked for", "rest; rest", "turn", "Enter"},
		{"a stake is to be taken", "rest; card; KH", "turn", "h"},
		{"and was taken", "rest; card; KH; paid box 2 bettor=b wager=main", "turn", "Enter"},
	} {
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: "hole"}))
		lines := "open; stake 1 a 20; stake 2 b 20; close; TS 9H 7D 6S 6H XX\n" + c.lines
		if _, err := tabletest.Play(&tab, lines); err != nil {
			t.Fatal(err)
		}
		keys, golden := touch.Keys(display.From(&tab, "BJ 4", 1)), 0
		for _, k := range keys {
			if k.Kind == touch.Step {
				golden++
			}
			if k.Name == c.key && k.Shortcut != c.shortcut {
				t.Errorf("%s: %s is on %q, not on %q", c.name, k.Name, k.Shortcut, c.shortcut)
			}
		}
		if golden != 1 {
			t.Errorf("%s: %d golden keys among %+v", c.name, golden, keys)
		}
	}
}
