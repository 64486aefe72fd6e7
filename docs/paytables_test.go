package docs

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
)

const rulesPage = "rules.md"

// TestPaytables compares the side bets on the page with those of the profiles:
// every line of a paytable, and who may stake how much.
func TestPaytables(t *testing.T) {
	var limits, lines []string
	houses := map[string][]string{} // by the row without its house
	book := profile.Built()
	for _, house := range book.Names() {
		for _, bet := range book[house].SideBets {
			boxMost := "–"
			if bet.BoxMost != nil {
				boxMost = bet.BoxMost.Text(2)
			}
			name := "`" + bet.Bet.String() + "`"
			row := strings.Join([]string{
				name, bet.Bettors.String(), bet.Least.Text(2), bet.Most.Text(2), bet.Step.Text(2), boxMost,
			}, " | ")
			houses[row] = append(houses[row], house)
			for _, line := range bet.Pays {
				lines = append(lines, strings.Join([]string{name, "`" + line.Line.String() + "`", line.Pays.Text(2)},
					" | "))
			}
		}
	}
	for row, of := range houses {
		bet, rest, _ := strings.Cut(row, " | ")
		limits = append(limits, strings.Join([]string{bet, strings.Join(of, ", "), rest}, " | "))
	}
	sameRows(t, "Side bets", rowsOf(t, "Side bets", 0, 1, 2, 3, 4, 5, 6), limits)
	sameRows(t, "Paytables", rowsOf(t, "Paytables", 0, 1, 3), lines)
}

// rowsOf returns some columns of the rows of a section's table that begin with a
// name in backquotes.
func rowsOf(t *testing.T, heading string, columns ...int) []string {
	t.Helper()
	_, rest, found := strings.Cut(readPage(t, rulesPage), "# "+heading+"\n")
	if !found {
		t.Fatalf("%s has no section %q", rulesPage, heading)
	}
	section, _, _ := strings.Cut(rest, "\n#")
	var rows []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		var row []string
		for _, c := range columns {
			if c < len(cells) {
				row = append(row, cells[c])
			}
		}
		rows = append(rows, strings.Join(row, " | "))
	}
	return rows
}

// sameRows compares what the page has with what the profiles have, in any order.
func sameRows(t *testing.T, heading string, page, profiles []string) {
	t.Helper()
	slices.Sort(profiles)
	profiles = slices.Compact(profiles)
	if len(profiles) == 0 {
		t.Fatal("the profiles have no side bets")
	}
	for _, row := range profiles {
		if !slices.Contains(page, row) {
			t.Errorf("%s, %s: the page lacks %s", rulesPage, heading, row)
		}
	}
	for _, row := range page {
		if !slices.Contains(profiles, row) {
			t.Errorf("%s, %s: no profile has %s", rulesPage, heading, row)
		}
	}
}
