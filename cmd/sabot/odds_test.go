package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
)

// oddsLines are the JSON lines of a command.
func oddsLines(t *testing.T, args ...string) (lines []map[string]any) {
	t.Helper()
	status, out, errOut := runSabot(t, "", append([]string{"rules", "odds", "--json"}, args...)...)
	if status != exitOK || errOut != "" {
		t.Fatalf("%v ends with %d: %s", args, status, errOut)
	}
	for line := range strings.Lines(out) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s: %v", args, line, err)
		}
		lines = append(lines, one)
	}
	return lines
}

// fewCards leaves few ranks in the shoe, so that everything is soon worked out; in make soak the shoe is full.
func fewCards() []string {
	if tier.InSoak() {
		return nil
	}
	return []string{"--seen", allOf("234789")}
}

// TestOddsContract: the fields of a JSON line are those of the contract.
func TestOddsContract(t *testing.T) {
	lines := oddsLines(t, "--house", "schaffhausen", "--wager", "perfect-pairs")
	for i, want := range []string{
		`map[currency:CHF decks:6 edge:0.0611 hit:0.0740 house:schaffhausen loss:0.0305 method:exact stake:0.50 variance:15.1377 wager:perfect-pairs]`,
		`map[decks:6 edge:0.0611 house:schaffhausen line:perfect-pair method:exact p:0.0161 pays:25:1 probability:5/311 wager:perfect-pairs]`,
		`map[decks:6 edge:0.0611 house:schaffhausen line:coloured-pair method:exact p:0.0193 pays:12:1 probability:6/311 wager:perfect-pairs]`,
		`map[decks:6 edge:0.0611 house:schaffhausen line:mixed-pair method:exact p:0.0386 pays:6:1 probability:12/311 wager:perfect-pairs]`,
	} {
		for key, value := range lines[i] {
			if x, is := value.(float64); is && key != "decks" {
				lines[i][key] = fmt.Sprintf("%.4f", x)
			}
		}
		if got := fmt.Sprint(lines[i]); got != want {
			t.Errorf("line %d is\n%s, not\n%s", i+1, got, want)
		}
	}
	for _, l := range oddsLines(t, append(fewCards(), "--house", "mendrisio", "--set", "split.max=1", "--wager",
		"main")...)[6:] {
		if l["line"] != nil && (l["probability"] == nil) != (l["method"] != "exact") {
			t.Errorf("a line is exact where it has a fraction, and only there: %v", l)
		}
	}
	bank := oddsLines(t, "--house", "schaffhausen", "--bank-card", "A")
	sum := 0.0
	for i, end := range []string{"17", "18", "19", "20", "21", "black-jack", "over"} {
		if bank[i]["bank"] != end || bank[i]["card"] != "A" || bank[i]["method"] != "exact" {
			t.Errorf("%v is not how the bank ends with %s", bank[i], end)
		}
		sum += bank[i]["p"].(float64)
	}
	if len(bank) != 7 || sum < 1-1e-9 || sum > 1+1e-9 || bank[5]["probability"] != "96/311" {
		t.Errorf("%v", bank)
	}
}

// TestOddsOfAHouse: the main game comes with its method, each wager with its lines, then the bank; a side bet that the
// play decides is simulated, and says so.
func TestOddsOfAHouse(t *testing.T) {
	lines := oddsLines(t, append(fewCards(), "--house", "wiesbaden")...)
	methods := map[any]any{}
	bank := 0
	for _, l := range lines {
		if l["bank"] != nil {
			bank++
		} else if l["line"] == nil {
			methods[l["wager"]] = l["method"]
			for _, field := range []string{"edge", "variance", "hit"} {
				if l[field] == nil {
					t.Errorf("%v has no %s", l, field)
				}
			}
		}
		if l["method"] == "simulated" && (l["standard_error"] == nil || l["rounds"] == nil || l["probability"] != nil) {
			t.Errorf("%v", l)
		}
	}
	want := "map[crazy-twins:simulated even-money:exact insurance:exact main:exact twins:exact]"
	if fmt.Sprint(methods) != want || bank != 7 {
		t.Errorf("the methods are %v, and the bank has %d ends", methods, bank)
	}
	if unlimited := oddsLines(t, append(fewCards(), "--house", "mendrisio", "--wager",
		"main")...)[0]; unlimited["method"] != "bounded" || unlimited["error"] == nil {
		t.Errorf("%v", unlimited)
	}
}

