package audit_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// withoutPart audits a journal of which a part was moved away, by a note before its last record.
func withoutPart(t *testing.T, path string, part int) *audit.Report {
	t.Helper()
	path = copyOf(t, path)
	f := journaltest.Open(t, path)
	first, last := f.Parts[part-1].Header().Record+1, f.Parts[part].Header().Record
	if part == 1 {
		first = 1
	}
	rows := f.Rows()
	f.Insert(rows[len(rows)-1].Seq, &journaltest.Frame{
		Text: fmt.Sprintf(`{"away":%d,"first":%d,"last":%d,"to":"/archive","at":1`, part, first, last),
	})
	f.Rechain()
	f.Save(journaltest.Sign)
	if err := os.Remove(filepath.Join(path, f.Parts[part-1].Name)); err != nil {
		t.Fatal(err)
	}
	return check(t, path, options())
}

// TestBehindAPartThatIsAway: where a part was moved away, the second book begins anew with the next round. What has
// happened before it is no fault: bets that were not opened, a payment that was taken back, chips that were sold, and a
// supervisor who has let the round be dealt though the cut card had come.
func TestBehindAPartThatIsAway(t *testing.T) {
	const round = "stake 1 a 20; close; TS 7D 9H; rest; TC; paid"
	for name, before := range map[string]string{
		"a payment was taken back": "shoe offline; open; shoe online; undo; paid; buy-in 100 by=d7",
		"a round may be dealt":     "shoe cut-card; open from=panel; resolve accept by=anna",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(tabletest.FastDir(t), "journal")
			tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
			tab.SetUp(rules.Setup{House: "schaffhausen"})
			tab.Play("count opening 100x50 dealer=d7 by=anna; open; " + round)
			for range 2 {
				tab.Restart()
				tab.Play("open; " + round)
			}
			for line := range strings.SplitSeq(before, "; ") {
				put(t, tab, line)
			}
			tab.Play("open from=panel; " + round + "; count interim 100x50 dealer=d7 by=anna")
			tab.Close()
			if r := withoutPart(t, path, 2); !r.Well() || len(r.Away) != 1 {
				t.Errorf("away are %v: %s", r.Away, text(r))
			}
		})
	}
}

// put puts in what a table may well refuse.
func put(t *testing.T, tab *journaltest.Table, line string) {
	t.Helper()
	inputs, err := tabletest.InputsIn(2, line)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		tab.Put(in)
	}
}

// TestHonestWithoutAPart: whichever part of an honest journal was moved away, no fault is found in the others.
func TestHonestWithoutAPart(t *testing.T) {
	first, audited := tier.SeedOf(t), 0
	for seed := first; seed < first+tier.Times[uint64](3, 60); seed++ {
		path := honest(t, seed)
		for part := 1; part < len(journaltest.Open(t, path).Parts)-1; part++ {
			if r := withoutPart(t, path, part); !r.Well() {
				t.Errorf("seed %d, part %d: %s", seed, part, text(r))
			}
			audited++
		}
	}
	if audited == 0 {
		t.Error("no journal had a part to move away, so nothing was audited")
	}
}

// honest writes a journal of several parts, of a table at which anything is put in, and gives its path.
func honest(t *testing.T, seed uint64) (path string) {
	t.Helper()
	dice, houses := rand.New(rand.NewPCG(seed, 99)), profile.Built().Names()
	path = filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: houses[seed%uint64(len(houses))]})
	player := &tabletest.Player{Dice: dice, Boxes: 1 + int(seed%4), Freely: true}
	for range 900 {
		switch n := dice.IntN(1000); {
		case n < 8:
			tab.Restart()
		case n < 60:
			tab.Put(player.Anything(tab.Tab))
		case n < 120:
			tab.Put(player.AnyTray(tab.Tab))
		case n < 200 && tab.Tab.Phase() == vocab.Idle && tab.Tab.Round() > 0:
			tab.Put(vocab.Input{Kind: vocab.InUndo})
		default:
			tab.Put(player.Next(tab.Tab))
		}
	}
	tab.Put(vocab.Input{Kind: vocab.InUndo})
	tab.Close()
	return path
}
