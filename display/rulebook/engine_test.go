package rulebook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// at is a table of some rules after some lines in the words of tabletest. {m} in them is the main
// stake of the examples.
func at(t *testing.T, set *rules.Rules, lines ...string) *table.Table {
	t.Helper()
	in := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
	in.Setup, in.Rules = &rules.Setup{House: set.House}, set
	var tab table.Table
	tab.Step(in)
	for _, line := range lines {
		line = strings.ReplaceAll(line, "{m}", money.Format(2*set.Table.Min, 2))
		if _, err := tabletest.Play(&tab, line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return &tab
}

// dealt is a table at which box 1 is asked first, with two cards against the bank's first. A
// second box plays, so that nobody plays alone.
func dealt(t *testing.T, set *rules.Rules, first, bank, second string, more ...string) *table.Table {
	t.Helper()
	lines := []string{"open; stake 1 a {m}; stake 2 b {m}; close", fmt.Sprintf("%s 9C %s %s 8C", first, bank, second)}
	return at(t, set, append(lines, more...)...)
}

func allows(tab *table.Table, call vocab.Call) bool { return tab.Due().Allowed.Has(call) }

// said are the rules that are said as yes or no, and what the engine does.
var said = map[string]func(t *testing.T, set *rules.Rules) bool{
	"play.lone_player_two_boxes": func(t *testing.T, set *rules.Rules) bool {
		return at(t, set, "open; stake 1 a {m}; close").Rejected() != 0
	},
	"double.allowed": func(t *testing.T, set *rules.Rules) bool {
		return allows(dealt(t, set, "6S", "8D", "5H"), vocab.CallDouble)
	},
	"double.hard_only": func(t *testing.T, set *rules.Rules) bool {
		return !allows(dealt(t, set, "AS", "8D", "8H"), vocab.CallDouble)
	},
	"double.after_split": func(t *testing.T, set *rules.Rules) bool {
		return allows(dealt(t, set, "8S", "7D", "8H", "split; 3H"), vocab.CallDouble)
	},
	"split.aces_again": func(t *testing.T, set *rules.Rules) bool {
		tab := dealt(t, set, "AS", "7D", "AH", "split; AD")
		return tab.Due().Box == 1 && allows(tab, vocab.CallSplit)
	},
	"insurance.offered": func(t *testing.T, set *rules.Rules) bool {
		return at(t, set, "open; stake 1 a {m}; stake 2 b {m}; close", "TS 9C AD 9H 8C", "insurance 1 a "+
			money.Format(set.Table.Min, 2)).Rejected() == 0
	},
	"insurance.exactly_half": func(t *testing.T, set *rules.Rules) bool {
		return at(t, set, "open; stake 1 a {m}; stake 2 b {m}; close", "TS 9C AD 9H 8C", "insurance 1 a "+
			money.Format(set.Table.Unit, 2)).Rejected() != 0
	},
	"insurance.black_jack": func(t *testing.T, set *rules.Rules) bool {
		return at(t, set, "open; stake 1 a {m}; stake 2 b {m}; close", "AS 9C AD KH 8C", "insurance 1 a "+
			money.Format(set.Table.Min, 2)).Rejected() == 0
	},
	"insurance.even_money": func(t *testing.T, set *rules.Rules) bool {
		return at(t, set, "open; stake 1 a {m}; stake 2 b {m}; close", "AS 9C AD KH 8C",
			"even-money 1 a").Rejected() == 0
	},
	"surrender": func(t *testing.T, set *rules.Rules) bool {
		return allows(dealt(t, set, "TS", "8D", "6H"), vocab.CallSurrender)
	},
	"play.auto_rest_at_21": func(t *testing.T, set *rules.Rules) bool {
		return dealt(t, set, "TS", "8D", "5H", "card; 6D").Due().Box == 2
	},
	"three_sevens.paid": func(t *testing.T, set *rules.Rules) bool {
		return bonus(dealt(t, set, "7S", "8D", "7H", "card; 7D"))
	},
}

func bonus(tab *table.Table) bool {
	return slices.ContainsFunc(tab.Decided(), func(out vocab.Output) bool {
		return out.Kind == vocab.Bonus && out.Why == vocab.WhyThreeSevens
	})
}

// TestWhatIsSaidIsPlayed: what the help says of a house as yes or no is what the engine does at a
// table of that house.
func TestWhatIsSaidIsPlayed(t *testing.T) {
	seen := map[string]map[bool]bool{}
	atTables(t, func(t *testing.T, h *profile.House, set *rules.Rules) {
		if set.Game == rules.BlackJames {
			return
		}
		for _, section := range rulebook.Of(display.English, h, set) {
			for _, s := range section.Statements {
				does, known := said[s.Path]
				if !known {
					continue
				}
				is := does(t, set)
				variant := map[bool]string{true: "-yes", false: "-no"}[is]
				want, _ := display.English.Lookup("rule." + strings.ReplaceAll(s.Path, "_", "-") + variant)
				if s.Text != want {
					t.Errorf("%s is said as %q, and the engine says %t", s.Path, s.Text, is)
				}
				if seen[s.Path] == nil {
					seen[s.Path] = map[bool]bool{}
				}
				seen[s.Path][is] = true
			}
		}
	})
	for path := range said {
		if len(seen[path]) == 0 {
			t.Errorf("no house says %s", path)
		}
	}
}

// TestLimitsAreTaken: an amount that the help names as the least or the most is taken by the
// engine, and the next one beyond it is refused.
func TestLimitsAreTaken(t *testing.T) {
	atTables(t, func(t *testing.T, h *profile.House, set *rules.Rules) {
		limits, sections := set.Table, rulebook.Of(display.English, h, set)
		takes := func(amount int64) bool {
			return at(t, set, "open; stake 1 a "+money.Format(amount, 2)).Rejected() == 0
		}
		says(t, sections, "table.min", limits.Min, takes(limits.Min) && !takes(limits.Min-limits.Unit))
		says(t, sections, "table.box_max", limits.BoxMax, takes(limits.BoxMax) && !takes(limits.BoxMax+limits.Unit))
		for i := range set.SideBets {
			o := set.Offer(set.SideBets[i].Bet)
			takes := func(amount int64) bool {
				return at(t, set, "open; stake 1 a {m} seated",
					fmt.Sprintf("stake 1 a %s %s", money.Format(amount, 2), o.Bet)).Rejected() == 0
			}
			path := fmt.Sprintf("side_bets[%d].", i)
			says(t, sections, path+"least", o.Least, takes(o.Least) && (o.Least == o.Step || !takes(o.Least-o.Step)))
			says(t, sections, path+"most", o.Most, takes(o.Most) && !takes(o.Most+o.Step))
			guest := func(lines ...string) bool {
				return at(t, set, append([]string{"open; stake 1 a {m}; stake 1 b {m}"}, lines...)...).Rejected() == 0
			}
			side := fmt.Sprintf("%s %s", money.Format(o.Least, 2), o.Bet)
			may := map[string]bool{ // who else may bet than a holder who sits
				"anybody": guest("stake 1 c " + side), "with-stake": guest("stake 1 b " + side),
				"seated": guest("stake 1 b {m} seated", "stake 1 b "+side), "holders": true,
			}
			for _, who := range []string{"anybody", "with-stake", "seated", "holders"} {
				if may[who] {
					want, _ := display.English.Lookup("rule.side-bets.bettors-" + who)
					if got := textOf(t, sections, path+"bettors"); got != want {
						t.Errorf("%s: %q is said, and the engine takes %s", o.Bet, got, who)
					}
					break
				}
			}
		}
	})
}

// says fails unless the rule names the amount, and the engine holds to it.
func says(t *testing.T, sections []rulebook.Section, path string, amount int64, holds bool) {
	t.Helper()
	if text := textOf(t, sections, path); !strings.Contains(text, display.English.Money(amount, 2)) || !holds {
		t.Errorf("%s is said as %q; the engine holds to %s: %t", path, text, money.Format(amount, 2), holds)
	}
}

func textOf(t *testing.T, sections []rulebook.Section, path string) string {
	t.Helper()
	for _, section := range sections {
		for _, s := range section.Statements {
			if s.Path == path {
				return s.Text
			}
		}
	}
	t.Fatalf("%s is not said", path)
	return ""
}
