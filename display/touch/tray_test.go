package touch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestSlipsInAnotherCurrency: of a slip in another currency than the table's no step is offered that the table refuses,
// its key says the currency, and no prompt asks for its chips.
func TestSlipsInAnotherCurrency(t *testing.T) {
	tab, v := of(t, profile.Built()["wiesbaden"], "fill asked 100x2 by=d7; fill approved 1 by=anna; "+
		"fill sent 1 100x2 by=cage; credit asked 10x5 by=d7; credit approved 2 by=anna; credit sent 2 10x5 by=d7; "+
		"credit asked 10x5 by=d7; credit approved 3 by=anna")
	offered := func(v display.View) (keys []string) {
		for _, one := range touch.AtTray(v) {
			if one.Chips != nil || strings.Contains(one.Name, "refused") {
				keys = append(keys, display.English.Say(one.Label))
			}
		}
		return keys
	}
	want := []string{
		"Count fill 1", "Refuse fill 1", "Cage has credit 2", "Credit 3 is given out", "Refuse credit 3",
	}
	if got := offered(v); !slices.Equal(got, want) || display.SlipDue(v).Key == "" {
		t.Errorf("in the table's money: %q, and the prompt says %q", got, display.SlipDue(v).Key)
	}
	tab.Step(tabletest.SetUp(rules.Setup{House: "schaffhausen"}))
	v = display.From(tab, "BJ 4", 1)
	want = []string{"Refuse fill 1 (EUR)", "Cage has credit 2 (EUR)", "Refuse credit 3 (EUR)"}
	if got := offered(v); !slices.Equal(got, want) || display.SlipDue(v).Key != "" {
		t.Errorf("in another money: %q, and the prompt says %q", got, display.SlipDue(v).Key)
	}
}
