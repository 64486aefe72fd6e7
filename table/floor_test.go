package table_test

import (
	"encoding/json"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// calls are what the table says of the call for the floor.
func calls(t *table.Table) string {
	got := ""
	for a := range t.Alerts {
		got += a.Code.String() + " " + a.Wants.String() + " " + a.Caller + " " + a.AcknowledgedBy + ";"
	}
	return got
}

// TestFloorOutlastsARestart: what it was called for, by whom, and who is coming is known to a
// table that is resumed between two rounds.
func TestFloorOutlastsARestart(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(&tab, "floor called dispute by=d7; acknowledge floor-called anna"); err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(tab.Carry())
	if err != nil {
		t.Fatal(err)
	}
	var carry table.Carry
	if err := json.Unmarshal(kept, &carry); err != nil {
		t.Fatal(err)
	}
	again := table.Resume(tab.Rules(), carry)
	const want = "floor-called dispute d7 anna;"
	if was, is := calls(&tab), calls(again); was != want || is != want {
		t.Errorf("%q is kept as %s and resumed as %q, want %q", was, kept, is, want)
	}
	if _, err := tabletest.Play(again, "floor done"); err != nil || calls(again) != "" {
		t.Errorf("it does not end: %q, %v", calls(again), err)
	}
}

// TestFloorCalledAgain: an urgent second call says no reason, and keeps the one that there is;
// the alert was not seen since.
func TestFloorCalledAgain(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "baden"}))
	for _, c := range []struct{ line, want string }{
		{"floor called chips by=d7", "floor-called chips d7 ;"},
		{"acknowledge floor-called anna", "floor-called chips d7 anna;"},
		{"floor called", "floor-called chips d7 ;"},
		{"floor called dispute by=d8", "floor-called dispute d8 ;"},
		{"floor done", ""},
		{"floor called", "floor-called   ;"},
	} {
		if _, err := tabletest.Play(&tab, c.line); err != nil {
			t.Fatal(err)
		}
		if got := calls(&tab); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}
