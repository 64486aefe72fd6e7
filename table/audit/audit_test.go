package audit_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/audit/audittest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
)

// options are those of an auditor who has the table's key.
func options() audit.Options {
	return audit.Options{Book: rules.Built(), Key: audittest.Public, Version: audittest.Program}
}

// check audits a journal.
func check(tb testing.TB, path string, o audit.Options) *audit.Report {
	tb.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		tb.Fatal(err)
	}
	report, err := audit.Run(tb.Context(), j, o)
	if err != nil {
		tb.Fatal(err)
	}
	if err := j.Close(); err != nil {
		tb.Fatal(err)
	}
	return report
}

// TestUntouched: a journal as it was written has no fault, whatever happened at the
// table: irregularities, mistakes, inputs that are refused, calls that are taken back,
// restarts in the middle of a round, another set-up.
func TestUntouched(t *testing.T) {
	houses := rules.Built().Names()
	restarts, rounds := 0, uint64(0)
	for seed := range 3 * len(houses) {
		house := houses[seed%len(houses)]
		dice := rand.New(rand.NewPCG(uint64(seed), 3))
		var key = audittest.Key
		if seed%3 == 2 {
			key = nil
		}
		tab := audittest.NewTable(t, filepath.Join(t.TempDir(), "journal"), rules.Built(), key)
		tab.SetUp(rules.Setup{House: house})
		player := &tabletest.Player{Dice: dice, Boxes: 1 + seed%7, Freely: true}
		for range 6000 {
			switch n := dice.IntN(300); {
			case n == 0:
				tab.Restart()
				restarts++
			case n < 1+seed%20:
				tab.Put(player.Anything(tab.Tab))
			case n < 30 && tab.Tab.Phase() != table.Idle:
				tab.Put(table.Input{Kind: table.InUndo})
			default:
				tab.Put(player.Next(tab.Tab))
			}
		}
		tab.Close()
		o := options()
		o.Key = nil
		if key != nil {
			o.Key = audittest.Public
		}
		report := check(t, tab.Path, o)
		rounds += report.Rounds
		if !report.Well() {
			t.Errorf("%s, seed %d: %s", house, seed, text(report))
		}
	}
	if restarts < 100 || rounds < 1000 {
		t.Errorf("%d rounds with %d restarts are too few to show anything", rounds, restarts)
	}
}
