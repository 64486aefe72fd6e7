package table_test

import (
	"encoding/json"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
)

// TestCarryAsText: what a table carries over survives being written down.
func TestCarryAsText(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(&tab, "open; stake 1 a 20; close\n TS 7D 9H\n rest\n TC 2D\n resolve next-round\n paid\n shoe cut-card\n shoe alarm cover\n resolve accept"); err != nil {
		t.Fatal(err)
	}
	const want = `{"round":1,"waiting":["2D"],"shoe":{"Offline":false,"CutCard":true}}`
	text, err := json.Marshal(tab.Carry())
	if err != nil || string(text) != want {
		t.Fatalf("the table carries %s (%v), want %s", text, err, want)
	}
	var carry table.Carry
	if err := json.Unmarshal(text, &carry); err != nil {
		t.Fatal(err)
	}
	resumed := table.Resume(tab.Rules(), carry)
	if got := resumed.Waiting(); len(got) != 1 || got[0] != card.Of(2, card.Diamonds) {
		t.Errorf("waiting are %v", got)
	}
	if resumed.Round() != 1 || resumed.Shoe() != tab.Shoe() || !resumed.Settled() {
		t.Errorf("resumed is round %d, shoe %+v, settled %t", resumed.Round(), resumed.Shoe(), resumed.Settled())
	}
}

// TestSetupIsAFreshShoe: the cut card goes with the old one; the line's state does not.
func TestSetupIsAFreshShoe(t *testing.T) {
	var tab table.Table
	setup := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Step(setup)
	tab.Step(table.Input{Kind: table.InShoe, Shoe: table.ShoeCutCard})
	tab.Step(table.Input{Kind: table.InShoe, Shoe: table.ShoeWentOffline})
	tab.Step(setup)
	if got, want := tab.Shoe(), (table.ShoeState{Offline: true}); got != want {
		t.Errorf("after a setup the shoe is %+v, want %+v", got, want)
	}
	tab.Step(table.Input{Kind: table.InShoe, Shoe: table.ShoeCutCard})
	tab.Step(table.Input{Kind: table.InShoe, Shoe: table.ShoeLoaded})
	if tab.Shoe().CutCard {
		t.Error("a loaded shoe still has its cut card out")
	}
}
