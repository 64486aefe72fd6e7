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

// nines is a house with a side bet that the program has never heard of.
const nines = `
extends: schaffhausen
house: nines
side_bets:
  - bet: lucky-nines        # decision
    title: Lucky Nines      # decision
    cards: box+up           # decision
    bettors: anybody        # decision
    least: 5.00             # decision
    most: 50.00             # decision
    step: 5.00              # decision
    one_per_bettor: false   # decision
    pays:
      - {line: three-suited-nines, when: 3 of 9 and suited, pays: "200:1"}  # decision
      - {line: three-nines, when: 3 of 9, pays: "40:1"}                     # decision
      - {line: two-nines, when: 2 of 9, pays: "8:1"}                        # decision
words:
  de: {wager.lucky-nines: Glücksneuner, rule.line-two-nines: zwei Neunen}
`

// TestASideBetOfTheHousesOwn: a side bet that one file defines is checked, printed, reckoned, played, paid and audited.
func TestASideBetOfTheHousesOwn(t *testing.T) {
	file := house(t, nines)
	says := func(in string, want []string, args ...string) {
		t.Helper()
		status, out, errOut := runSabot(t, in, args...)
		if status != exitOK {
			t.Errorf("%v: status %d, %s", args, status, errOut)
		}
		for _, text := range want {
			if !strings.Contains(out, text) {
				t.Errorf("%v does not say %q:\n%s", args, text, out)
			}
		}
	}
	says("", []string{"is good: house nines"}, "rules", "check", file)
	says("", []string{"Side bet Lucky Nines", "Decided by box+up", "40:1  3 of 9", "8:1  2 of 9"}, "rules",
		"show", file)
	// 24 nines of 312 cards: 2,024 threes, 80 of them of a suit, and 276 pairs with one of 288 others.
	says("", []string{
		`"wager":"lucky-nines"`, `"line":"three-suited-nines","probability":"2/125333"`,
		`"line":"three-nines","probability":"243/626665"`,
		`"line":"two-nines","probability":"9936/626665"`,
	}, "rules", "odds", "--house", file, "--wager", "lucky-nines", "--json")
	round := `{"in":"setup","house":"nines"}
{"in":"open"}
{"in":"stake","box":1,"bettor":"a","wager":"main","amount":2000}
{"in":"stake","box":1,"bettor":"a","wager":"lucky-nines","amount":1000}
{"in":"close"}
{"in":"card","card":"9S"}
{"in":"card","card":"9H"}
{"in":"card","card":"9D"}
`
	says(round, []string{
		`{"out":"settled","box":1,"bettor":"a","wager":"lucky-nines","outcome":"win","why":"three-nines","stake":1000,"returned":1000,"won":40000}`,
	}, "replay", "--house", file, "-")

	book, name, err := profile.Built().Load(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := processes.FastDir(t)
	path, key := filepath.Join(dir, "journal"), filepath.Join(dir, "key")
	table := journaltest.NewTable(t, path, book, journaltest.Key)
	table.SetUp(rules.Setup{House: name})
	table.Play("open; stake 1 a 20; stake 1 a 10 lucky-nines; close; 9S 9H 9D; rest; TC; paid")
	table.Close()
	if err := os.WriteFile(key, []byte(journal.PublicLine(journaltest.Public)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	says("", []string{"all is well: 1 round"}, "journal", "audit", "--key", key, path)
	says("", []string{`"wager":"lucky-nines","outcome":"win","why":"three-nines"`}, "replay", "--house", file, path)
}