// TestOddsWhatIf shows both, and the difference.
func TestOddsWhatIf(t *testing.T) {
	args := []string{
		"rules", "odds", "--house", "schaffhausen", "--set", "side_bets.perfect-pairs.pays.mixed-pair=5:1",
		"--wager", "perfect-pairs",
	}
	_, out, _ := runSabot(t, "", args...)
	if want := "perfect-pairs  6.109 %       9.968 %     +3.859 %"; !strings.Contains(out, want) {
		t.Errorf("%q is not in\n%s", want, out)
	}
	lines := oddsLines(t, args[2:]...)
	if len(lines) != 8 || lines[0]["set"] != nil ||
		fmt.Sprint(lines[4]["set"]) != "[side_bets.perfect-pairs.pays.mixed-pair=5:1]" {
		t.Errorf("%v", lines)
	}
	_, out, _ = runSabot(t, "", "rules", "odds", "--compare", "--wager", "insurance", "st-moritz", "mendrisio")
	if !strings.Contains(out, "insurance   7.395 %    7.395 %    +0.000 %") {
		t.Errorf("compared:\n%s", out)
	}
}

// TestOddsOfTwo: what is asked for is shown of both halves, in each form.
func TestOddsOfTwo(t *testing.T) {
	// soon worked out
	whatIf := []string{"rules", "odds", "--house", "st-moritz", "--set", "surrender=true", "--seen", allOf("234789")}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"--chart"}, []string{"st-moritz: \nhard", "so changed: \nhard", "hard 16 against 10: R becomes Xr"}},
		{[]string{"--csv"}, []string{
			"rules,kind,hand", "st-moritz,hard,16,10,rest,",
			"so changed,hard,16,10,surrender,-0.500000,0.000000,true",
		}},
		{[]string{"--html"}, []string{
			"<h1>Casino St. Moritz (st-moritz), 6 packs, 168 cards</h1>",
			"<h1>Casino St. Moritz (st-moritz), 6 packs, 168 cards, with surrender=true</h1>",
		}},
		{
			[]string{"--hand", "TS,6H", "--bank-card", "T"},
			[]string{"st-moritz: TS,6H against T\n", "so changed: TS,6H against T\n", "surrender   -0.50000  best"},
		},
		{[]string{"--bank-card", "A"}, []string{
			"st-moritz: the bank, first card A\n",
			"so changed: the bank, first card A\n",
		}},
		{[]string{"--wager", "main"}, []string{"difference  variance  so changed\n", "2.041     1.823"}},
	} {
		status, out, errOut := runSabot(t, "", append(whatIf[:len(whatIf):len(whatIf)], c.args...)...)
		for _, says := range c.says {
			if !strings.Contains(out, says) {
				t.Errorf("%v ends with %d: %q is not in\n%s%s", c.args, status, says, out, errOut)
			}
		}
	}
	banks := map[string]int{}
	for _, l := range oddsLines(t, whatIf[2:]...) {
		if l["bank"] != nil {
			banks[fmt.Sprint(l["set"])]++
		}
	}
	if fmt.Sprint(banks) != "map[<nil>:7 [surrender=true]:7]" {
		t.Errorf("the bank's ends are %v", banks)
	}
}

