package table_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
)

// TestRounds plays every case under testdata/rounds.
func TestRounds(t *testing.T) {
	for _, file := range roundFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			tabletest.Run(t, file)
		})
	}
}

func roundFiles(t *testing.T) []string {
	files, err := filepath.Glob("testdata/rounds/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases under testdata/rounds: %v", err)
	}
	return files
}

var (
	playLine   = regexp.MustCompile(`(?m)^play .*$`)
	clauseArgs = regexp.MustCompile(`clause=(?:\(([^)]*)\)|(\S+))`)
)

// TestEveryClauseHasACase compares the clauses that cases name with the list of
// those there are.
func TestEveryClauseHasACase(t *testing.T) {
	missing := listedClauses(t)
	for bet := range sidebet.EveryBet {
		missing[bet.String()] = true // each bet is a clause of its own
	}
	for code := range irregularity.EveryCode {
		missing["irregular-"+code.String()] = true // and each irregularity
	}
	known := map[string]bool{}
	for clause := range missing {
		known[clause] = true
	}
	for _, file := range roundFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, play := range playLine.FindAllString(string(data), -1) {
			named := clauseArgs.FindStringSubmatch(play)
			if named == nil {
				t.Errorf("%s: %q names no clause", file, play)
				continue
			}
			for clause := range strings.SplitSeq(named[1]+named[2], ",") {
				if !known[clause] {
					t.Errorf("%s: clause %q is not in testdata/clauses.txt", file, clause)
				}
				delete(missing, clause)
			}
		}
	}
	for clause := range missing {
		t.Errorf("clause %s has no case in testdata/rounds", clause)
	}
}

func listedClauses(t *testing.T) map[string]bool {
	data, err := os.ReadFile("testdata/clauses.txt")
	if err != nil {
		t.Fatal(err)
	}
	clauses := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			clauses[words[0]] = true
		}
	}
	return clauses
}

var (
	caseHouse   = regexp.MustCompile(`(?m)^play (\S+)`)
	resolvedAs  = regexp.MustCompile(`(?m)^resolved: (\S+) with (\S+)`)
	wholeCase   = regexp.MustCompile(`(?sm)^(play .*?)(?:\n\n|\z)`)
	irregularAs = regexp.MustCompile(`(?m)^IRREGULAR: ([^ ;]+)`)
)

// TestEveryChoiceHasCases: each irregularity, and each way that a house offers to
// put it right, is shown in two houses.
func TestEveryChoiceHasCases(t *testing.T) {
	shown := map[string]map[string]bool{}
	show := func(what, house string) {
		if shown[what] == nil {
			shown[what] = map[string]bool{}
		}
		shown[what][house] = true
	}
	for _, file := range roundFiles(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range wholeCase.FindAllString(string(data), -1) {
			house := caseHouse.FindStringSubmatch(one)[1]
			for _, m := range irregularAs.FindAllStringSubmatch(one, -1) {
				show(m[1], house)
			}
			if strings.Contains(one, "\nfloor: called") {
				show(irregularity.FloorCalled.String(), house)
			}
			if strings.Contains(one, "\nmessage: sent") {
				show(irregularity.PitMessage.String(), house)
			}
			if strings.Contains(one, "\nsettings: ") {
				show(irregularity.SettingsChanged.String(), house)
			}
			for _, m := range resolvedAs.FindAllStringSubmatch(one, -1) {
				show(m[1]+" with "+m[2], house)
			}
		}
	}
	for code := range irregularity.EveryCode {
		if len(shown[code.String()]) < 2 {
			t.Errorf("%s is shown in %v, want two houses", code, shown[code.String()])
		}
		for choice := range profile.Built()["schaffhausen"].Ways(code).All {
			if what := code.String() + " with " + choice.String(); len(shown[what]) < 2 {
				t.Errorf("%s is shown in %v, want two houses", what, shown[what])
			}
		}
	}
}
