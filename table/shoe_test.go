package table_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestWhichShoe plays testdata/shoe.txt: what the table tells of the shoe that deals. After
// each step it goes on from its position in a line and, between two rounds, from its
// checkpoint, since neither may forget the shoe.
func TestWhichShoe(t *testing.T) {
	var tab *table.Table
	datadriven.RunTest(t, "testdata/shoe.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "begin" {
			tab = set("baden", 0)
			return ""
		}
		said, err := tabletest.Play(tab, d.Input)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		tab = again(t, tab)
		return said
	})
}

// again is the table as its position, or its checkpoint, has it.
func again(t *testing.T, tab *table.Table) *table.Table {
	t.Helper()
	if tab.Settled() {
		text, err := json.Marshal(tab.Carry())
		if err != nil {
			t.Fatal(err)
		}
		var carry table.Carry
		if err := json.Unmarshal(text, &carry); err != nil {
			t.Fatal(err)
		}
		tab = table.Resume(tab.Rules(), carry)
	}
	placed, err := tabletest.Position(string(notation.AppendPosition(nil, tab)), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	if placed.Shoe() != tab.Shoe() {
		t.Fatalf("placed, the shoe is %+v, not %+v", placed.Shoe(), tab.Shoe())
	}
	return placed
}

// TestCheckpointWithoutAShoe: a checkpoint of a table that knows of no shoe is written as it
// was before shoes were named, and read.
func TestCheckpointWithoutAShoe(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	text, err := json.Marshal(tab.Carry())
	if err != nil || !strings.Contains(string(text), `"shoe":{"Offline":false,"CutCard":false}`) {
		t.Errorf("the checkpoint is %s, %v", text, err)
	}
}
