package audit_test

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// options are those of an auditor who has the table's key.
func options() audit.Options {
	return audit.Options{Book: profile.Built(), Key: journaltest.Public, Version: journaltest.Program}
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
	for i, house := range profile.Built().Names() {
		t.Run(house, func(t *testing.T) {
			t.Parallel()
			rounds := uint64(0)
			for seed := range uint64(3) {
				report := check(t, night(t, house, 100*uint64(i)+seed), options())
				rounds += report.Rounds
				if !report.Well() {
					t.Errorf("seed %d: %s", seed, text(report))
				}
			}
			if rounds < nightInputs/12 {
				t.Errorf("%d rounds are too few to show anything", rounds)
			}
		})
	}
}

// night makes the journal of a table that has everything happen to it.
func night(t *testing.T, house string, seed uint64) (path string) {
	dice := rand.New(rand.NewPCG(seed, 3))
	tab := journaltest.NewTable(t, filepath.Join(tabletest.FastDir(t), "journal"), profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: house})
	player := &tabletest.Player{Dice: dice, Boxes: 1 + int(seed%4), Freely: true}
	for range nightInputs {
		switch n := dice.IntN(1000); {
		case n == 0:
			tab.Restart()
		case n < 4+int(seed%20):
			tab.Put(player.Anything(tab.Tab))
		case n < 60 && tab.Tab.Phase() != vocab.Idle:
			tab.Put(vocab.Input{Kind: vocab.InUndo})
		default:
			tab.Put(player.Next(tab.Tab))
		}
	}
	tab.Close()
	return tab.Path
}

// TestOwnRules: the rules in force are listed, and a house's own rules are taken
// from the files that were given, also where they were changed in the meantime.
func TestOwnRules(t *testing.T) {
	first, second := ownRules(t, "1/5"), ownRules(t, "1/4")
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built().With(first), journaltest.Key)
	tab.SetUp(rules.Setup{House: "own"})
	tab.Night(journaltest.Busy(1), 20)
	tab.Use(profile.Built().With(second))
	tab.SetUp(rules.Setup{House: "own"})
	tab.Night(journaltest.Busy(2), 30)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(journaltest.Busy(3), 10)
	tab.Close()

	for _, c := range []struct {
		houses    []*profile.House
		unchecked uint64
		faults    int
	}{
		{[]*profile.House{first, second}, 0, 0},
		{[]*profile.House{second, first}, 0, 0},
		{[]*profile.House{second}, 0, 0},
		{nil, 0, 0},
	} {
		o := options()
		o.Houses = c.houses
		report := check(t, path, o)
		if report.Unchecked != c.unchecked || len(report.Faults) != c.faults || report.Rounds != 60-c.unchecked {
			t.Errorf("with %d files: %s", len(c.houses), text(report))
		}
		for _, f := range report.Faults {
			if f.Kind != audit.Rules {
				t.Errorf("with %d files: %s", len(c.houses), f.What)
			}
		}
		if report.Well() != (c.faults == 0) {
			t.Errorf("with %d files the journal is well: %t", len(c.houses), report.Well())
		}
	}
	o := options()
	o.Houses = []*profile.House{first, second}
	if houses := check(t, path, o).Houses; len(houses) != 3 || houses[1].Name != "own" ||
		houses[1].Fingerprint != second.Fingerprint || houses[2].Name != "wiesbaden" {
		t.Errorf("the rules in force were %+v", houses)
	}
}

