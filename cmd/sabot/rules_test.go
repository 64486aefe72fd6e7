package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
)

// sabot runs a command line and returns its status and what it printed.
func runSabot(t *testing.T, in string, args ...string) (status int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, env{strings.NewReader(in), &o, &e})
	return status, o.String(), e.String()
}

// house writes a house's own file and returns its path.
func house(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "house.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mine is soon worked out: splitting takes longest.
const mine = "extends: st-moritz\nhouse: mine\ntitle: My house\nsplit:\n  max: 0\npays:\n  black_jack: \"6:5\"  # " +
	"our sheet, page 2\n"

func TestRulesList(t *testing.T) {
	status, out, _ := runSabot(t, "", "rules", "list")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != exitOK || len(lines) != len(profile.Built()) {
		t.Fatalf("status %d\n%s", status, out)
	}
	for i, name := range profile.Built().Names() {
		r := profile.Built()[name]
		want := []string{name, r.Title, r.Game.String(), r.Fingerprint[:12]}
		if got := strings.Join(strings.Fields(lines[i]), " "); got != strings.Join(want, " ") {
			t.Errorf("got  %s\nwant %s", got, strings.Join(want, " "))
		}
	}
}

func TestRulesShow(t *testing.T) {
	for _, c := range []struct {
		house string
		want  []string
	}{
		{"wiesbaden", []string{
			"Spielbank Wiesbaden", "house wiesbaden, Black Jack, fingerprint " +
				profile.Built()["wiesbaden"].Fingerprint,
			"Doubling", `On two cards that total 9, 10 or 11. clause 11`,
			`A stake is at least 10.00. decision; clause 4: shown at the table`,
			"Side bet Twins",
			"200:1 two cards of one rank, and the Joker on the box Twins: with the Joker in the initial deal",
			"All stakes on a box are at most 200.00 together. Twins: 200 euros for a Twin box",
		}},
		{"st-moritz-65", []string{
			"A Black Jack pays 6:5. Varianti di gioco",
			"A win pays 1:1. Le vincite (of st-moritz)",
		}},
		{"mendrisio", []string{
			"A stake is at most 2 times the table's minimum (here 20.00). Admiral Jack: twice the table minimum",
			"jackpot ace and king of one suit, and the bank has ace and king 赔付表: ace and king of one suit, and the " +
				"bank has ace and king",
			"7/10 of each progressive stake goes into it. decision: 70 % of each stake",
		}},
		{"schaffhausen", []string{
			"A stake is at most 1/10 of the box maximum (here 50.00). decision",
			"No Jokers are among them. not on the sheet",
		}},
		{"baden", []string{
			"Side bets", "There are none. decision",
			"house baden, Black James, higher or lower, fingerprint " + profile.Built()["baden"].Fingerprint,
		}},
		{house(t, mine), []string{
			"My house", "A Black Jack pays 6:5. our sheet, page 2", "A win pays 1:1. Le vincite (of st-moritz)",
		}},
		{
			house(t, "extends: wiesbaden\nhouse: mine\nsurrender: false\n"),
			[]string{"There is no surrender. the file does not say"},
		},
	} {
		status, out, errOut := runSabot(t, "", "rules", "show", c.house)
		if status != exitOK {
			t.Fatalf("%s: status %d: %s", c.house, status, errOut)
		}
		page := map[string]bool{}
		for line := range strings.Lines(out) {
			page[strings.Join(strings.Fields(line), " ")] = true
		}
		for _, line := range c.want {
			if !page[line] {
				t.Errorf("%s: the page lacks %q\n%s", c.house, line, out)
			}
		}
	}
}

// Files of houses: good, bad and missing.
func TestRulesCheck(t *testing.T) {
	good := house(t, mine)
	r, err := profile.Built().Parse(good, []byte(mine))
	if err != nil {
		t.Fatal(err)
	}
	status, out, _ := runSabot(t, "", "rules", "check", good)
	if want := good + " is good: house mine, My house, fingerprint " + r.Fingerprint[:12] + "\n"; status != exitOK ||
		!strings.HasPrefix(out, want) {
		t.Errorf("status %d, %swant %s", status, out, want)
	}
	for _, said := range []string{
		"10000 rounds were dealt: engine and second book agree on all ", "\n  main ", "\n  insurance ",
		"in as many rounds with best play",
	} {
		if !strings.Contains(out, said) {
			t.Errorf("it does not say %q:\n%s", said, out)
		}
	}
	even := mine + "insurance: {even_money: true}\n"
	if status, out, _ := runSabot(t, even, "rules", "check", "-"); status != exitOK ||
		!strings.HasPrefix(out, "- is good: house mine") || !strings.Contains(out, "no stake of its own was dealt\n") {
		t.Errorf("standard input: status %d, %s", status, out)
	}

	bad := house(t, "extends: st-moritz\nhouse: mine\ntable: {min: 600}\npays: {blackjack: \"6:5\"}\n")
	status, out, errOut := runSabot(t, "", "rules", "check", bad)
	want := "sabot: the rules cannot be used:\n" +
		bad +
		":3:8: table.box_max: the box maximum 500.00 is below the minimum 600.00: nothing could be staked; raise " +
		"box_max or lower min\n" +
		bad + ":4:8: pays.blackjack: is not a known key; did you mean \"black_jack\"?\n"
	if status != exitFailed || out != "" || errOut != want {
		t.Errorf("status %d, %s%swant %s", status, out, errOut, want)
	}
}

func TestRulesStatus(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		said   string
	}{
		{"rules", exitUsage, "rules: which command?"},
		{"rules help", exitOK, ""},
		{"rules show -h", exitOK, ""},
		{"rules play", exitUsage, `"play" is not a command`},
		{"rules list baden", exitUsage, "is too much"},
		{"rules show", exitUsage, "takes one house or file"},
		{"rules show baden wiesbaden", exitUsage, "takes one house or file"},
		{"rules show monaco", exitUsage, `house "monaco" is not known; known are baden,`},
		{"rules show absent.yaml", exitFailed, "absent.yaml: no such file"},
		{"rules check", exitUsage, "takes one file"},
		{"rules check absent", exitFailed, "absent: no such file"},
		{"rules check " + t.TempDir(), exitFailed, "is a directory"},
		{"replay --house monaco -", exitUsage, `house "monaco" is not known`},
		{"replay --house absent.yaml -", exitFailed, "absent.yaml: no such file"},
	} {
		status, _, errOut := runSabot(t, "", strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errOut, c.said) {
			t.Errorf("sabot %s: status %d, %s", c.args, status, errOut)
		}
	}
}

