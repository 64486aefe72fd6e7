package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
)

// example is a fenced block of docs/houses.md.
type example struct{ kind, text string }

func readHousesPage(t *testing.T) (page string, examples []example) {
	t.Helper()
	text, err := os.ReadFile("../../docs/houses.md")
	if err != nil {
		t.Fatal(err)
	}
	fenced := regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	for _, found := range fenced.FindAllStringSubmatch(string(text), -1) {
		examples = append(examples, example{found[1], found[2]})
	}
	return string(text), examples
}

// TestHousesPage follows docs/houses.md: it writes the page's files, and the page's
// commands answer as it says.
func TestHousesPage(t *testing.T) {
	tier.Soak(t, "it works out odds for seconds")
	_, examples := readHousesPage(t)
	t.Chdir(t.TempDir())
	files, commands := 0, 0
	for _, e := range examples {
		switch e.kind {
		case "yaml":
			writeExample(t, e.text)
			files++
		case "console":
			commands += followSession(t, e.text)
		default:
			t.Errorf("nobody tests the block\n%s", e.text)
		}
	}
	if files < 4 || commands < 4 {
		t.Errorf("the page has %d files and %d commands", files, commands)
	}
}

// writeExample writes a file under the name in its first line. One that is not
// meant to be wrong must be good.
func writeExample(t *testing.T, text string) {
	t.Helper()
	first, _, _ := strings.Cut(text, "\n")
	name := strings.TrimPrefix(first, "# ")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	switch name {
	case "wrong.yaml":
		return
	case "sabot.yaml":
		err = configured(t, text)
	default:
		_, err = profile.Built().Parse(name, []byte(text))
	}
	if err != nil {
		t.Errorf("%s:\n%v", name, err)
	}
}

// configured reads the page's configuration, with the path of the house's file here.
func configured(t *testing.T, text string) error {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "/etc/sabot/", folder+string(filepath.Separator))
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err == nil && c.House != "my-house" {
		t.Errorf("the configuration plays %s", c.House)
	}
	return err
}

// followSession runs the commands of a block, and compares what they print with the
// lines that follow. A line "…" stands for any lines, "…" in a line for any text.
func followSession(t *testing.T, block string) (commands int) {
	t.Helper()
	for _, part := range strings.Split(block, "$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		_, out, errOut := runSabot(t, "", strings.Fields(command)[1:]...)
		pattern := regexp.QuoteMeta(strings.TrimRight(want, "\n"))
		pattern = strings.ReplaceAll(pattern, "\n…\n", "\n(?s:.*)\n")
		pattern = strings.ReplaceAll(pattern, "…", ".*")
		if !regexp.MustCompile(`^` + pattern + `\n*$`).MatchString(out + errOut) {
			t.Errorf("%s prints\n%s%s", command, out, errOut)
		}
		commands++
	}
	return commands
}

// Mending the page's first fault reveals the one that it hides.
func TestHousesPageWrongFile(t *testing.T) {
	_, examples := readHousesPage(t)
	for _, e := range examples {
		if !strings.HasPrefix(e.text, "# wrong.yaml") {
			continue
		}
		mended := strings.Replace(e.text, "extends: club", "extends: wiesbaden", 1)
		if _, err := profile.Built().Parse("wrong.yaml", []byte(mended)); err == nil ||
			!strings.Contains(err.Error(), "the box maximum 500.00 is below the minimum 600.00") {
			t.Errorf("got %v", err)
		}
		return
	}
	t.Error("the page has no wrong.yaml")
}

// The page's table of limits agrees with a built-in table.
func TestHousesPageLimits(t *testing.T) {
	page, _ := readHousesPage(t)
	_, table, _ := strings.Cut(page, "| written | at a table with 10.00 to 500.00 in steps of 0.50 |\n|---|---|\n")
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([0-9.]+) \\|$").FindAllStringSubmatch(table, -1)
	if len(rows) < 5 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		text := fmt.Sprintf(`extends: schaffhausen
house: mine
side_bets:
  - {bet: bust, bettors: seated, least: %s, most: box_max, step: unit, one_per_bettor: false, pays: [{line: bank-bust, pays: "5:2"}]}
`, row[1])
		r, err := profile.Built().Parse("mine.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := money.Format(r.Offer(sidebet.Bust).Least, 2); got != row[2] {
			t.Errorf("%s is %s, the page says %s", row[1], got, row[2])
		}
	}
}
