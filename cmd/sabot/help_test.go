package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// elsewhere are the examples that need more than a folder: a running table, a broker, a
// table's devices, or somebody at the keyboard.
var elsewhere = []string{
	"sabot key pin ", "sabot journal republish ", "sabot watch", "sabot devices --config ",
	"sabot devices watch ", "sabot shoe sim ", "sabot backup --recipients ", "sabot restore --key ", "sabot update ",
	"sabot doctor ", "sabot bundle ", "sudo sabot bundle ",
}

// TestHelp: -h of every command says what it does, what its arguments are, and gives an
// example; so does help. What the example says is true: it runs, where it can.
func TestHelp(t *testing.T) {
	dir := benchFolder(t)
	t.Chdir(dir)
	run := 0
	for _, c := range commands() {
		name, page := c.name, c.page()
		got := sabot(t, "", append(strings.Fields(name), "-h")...)
		if got.Status != exitOK || got.Err != "" {
			t.Errorf("sabot %s -h ended with %+v", name, got)
		}
		if asked := sabot(t, "", append([]string{"help"}, strings.Fields(name)...)...); asked != got {
			t.Errorf("sabot help %s ended with %+v, not as -h does", name, asked)
		}
		for _, want := range append([]string{"usage: " + page.Line + "\n", page.What[1:] + ".\n", "For example:"},
			page.Examples...) {
			if page.What == "" || len(page.Examples) == 0 || !strings.Contains(got.Out, want) {
				t.Errorf("sabot %s -h does not say %q:\n%s", name, want, got.Out)
			}
		}
		for _, word := range capitals(page.Line) {
			if !strings.Contains(strings.Join(page.Arguments, "\n"), word) {
				t.Errorf("sabot %s -h does not explain %s:\n%s", name, word, got.Out)
			}
		}
		for _, example := range page.Examples {
			if !slices.ContainsFunc(elsewhere, func(begins string) bool { return strings.HasPrefix(example, begins) }) {
				runExample(t, example)
				run++
			}
		}
	}
	if run < 30 {
		t.Errorf("only %d examples were run", run)
	}
	runShell(t, "sabot journal transcript journal > told.jsonl")
	runShell(t, "sabot replay told.jsonl")
	for _, args := range [][]string{{"help", "bet"}, {"bet", "-h"}} {
		wantFailure(t, sabot(t, "", args...), exitUsage, `"bet" is not a command`)
	}
}

var option = regexp.MustCompile(`--[a-z-]+ [^] ]+`)

// capitals are the words in capitals of a usage line that stand for what is written there,
// but for those of options, which the list of options explains.
func capitals(line string) (words []string) {
	line = option.ReplaceAllString(line, "")
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" []|,…", r) }) {
		if strings.ToUpper(word) == word && strings.ToLower(word) != word {
			words = append(words, word)
		}
	}
	return words
}

// runExample runs a line of a shell within the test: commands that pass on what they print, or put it into a file.
func runExample(t *testing.T, line string) {
	t.Helper()
	line, file, kept := strings.Cut(line, " > ")
	printed := ""
	for command := range strings.SplitSeq(line, " | ") {
		words := strings.Fields(command)
		if words[0] == "echo" {
			printed = strings.Join(words[1:], " ") + "\n"
			continue
		}
		if len(words) > 2 && words[2] == "odds" {
			words = append(words, fewCards()...)
		}
		got := sabot(t, printed, words[1:]...)
		if words[0] != "sabot" || got.Status != exitOK {
			t.Errorf("%s: %s ended with status %d\n%s%s", line, command, got.Status, got.Out, got.Err)
		}
		printed = got.Out
	}
	if kept {
		if err := os.WriteFile(file, []byte(printed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// runShell runs a line of a shell.
func runShell(t *testing.T, line string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", line)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary(t))+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
}

// benchFolder has the files that the examples speak of.
func benchFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	journaltest.NewTable(t, filepath.Join(dir, "journal"), profile.Built(), journaltest.Key).Year("wiesbaden", 3)
	for _, name := range []string{"bj-1", "bj-2"} { // which play for one jackpot
		journaltest.NewTable(t, filepath.Join(dir, name), tabletest.Book(), journaltest.Key).Year("linked", 1)
	}
	keys, err := journal.AuditKeys(filepath.Join(dir, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	witness, _ := knows(t, filepath.Join(dir, "journal"), 0)
	known, err := os.ReadFile(witness)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"bj-1.audit":   keys[0].Line() + "\n",
		"bj-1.witness": string(known),
		"round.jsonl":  round,
		"bj-1.pub":     journal.PublicLine(journaltest.Public) + "\n",
		"sabot.yaml": "site: demo\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\nsupervisors: " +
			"{proof: none}\n",
		"table.yaml": "site: demo\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\nsupervisors: " +
			"{proof: none}\njournal: {path: " + filepath.Join(dir, "journal") + "}\n",
		"my-house.yaml": "extends: st-moritz\nhouse: my-house\ntitle: My own house\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "backups"), 0o700); err != nil {
		t.Fatal(err)
	}
	changedTwice(t, filepath.Join(dir, "sabot.yaml"))
	return dir
}