const ownRound = `{"in":"setup","house":"mine"}
{"in":"open"}
{"in":"stake","box":1,"bettor":"a","wager":"main","amount":2000}
{"in":"close"}
{"in":"card","card":"AS"}
{"in":"card","card":"9D"}
{"in":"card","card":"KS"}
`

// A transcript of a house of its own is replayed with the file, and refused without.
func TestReplayByAFile(t *testing.T) {
	status, out, errOut := runSabot(t, ownRound, "replay", "--house", house(t, mine), "-")
	if status != exitOK || !strings.Contains(out, `"why":"blackjack","stake":2000,"returned":2000,"won":2400`) {
		t.Errorf("status %d, %s%s", status, out, errOut)
	}
	if status, _, errOut := runSabot(t, ownRound, "replay", "-"); status != exitFailed ||
		!strings.Contains(errOut, `house "mine" is not known`) {
		t.Errorf("status %d, %s", status, errOut)
	}
	played := strings.Replace(ownRound, `"mine"`, `"mine","profile":"0123456789abcdef"`, 1)
	if status, _, errOut := runSabot(t, played, "replay", "--house", house(t, mine), "-"); status != exitFailed ||
		!strings.Contains(errOut, "not those that were played") {
		t.Errorf("another fingerprint: status %d, %s", status, errOut)
	}
}

// TestRulesShowSpeaks: the page is said in every language, and in no other than that it is asked for.
func TestRulesShowSpeaks(t *testing.T) {
	for _, language := range display.Spoken() {
		spoken, _ := display.BuiltIn().Speak(language)
		status, out, errOut := runSabot(t, "", "rules", "show", "--language", language, "st-moritz-65")
		if status != exitOK {
			t.Fatalf("%s: status %d: %s", language, status, errOut)
		}
		for _, key := range []string{"rule.title-double", "rule.split.aces-again-no", "show.source"} {
			if want := spoken.Say(display.Message{Key: key}); !strings.Contains(out, want) {
				t.Errorf("%s: the page lacks %q\n%s", language, want, out)
			}
		}
	}
	if status, _, errOut := runSabot(t, "", "rules", "show", "--language", "xx", "baden"); status != exitUsage ||
		!strings.Contains(errOut, `it does not speak "xx"`) {
		t.Errorf("a language that nobody speaks: status %d, %s", status, errOut)
	}
}
