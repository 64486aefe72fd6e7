package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// named lists the names of an enumeration from its first member on.
func named[T interface {
	~uint8
	fmt.Stringer
}](first T) []string {
	var names []string
	for v := first; !strings.HasPrefix(v.String(), "unnamed"); v++ {
		names = append(names, v.String())
	}
	return names
}

// namesOf lists the names of what is yielded.
func namesOf[T fmt.Stringer](every func(yield func(T) bool)) (names []string) {
	for v := range every {
		names = append(names, v.String())
	}
	return names
}

// TestNames compares the tables of the pages with what the engine knows.
func TestNames(t *testing.T) {
	codes := named(irregularity.UnreadCard)
	choices := slices.DeleteFunc(named(irregularity.Identify), func(name string) bool {
		_, persons := irregularity.ParseChoice(name)
		return !persons
	})
	for _, c := range []struct {
		page, section string
		want          []string
	}{
		{contract, "Rejections", named(vocab.BetsClosed)},
		{"irregularities.md", "What is checked", codes},
		{"irregularities.md", "What the choices mean", choices},
		{"panel.md", "Keys", panelKeys()},
	} {
		got := firstColumn(sectionOf(t, c.page, c.section))
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: the page has\n%v\nand the engine\n%v", c.page, c.section, got, c.want)
		}
	}
}

// TestMakes compares the table of shoes with the registry: the same makes in the same
// order, each with the speed of its line.
func TestMakes(t *testing.T) {
	intro, _, _ := strings.Cut(readPage(t, "shoes.md"), "\n## ")
	if got := firstColumn(intro)[1:]; !slices.Equal(got, makes.Names()) {
		t.Errorf("shoes.md has %v, shoe/makes %v", got, makes.Names())
	}
	for _, m := range makes.All {
		speed := strconv.Itoa(m.Baud)
		speed = speed[:len(speed)-3] + "," + speed[len(speed)-3:]
		if row := regexp.MustCompile("(?m)^\\| `" + m.Name + "` \\|.*$").FindString(intro); !strings.Contains(row,
			"| "+speed+" baud |") {
			t.Errorf("shoes.md has not the %s baud of %s: %s", speed, m.Name, row)
		}
	}
}

// panelKeys lists the keys as the configuration writes them.
func panelKeys() []string {
	var names []string
	for key := range panel.EveryKey {
		names = append(names, strings.ReplaceAll(key.String(), "-", "_"))
	}
	return names
}

// TestAuditKinds compares the auditor's page with the kinds of findings that there are.
func TestAuditKinds(t *testing.T) {
	for section, want := range map[string][]audit.Kind{"Faults": audit.Kinds, "Notes": audit.Remarks} {
		var names []string
		for _, kind := range want {
			names = append(names, string(kind))
		}
		got := firstColumn(sectionOf(t, "audit.md", section))
		slices.Sort(got)
		slices.Sort(names)
		if !slices.Equal(got, names) {
			t.Errorf("audit.md, %s: the page has\n%v\nand the audit\n%v", section, got, names)
		}
	}
}

// TestFigures: the page says what each figure of the pit is, by the name that the pit's pages have for it.
func TestFigures(t *testing.T) {
	page := strings.ToLower(readPage(t, "figures.md"))
	for _, r := range tally.Rates {
		name, ok := display.English.Lookup(r.Name)
		if !ok || !strings.Contains(page, strings.ToLower(name)) {
			t.Errorf("figures.md does not say what %s, %q, is", r.Name, name)
		}
	}
}

// TestBets: a bet that every house knows is in the rules, or in the list of what a house may offer besides.
func TestBets(t *testing.T) {
	pages := readPage(t, "rules.md") + readPage(t, "houses.md")
	for bet := range sidebet.EveryBet {
		if !strings.Contains(pages, "`"+bet.String()+"`") {
			t.Errorf("neither rules.md nor houses.md names %s", bet)
		}
	}
}

// TestMentioned looks for every name of the engine in the contract, but for those of side
// bets and their lines, for which it refers to the paytables.
func TestMentioned(t *testing.T) {
	page := readPage(t, contract)
	for _, b := range blocksOf(t, contract) {
		page = strings.ReplaceAll(page, b.text, "")
	}
	ofBets := map[string]bool{}
	for bet := range sidebet.EveryBet {
		ofBets[bet.String()] = true
	}
	for line := range sidebet.EveryLine {
		ofBets[line.String()] = true
	}
	for what, names := range map[string][]string{
		"input": named(vocab.InSetup), "output": named(vocab.Opened), "call": named(vocab.CallCard),
		"wager":   namesOf(vocab.EveryWager),
		"outcome": named(vocab.Win), "why": namesOf(vocab.EveryWhy), "done": namesOf(vocab.EveryDone),
		"to": named(vocab.ToBox), "shoe event": named(vocab.ShoeLoaded),
	} {
		for _, name := range names {
			if !ofBets[name] && !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, `"`+name+`"`) {
				t.Errorf("%s does not mention the %s %q", contract, what, name)
			}
		}
	}
}
