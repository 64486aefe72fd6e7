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

// TestCounts: a tray is opened before it is counted between, and closed once no slip is under way; nobody counts in a
// round.
func TestCounts(t *testing.T) {
	const opened = "count opening 10x20 100x5 dealer=d7 by=anna"
	for _, c := range []struct {
		lines string
		want  []string
	}{
		{"", []string{"tray-opening"}},
		{opened, []string{"tray-interim", "tray-closing"}},
		{opened + "; fill asked 100x2 by=d7", []string{"tray-interim"}},
		{opened + "; open", nil},
	} {
		_, v := of(t, profile.Built()["wiesbaden"], c.lines)
		var got []string
		for _, one := range touch.AtTray(v) {
			if one.Asks == touch.AsksCount {
				got = append(got, one.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("after %q a tray is counted by %q, want %q", c.lines, got, c.want)
		}
	}
}

// TestSlipIsApproved: a supervisor approves or refuses what was asked for, between two rounds.
func TestSlipIsApproved(t *testing.T) {
	for lines, want := range map[string][]string{
		"fill asked 100x2 by=d7":       {"tray-fill-approved-1", "tray-fill-refused-1"},
		"fill asked 100x2 by=d7; open": nil,
	} {
		_, v := of(t, profile.Built()["wiesbaden"], lines)
		var got []string
		for _, one := range touch.AtTray(v) {
			if strings.HasSuffix(one.Name, "-1") {
				got = append(got, one.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("after %q: %q, want %q", lines, got, want)
		}
	}
}
