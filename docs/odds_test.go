package docs

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/table/profile"
)

const figuresPage = "figures.md"

// TestOdds compares the table of odds on the page with what package luck computes.
func TestOdds(t *testing.T) {
	var table strings.Builder
	fmt.Fprintln(&table,
		"| house | wager | edge | standard error | deviation | skewness | correlation of two boxes | normal from |")
	fmt.Fprintln(&table, "|---|---|---|---|---|---|---|---|")
	book := profile.Built()
	for _, house := range book.Names() {
		all, err := luck.Of(book[house].Rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range all {
			known := "exact"
			if o.How == luck.Dealt {
				known = fmt.Sprintf("%.2f %%", 100*o.Error)
			}
			fmt.Fprintf(&table, "| %s | `%s` | %.2f %% | %s | %.2f | %.1f | %.3f | %d bets |\n",
				house, o.Wager, 100*o.Edge(), known, o.Deviation(), o.Skew(), o.Pair(), o.NormalFrom())
		}
	}
	page := readPage(t, figuresPage)
	const begin, end = "<!-- odds -->\n", "<!-- end of odds -->"
	head, rest, opened := strings.Cut(page, begin)
	_, tail, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("%s has no table between %q and %q", figuresPage, begin, end)
	}
	want := head + begin + table.String() + end + tail
	if want == page {
		return
	}
	if !rewrite() {
		t.Fatalf("the table of odds in %s is not what package luck computes: run go test ./docs -run Odds -rewrite",
			figuresPage)
	}
	if err := os.WriteFile(figuresPage, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
