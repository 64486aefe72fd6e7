package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// trayDay is a table's day, whose tray balances. Behind each line stands the number of its last record.
var trayDay = []string{
	"dealer d7",
	"count opening 10x20 100x50 dealer=d7 by=anna", // 3
	"fill asked 100x2 by=d7; fill approved 1 by=anna; fill sent 1 100x2 by=cage",
	"fill received 1 100x2 by=d7",                                                    // 7
	"credit asked 10x10 by=d7; credit approved 2 by=anna; credit sent 2 10x10 by=d7", // 10
	"credit received 2 10x10 by=cage",
	"open; stake 1 a 20; close; TS 7D 9H; rest; TD; paid", // 20
	"open; stake 1 a 20; close; TS 7D 8H; rest; TD; paid", // 29
	"count closing 100x52 10x6 dealer=d7 by=anna",         // 30
}

// TestAuditOfTheTray: whoever changes what is recorded of a tray is found by `sabot journal audit`, though the chain is
// computed anew and sealed with the table's own key; and whoever has no key is, whatever fits.
func TestAuditOfTheTray(t *testing.T) {
	replace := func(f *journaltest.File, seq int64, old, with string) {
		r := f.Row(seq)
		if !strings.Contains(r.Input+r.Outputs, old) {
			t.Fatalf("record %d has no %s:\n%s\n%s", seq, old, r.Input, r.Outputs)
		}
		r.Input, r.Outputs = strings.ReplaceAll(r.Input, old, with), strings.ReplaceAll(r.Outputs, old, with)
	}
	for _, c := range []struct {
		what  string
		plant func(*journaltest.File)
		seals journaltest.Seals
		want  string
	}{
		{
			"a fill that is recorded twice", func(f *journaltest.File) { f.Copy(7, 99) }, journaltest.Sign,
			"fill 1 was received, and no such slip is under way",
		},
		{
			"a fill that was never received", func(f *journaltest.File) { f.Drop(7, 7) }, journaltest.Sign,
			"5200.00 must be in the tray; told: 5400.00",
		},
		{
			"a count that is changed", func(f *journaltest.File) { replace(f, 30, "10000x52", "10000x51") },
			journaltest.Sign, "5160.00 were counted; told: 5260.00",
		},
		{
			"a credit without approval", func(f *journaltest.File) { f.Drop(9, 9) }, journaltest.Sign,
			"credit 2 was sent, and before that it was asked, not approved",
		},
		{
			"a stake that makes the tray fit",
			func(f *journaltest.File) { replace(f, 13, `"amount":2000`, `"amount":3000`) }, journaltest.Sign,
			"the stake is 30.00; recorded: 20.00",
		},
		{
			"a round that is paid twice", func(f *journaltest.File) { f.Copy(20, 99) }, journaltest.Sign,
			"rejected: no-round",
		},
		{
			"a count that is changed without the key",
			func(f *journaltest.File) { replace(f, 30, `"difference":`, `"difference":1`) }, journaltest.Leave,
			"was changed or written by somebody without the key",
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			path, key := trayJournal(t)
			if got := sabot(t, "", "journal", "audit", "--key", key, path); got.Status != exitOK {
				t.Fatalf("nothing was changed: %+v", got)
			}
			f := journaltest.Open(t, path)
			c.plant(f)
			f.Rechain()
			f.Save(c.seals)
			got := sabot(t, "", "journal", "audit", "--key", key, path)
			if got.Status != exitFailed || !strings.Contains(got.Out, c.want) {
				t.Errorf("status %d, and it does not say %q:\n%s", got.Status, c.want, got.Out)
			}
		})
	}
}

// trayJournal is the sealed journal of a day, and the auditor's file with its key.
func trayJournal(t *testing.T) (path, key string) {
	t.Helper()
	dir := processes.FastDir(t)
	path, key = filepath.Join(dir, "journal"), filepath.Join(dir, "key")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	for _, line := range trayDay {
		tab.Play(line)
	}
	tab.Close()
	if err := os.WriteFile(key, []byte(journal.PublicLine(journaltest.Public)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, key
}
