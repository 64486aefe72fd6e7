package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/money"
)

// playedInCurrency is how many rounds are played of each house.
var playedInCurrency = tier.Times(200, 2000)

// TestHouseInItsCurrency: houses whose currency has no decimals, or three, are checked with engine, second book and
// odds beside each other, shown, and worked out; and rounds of theirs are audited, recalled, exported and replayed,
// with amounts as the currency has them.
func TestHouseInItsCurrency(t *testing.T) {
	for house, c := range map[string]struct {
		currency    string
		shown, odds []string
		wager       string
	}{
		"yen": {
			"JPY",
			[]string{
				"Amounts are in JPY.", "A stake is at least 1,000.", "It starts from 1,234,567,", "Plaques of 100,000.",
			},
			[]string{" of 505 ", "for each 100"},
			"progressive",
		},
		"dinar": {
			"KWD",
			[]string{"Amounts are in KWD.", "A stake is at least 2.500.", "multiples of 0.005."},
			[]string{" of 0.250 "},
			"perfect-pairs",
		},
	} {
		t.Run(house, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "..", "internal", "testkit", "tabletest", house+".yaml")
			says(t, []string{"is good: house " + house, "engine and second book agree on all"}, "rules", "check", file)
			says(t, c.shown, "rules", "show", file)
			says(t, c.odds, "rules", "odds", "--house", file, "--wager", c.wager)
			path := filepath.Join(processes.FastDir(t), "journal")
			n := journaltest.NewNight(t, path, house, 9)
			n.Mistakes = 1
			n.Rounds(playedInCurrency)
			says(t, []string{"all is well: " + display.English.Money(int64(playedInCurrency), 0) + " rounds"},
				"journal", "audit",
				path)
			recallsStakes(t, path, c.currency, stakedBy(t, path, c.currency))
			got, want := sabot(t, "", "replay", path), sabot(t, "", "journal", "events", path)
			if got.Status != exitOK || got != want {
				t.Errorf("the replay: %d, %s, and %d bytes, not %d", got.Status, got.Err, len(got.Out), len(want.Out))
			}
		})
	}
}

// recallsStakes recalls some rounds, which say what was staked in the currency, or that not all of it was entered. The
// last of which it is known is among them.
func recallsStakes(t *testing.T, path, currency string, staked map[int]int64) {
	t.Helper()
	if len(staked) == 0 {
		t.Fatal("of no round all stakes were entered")
	}
	numbers := []int{slices.Max(slices.Collect(maps.Keys(staked)))}
	for number := playedInCurrency / 4; number <= playedInCurrency; number += playedInCurrency / 4 {
		numbers = append(numbers, number)
	}
	for _, number := range numbers {
		text := "not entered"
		if amount, known := staked[number]; known {
			text = display.English.Money(amount, money.Digits(currency))
		}
		says(t, []string{"staked " + text + ","}, "journal", "recall", path, strconv.Itoa(number))
	}
}

// says runs sabot, which must do well and say some texts.
func says(t *testing.T, texts []string, args ...string) {
	t.Helper()
	status, out, errOut := runSabot(t, "", args...)
	if status != exitOK {
		t.Fatalf("%s: status %d, %s\n%s", strings.Join(args, " "), status, errOut, out)
	}
	for _, text := range texts {
		if !strings.Contains(out, text) {
			t.Errorf("%s lacks %q:\n%.3000s", strings.Join(args, " "), text, out)
		}
	}
}

// stakedBy exports a journal's rounds, and returns what was staked in each of which it is known, in minor units.
func stakedBy(t *testing.T, path, currency string) map[int]int64 {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "csv")
	says(t, []string{fmt.Sprintf(" %d rounds, ", playedInCurrency)}, "journal", "export", "--to", "csv", path, folder)
	f, err := os.Open(filepath.Join(folder, "round.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	staked := map[int]int64{}
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, name := range rows[0] {
			one[name] = row[i]
		}
		number, amount := json.Number(one["number"]), json.Number(one["staked"])
		n, wrong := number.Int64()
		a, bad := amount.Int64()
		known := one["staked"] != ""
		if one["currency"] != currency || wrong != nil || bad != nil && known {
			t.Fatalf("round %s was played in %s for %s", one["number"], one["currency"], one["staked"])
		}
		if known {
			staked[int(n)] = a
		}
	}
	return staked
}