// ownRules is a house of one's own, with a limit of its side bet.
func ownRules(t *testing.T, most string) *profile.House {
	t.Helper()
	r, err := profile.Built().Parse("own.yaml", []byte(`extends: schaffhausen
house: own
side_bets:
  - {bet: bust, bettors: seated, least: min, most: `+most+` box_max, step: unit, one_per_bettor: false, pays: [{line: bank-bust, pays: "5:2"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestManyFaultsAreBounded: a journal that is wrong everywhere does not fill the
// memory; what is not listed is counted.
func TestManyFaultsAreBounded(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(journaltest.Busy(1), 150)
	tab.Close()
	file := journaltest.Open(t, path)
	for _, row := range file.Rows() {
		row.At++
	}
	file.Rechain()
	file.Save(journaltest.Fit)
	report := check(t, path, options())
	if len(report.Faults) != 51 || report.MoreFaults < 3_000 || report.FaultyRounds != 150 || report.Rounds != 150 {
		t.Errorf("%d faults are listed and %d more counted, in %d rounds of %d",
			len(report.Faults), report.MoreFaults, report.FaultyRounds, report.Rounds)
	}
	if report.Faults[0].Kind != audit.Seals {
		t.Errorf("the first is %s, and not that of the seals", report.Faults[0].Kind)
	}
}

// TestSealsAreSearched: whichever seal the first is that somebody without the key
// wrote, the search finds it, also where signatures are checked in blocks.
func TestSealsAreSearched(t *testing.T) {
	const rounds = 300
	sound := filepath.Join(tabletest.FastDir(t), "journal")
	journaltest.NewTable(t, sound, profile.Built(), journaltest.Key).Year("baden", rounds)
	seals := uint64(0)
	journaltest.Open(t, sound).Remove(func(one *journaltest.Frame) bool {
		if one.Seal != nil {
			seals++
		}
		return false
	})
	for _, every := range []bool{false, true} {
		for _, good := range []uint64{0, 1, 255, 256, 257, seals - 1, seals} {
			if every && good > 0 && good < seals && !tier.InSoak() {
				continue // all are checked, whichever is not valid
			}
			path := filepath.Join(tabletest.FastDir(t), "journal")
			if err := os.CopyFS(path, os.DirFS(sound)); err != nil {
				t.Fatal(err)
			}
			if good < seals {
				file := journaltest.Open(t, path)
				file.Seal(int(good)).Seal.At++
				file.Rechain()
				file.Save(journaltest.Fit)
			}
			o := options()
			o.EverySeal = every
			report := check(t, path, o)
			last := uint64(0)
			if good > 0 {
				last = uint64(journaltest.Open(t, path).Seal(int(good - 1)).Seal.Seal)
			}
			isSeal := func(f *audit.Finding) bool { return f.Kind == audit.Seals }
			if report.Sealed.Record != last || report.Sealed.Seals != seals ||
				slices.ContainsFunc(report.Faults, isSeal) != (good < seals) || report.Well() != (good == seals) {
				t.Errorf("%d of %d seals are valid, up to record %d, and the report says %+v", good, seals, last,
					report.Sealed)
			}
			if every && good == seals && report.Sealed.Checked != seals || !every && report.Sealed.Checked > 300 {
				t.Errorf("%d signatures of %d were checked, every one being %t", report.Sealed.Checked, seals, every)
			}
		}
	}
}

// TestOneBadSeal: a bad signature with good ones after it, in a chain that holds, is found
// where every seal is checked; otherwise the later ones vouch for what is before them.
func TestOneBadSeal(t *testing.T) {
	path := longAgo(t, 1)
	f := journaltest.Open(t, path)
	seal := f.Seal(5).Seal
	seal.Signature = strings.Repeat("00", ed25519.SignatureSize)
	f.Rechain()
	f.Save(journaltest.Sign)
	o := options()
	if report := check(t, path, o); !report.Well() || report.Sealed.Record != report.Head {
		t.Errorf("the last seals vouch for the rest: %s", text(report))
	}
	o.EverySeal = true
	report := check(t, path, o)
	if len(report.Faults) != 1 || !strings.Contains(report.Faults[0].What,
		fmt.Sprintf("the seal behind record %d is not valid, and later ones are", seal.Seal)) {
		t.Errorf("%s", text(report))
	}
	if report.Sealed.Record != report.Head {
		t.Errorf("the last seal is valid, and the report says %+v", report.Sealed)
	}
}

// TestKeyThatCameLater: a table that is given a key sets its journal aside, and begins
// one that names it for ever. By another key nothing in it is proved.
func TestKeyThatCameLater(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), nil)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(journaltest.Busy(1), 2)
	tab.Key = journaltest.Key
	tab.Restart()
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(journaltest.Busy(2), 2)
	tab.Close()
	report := check(t, path, options())
	if len(report.Faults) != 1 || !finds(report, want{audit.SetAside, 0}) || report.Sealed.Record != report.Head {
		t.Errorf("%s", text(report))
	}
	o := options()
	o.Key = journaltest.Other.Public().(ed25519.PublicKey)
	if report := check(t, path, o); !finds(report, want{audit.Seals, 0}) {
		t.Errorf("by another key: %s", text(report))
	}
	// Parts without seals before parts that have them.
	path = longAgo(t, 1)
	f := journaltest.Open(t, path)
	f.Parts[0].Edit = func(h *journal.Header) { h.Key = "" }
	f.Rechain()
	f.Save(journaltest.Sign)
	if report := check(t, path, options()); !finds(report, want{audit.Seals, int64(f.Parts[1].Header().Record) + 1}) {
		t.Errorf("with a part that names no key: %s", text(report))
	}
}

// TestWhileTheTableGoesOn: an audit of a table that is under way sees it as it was.
func TestWhileTheTableGoesOn(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	player := journaltest.Busy(1)
	for range 20 {
		for range 40 { // to the middle of a round
			tab.Put(player.Next(tab.Tab))
		}
		tab.Flush()
		if report := check(t, path, options()); !report.Well() || report.Rounds != tab.Tab.Round() {
			t.Errorf("in round %d: %s", tab.Tab.Round(), text(report))
		}
	}
	tab.Close()
}

// TestProgress comes to an end.
func TestProgress(t *testing.T) {
	path := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, path, profile.Built(), nil)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	tab.Night(journaltest.Busy(1), 300)
	tab.Close()
	var last, calls uint64
	o := options()
	o.Key = nil
	o.Progress = func(done, total uint64) {
		if calls++; done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}
	report := check(t, path, o)
	if last != report.Records || calls < 3 {
		t.Errorf("the progress ended with %d of %d, after %d calls", last, report.Records, calls)
	}
}