// TestOddsCompareAnyOrder: options may come after the names, too.
func TestOddsCompareAnyOrder(t *testing.T) {
	_, want, _ := runSabot(t, "", "rules", "odds", "--compare", "--wager", "insurance", "--json", "st-moritz",
		"mendrisio")
	for _, args := range [][]string{
		{"--compare", "st-moritz", "mendrisio", "--wager", "insurance", "--json"},
		{"--json", "--compare", "st-moritz", "--wager", "insurance", "mendrisio"},
	} {
		if status, out, errOut := runSabot(t, "", append([]string{"rules", "odds"}, args...)...); out != want ||
			out == "" {
			t.Errorf("%v ends with %d: %s%s", args, status, out, errOut)
		}
	}
}

// TestOddsBanksOfAll: a house whose bank has no totals is left out, and named.
func TestOddsBanksOfAll(t *testing.T) {
	status, out, errOut := runSabot(t, "", "rules", "odds", "--bank-card", "A")
	if status != exitOK || !strings.Contains(errOut, "baden is left out") ||
		strings.Count(out, "the bank, first card A") != 5 || !strings.Contains(out, "wiesbaden: the bank") {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
}

// TestOddsKinds: the kinds of CSV lines are words.
func TestOddsKinds(t *testing.T) {
	_, out, _ := runSabot(t, "", "rules", "odds", "--house", "baden", "--csv")
	if !strings.Contains(out, "\npoints,1: 2,2,higher,") {
		t.Errorf("%.300s", out)
	}
}

// TestOddsSeen: what has left the shoe changes what is left, from the command line and from a file.
func TestOddsSeen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen")
	if err := os.WriteFile(file, []byte("th tD\nKS, qc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, seen := range []string{"TH,TD,KS,QC", file} {
		if line := oddsLines(t, "--house", "schaffhausen", "--seen", seen, "--wager",
			"insurance")[1]; line["probability"] != "92/307" {
			t.Errorf("%s: %v", seen, line)
		}
	}
}

// TestOddsChart: the chart has every cell, in each form.
func TestOddsChart(t *testing.T) {
	_, out, _ := runSabot(t, "", "rules", "odds", "--house", "st-moritz", "--chart")
	for _, want := range []string{
		"16   R  R  R  R  R  C  C  C  C  C\n", "11   D  D  D  D  D  D  D  D  C  C\n",
		"8-8   S  S  S  S  S  S  S  S  C  C\n", "D double",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	_, out, _ = runSabot(t, "", "rules", "odds", "--house", "st-moritz", "--csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	cells := map[string]int{}
	for _, row := range rows[1:] {
		if row[6] == "true" {
			cells[row[0]]++
			if row[5] != "0.000000" {
				t.Errorf("the best call costs: %v", row)
			}
		}
	}
	if err != nil || fmt.Sprint(cells) != "map[hard:150 pairs:100 soft:80]" {
		t.Errorf("%v, %v", err, cells)
	}
	_, out, _ = runSabot(t, "", "rules", "odds", "--house", "st-moritz", "--html")
	if n := strings.Count(out, "<b>"); n != 330 || !strings.Contains(out, "<!doctype html>") {
		t.Errorf("the page has %d cells", n)
	}
}

// TestOddsHand: each call of a hand has what it is worth, and the best one is said. Wiesbaden lets nobody double 16.
func TestOddsHand(t *testing.T) {
	const both = "TS,6H against T\n  rest        -0.57661  costs 0.579 %\n  card        -0.57082  best\n"
	for house, want := range map[string]string{
		"st-moritz": both + "  double      -1.14163  costs 57.082 %\n",
		"wiesbaden": both,
	} {
		if house == "wiesbaden" && !tier.InSoak() {
			continue // it is worked out for this alone
		}
		if _, out, _ := runSabot(t, "", "rules", "odds", "--house", house, "--hand", "TS,6H", "--bank-card",
			"T"); out != want {
			t.Errorf("%s: got\n%s, want\n%s", house, out, want)
		}
	}
}

// TestOddsSimulated: the engine agrees, and goes on from where it was.
func TestOddsSimulated(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state")
	dealt := func(rounds string, more ...string) map[string]any {
		lines := oddsLines(t, slices.Concat(fewCards(), []string{"--house", "wiesbaden", "--simulate", rounds},
			more)...)
		for _, l := range lines {
			if l["wager"] == "main" && l["method"] == "simulated" {
				return l
			}
		}
		t.Fatalf("nothing was simulated: %v", lines)
		return nil
	}
	dealt("20000", "--state", state)
	if on, whole := dealt("40000", "--state", state), dealt("40000"); fmt.Sprint(on) != fmt.Sprint(whole) {
		t.Errorf("in two parts %v, at once %v", on, whole)
	}
	wantFailure(t, sabot(t, "", "rules", "odds", "--house", "schaffhausen", "--seen", allOf("A23456789"), "--simulate",
		"40000", "--state", state), exitFailed, "the state is of another simulation")
	if err := os.WriteFile(state, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, sabot(t, "", "rules", "odds", "--house", "baden", "--simulate", "40000", "--state", state),
		exitFailed, "is no state")
	if left, _ := filepath.Glob(state + ".*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestOddsEndedEarly: who ends a simulation sees what it came to until then, and how to go on.
func TestOddsEndedEarly(t *testing.T) {
	for state, on := range map[string]string{"": "with --state FILE", "x": "goes on from there"} {
		var out strings.Builder
		o := oddsAsked{e: env{out: &out}, rounds: 5000, state: state}
		r, err := profile.WhatIf(profile.Built()["st-moritz"], []string{"split.max=0"})
		if err != nil {
			t.Fatal(err)
		}
		report, err := odds.Work(context.Background(), odds.Query{Rules: r.Rules, Shoe: odds.Full(r.Rules)})
		if err != nil {
			t.Fatal(err)
		}
		result, err := dealt.Deal(context.Background(), report, dealt.Options{Rounds: 1000})
		if err != nil {
			t.Fatal(err)
		}
		err = o.endedEarly(report, result)
		if err == nil || !strings.Contains(err.Error(), "ended after 1000 of 5000 rounds") ||
			!strings.Contains(err.Error(), on) || !strings.Contains(out.String(), "simulated, 1000 rounds") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	o := []string{"--house", "st-moritz", "--simulate", "1000000"}
	if err := workOutOdds(ended, newSet(), o, env{}); !errors.Is(err, context.Canceled) {
		t.Errorf("before the first round: %v", err)
	}
}

// allOf are all cards of some ranks in six packs.
func allOf(ranks string) string {
	var cards []string
	for _, rank := range ranks {
		for _, suit := range "SHDC" {
			for range 6 {
				cards = append(cards, string(rank)+string(suit))
			}
		}
	}
	return strings.Join(cards, ",")
}

// TestOddsSure: where every round comes to the same, nothing is said of standard errors.
func TestOddsSure(t *testing.T) {
	args := []string{"--house", "schaffhausen", "--seen", allOf("A23456789"), "--simulate", "1000"}
	status, out, errOut := runSabot(t, "", append([]string{"rules", "odds"}, args...)...)
	if status != exitOK || strings.Contains(out, "NaN") || strings.Contains(out, "-0.000") ||
		!strings.Contains(out, "every round that was dealt came to the same") {
		t.Errorf("status %d: %s%s", status, out, errOut)
	}
	for _, l := range oddsLines(t, args...) {
		if l["method"] == "simulated" && l["standard_error"] == nil {
			t.Errorf("%v has no standard error", l)
		}
	}
}

// TestOddsRefuses: what makes no sense is refused with what to write instead.
func TestOddsRefuses(t *testing.T) {
	huge := filepath.Join(t.TempDir(), "huge")
	if err := os.WriteFile(huge, make([]byte, mostSeen+1), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	every := strings.TrimSuffix(strings.Repeat("AS,", 7), ",")
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"monaco", exitUsage, "rules odds: it takes options alone"},
		{"--house monaco", exitUsage, `house "monaco" is not known`},
		{"--compare baden", exitUsage, "takes two houses"},
		{"--compare baden wiesbaden mendrisio", exitUsage, "takes two houses"},
		{"--compare --house baden baden wiesbaden", exitUsage, "takes neither"},
		{"--set split.max=1", exitUsage, "name the house"},
		{"--house baden --set split.max=1", exitFailed, "does nothing in the game black-james"},
		{"--house schaffhausen --set split.max", exitFailed, "is no change"},
		{"--house schaffhausen --set split.max=x", exitFailed, "write a whole number"},
		{"--house schaffhausen --set split.max=1 --set split.max=2", exitFailed, "it contradicts split.max=1"},
		{"--house schaffhausen --decks 1000", exitFailed, "1000 decks do not fit a shoe"},
		{"--house schaffhausen --decks -1", exitUsage, "write how many packs"},
		{"--house schaffhausen --decks 0", exitUsage, "write how many packs"},
		{"--house schaffhausen --meter 0", exitUsage, "an amount above 0"},
		{"--house schaffhausen --set cards.decks=0", exitFailed, "0 decks do not fit a shoe"},
		{"--house schaffhausen --boxes 10", exitUsage, "--boxes takes 1 to 9"},
		{"--house schaffhausen --boxes 0", exitUsage, "--boxes takes 1 to 9"},
		{"--house schaffhausen --seen " + every, exitFailed, "card 7: there is no AS left"},
		{"--house schaffhausen --seen XX", exitFailed, "write rank A23456789TJQK"},
		{"--house schaffhausen --seen " + huge, exitFailed, "longer than 65536 bytes"},
		{"--house schaffhausen --seen /dev/zero", exitFailed, "not a regular file"},
		{"--house schaffhausen --seen " + pipe, exitFailed, "not a regular file"},
		{"--house schaffhausen --simulate 1000 --state " + pipe, exitFailed, "not a regular file"},
		{"--house schaffhausen --simulate 1000 --state " + huge, exitFailed, "longer than 65536 bytes"},
		{"--house schaffhausen --simulate 9000000000000 --state /nonexistent/x", exitFailed, "--state: "},
		{"--house schaffhausen --simulate 9223372036854775807", exitUsage, "takes at most 1125899906842624 rounds"},
		{"--house schaffhausen --wager twins", exitFailed, `no wager "twins"`},
		{"--wager nothing", exitFailed, `no house has a wager "nothing"`},
		{"--house schaffhausen --bank-card X", exitUsage, "--bank-card takes a card"},
		{"--house baden --bank-card A", exitFailed, "has points, and no totals"},
		{"--house schaffhausen --hand TS,6H", exitUsage, "--hand needs the bank's first card"},
		{"--house st-moritz --hand TS,AH --bank-card A", exitFailed, "nothing is called with these cards"},
		{"--house st-moritz --hand TS,9H,8H --bank-card A", exitFailed, "nothing is called with these cards"},
		{"--house st-moritz --hand JOKER,6H --bank-card T", exitFailed, "--hand: JOKER counts nothing"},
		{"--house st-moritz --hand 6H,?? --bank-card T", exitFailed, "--hand: ?? counts nothing"},
		{"--house baden --hand TS,9H --bank-card A", exitFailed, "only in Black Jack"},
		{"--house schaffhausen --json --csv", exitUsage, "choose one of"},
		{"--house schaffhausen --json --chart", exitUsage, "choose one of"},
		{"--house schaffhausen --wager bust --csv", exitUsage, "are of the main game"},
		{"--house schaffhausen --wager bust --chart", exitUsage, "are of the main game"},
		{"--house schaffhausen --wager bust --hand TS,6H --bank-card T", exitUsage, "are of the main game"},
		{"--house schaffhausen --bank-card A --chart", exitUsage, "and nothing besides"},
		{"--house schaffhausen --bank-card A --wager main", exitUsage, "and nothing besides"},
		{"--house schaffhausen --simulate 1000 --chart", exitUsage, "--simulate deals the main game"},
		{"--house schaffhausen --simulate 1000 --bank-card A", exitUsage, "--simulate deals the main game"},
		{"--house schaffhausen --meter 100", exitUsage, "schaffhausen has no jackpot"},
		{"--house mendrisio --meter 100 --bank-card A", exitUsage, "--meter is of the jackpot"},
		{"--compare --meter 100 schaffhausen wiesbaden", exitUsage, "has no jackpot"},
		{"--house baden --boxes 8", exitUsage, "the table of baden has 7 boxes"},
		{"--house st-moritz --set split.max=1 --boxes 8", exitUsage, "the table of st-moritz has 7 boxes"},
		{"--house schaffhausen --simulate -1", exitUsage, "--simulate takes the number of rounds"},
		{"--house schaffhausen --state x", exitUsage, "--simulate takes the number of rounds"},
		{"--simulate 1000 --state x", exitUsage, "name the house|--house HOUSE"},
		{"--house schaffhausen --meter x", exitUsage, "is not an amount"},
	} {
		status, out, errOut := runSabot(t, "", append([]string{"rules", "odds"}, strings.Fields(c.args)...)...)
		said := false
		for _, says := range strings.Split(c.says, "|") {
			said = said || strings.Contains(errOut, says)
		}
		if status != c.status || !said || out != "" {
			t.Errorf("%.80s ends with %d and says %s%s", c.args, status, out, errOut)
		}
	}
}

// TestRulesCheckHoleCard: a house with a hole card is dealt, too, with an early surrender before the look and without.
func TestRulesCheckHoleCard(t *testing.T) {
	for _, more := range []string{"surrender: false\n", ""} {
		text := "extends: schaffhausen\nhouse: copy\ntitle: Copy\nsplit:\n  max: 0\nbank:\n  hole_card: ace-and-ten\n" +
			more
		status, out, errOut := runSabot(t, "", "rules", "check", house(t, text))
		if status != exitOK || !strings.Contains(out, "engine and second book agree on all") {
			t.Errorf("%q: status %d: %s%s", more, status, out, errOut)
		}
	}
}

// TestRulesCheckWarns of what gives the bettor the edge, and of nothing else.
func TestRulesCheckWarns(t *testing.T) {
	const noSplit = "split:\n  max: 0\n" // soon worked out
	for _, c := range []struct {
		text, says string
		long       bool
	}{
		{
			"extends: st-moritz\nhouse: gift\ntitle: Gift\npays:\n  black_jack: \"2:1\"\n",
			"warning: main gives the bettor the edge, 1.7", true,
		},
		{
			"extends: st-moritz\nhouse: gift\ntitle: Gift\npays:\n  black_jack: \"2:1\"\n" + noSplit,
			"warning: main gives the bettor the edge, 1.24 %", false,
		},
		{
			"extends: wiesbaden\nhouse: copy\ntitle: Copy\n",
			"warning: crazy-twins may give the bettor the edge: that of the house is -1.", true,
		},
		{
			"extends: wiesbaden\nhouse: copy\ntitle: Copy\n" + noSplit,
			"warning: crazy-twins may give the bettor the edge: that of the house is ", false,
		},
		{
			"extends: mendrisio\nhouse: copy\ntitle: Copy\nsplit:\n  max: 1\n",
			"warning: progressive gives the bettor the edge in the long run, 33.97 % of each stake", true,
		},
		{
			"extends: mendrisio\nhouse: copy\ntitle: Copy\n" + noSplit,
			"warning: progressive gives the bettor the edge in the long run, 33.97 % of each stake", false,
		},
	} {
		if c.long && !tier.InSoak() {
			continue
		}
		if status, _, errOut := runSabot(t, "", "rules", "check", house(t, c.text)); status != exitOK ||
			!strings.Contains(errOut, c.says) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("status %d: %s", status, errOut)
		}
	}
	if status, _, errOut := runSabot(t, "", "rules", "check", house(t, mine)); status != exitOK || errOut != "" {
		t.Errorf("status %d: %s", status, errOut)
	}
}
