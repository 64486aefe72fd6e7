package main

import (
	"strings"
	"testing"
)

// setup and play are the lines of a whole round.
const (
	setup = `{"in":"setup","house":"wiesbaden"}` + "\n"
	play  = `{"in":"open"}
{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000}
{"in":"close"}
{"in":"card","card":"TS"}
{"in":"card","card":"9D"}
{"in":"card","card":"KH"}

{"in":"call","call":"rest"}
{"in":"card","card":"8C"}
{"in":"paid"}
`
	round = setup + play
)

// results are the outputs of the round that matter here.
var results = []string{
	`{"out":"opened","round":1}`,
	`"card":"TS","to":"box","box":1`,
	`"outcome":"win","why":"higher-total"`,
	`{"out":"finished","round":1}`,
}

func wantResults(t *testing.T, out string) {
	t.Helper()
	for _, line := range results {
		if strings.Count(out, line) != 1 {
			t.Errorf("there is not one %s in\n%s", line, out)
		}
	}
}

// TestReplay replays a transcript from a file and from standard input, with the same
// result.
func TestReplay(t *testing.T) {
	file := sabot(t, "", "replay", write(t, round))
	stdin := sabot(t, round, "replay", "-")
	if file.Status != exitOK || file.Err != "" || file != stdin {
		t.Errorf("from a file %+v\nfrom standard input %+v", file, stdin)
	}
	wantResults(t, file.Out)
}

// TestReplayByHouse replays a transcript that names no house, or another one.
func TestReplayByHouse(t *testing.T) {
	want := sabot(t, round, "replay", "-")
	if got := sabot(t, play, "replay", "--house", "wiesbaden", "-"); got.Status != exitOK || got.Out == "" {
		t.Errorf("without a setup: %+v", got)
	} else {
		wantResults(t, got.Out)
	}
	macao := strings.Replace(round, "wiesbaden", "macao", 1)
	if got := sabot(t, macao, "replay", "--house", "wiesbaden", "-"); got != want {
		t.Errorf("with the setup of another house: %+v", got)
	}
}

// TestReplayFailures: errors name line and column, after the outputs that came before
// are printed.
func TestReplayFailures(t *testing.T) {
	lines := strings.Count(round, "\n")
	got := sabot(t, round+`{"in":"call","call":"fold"}`, "replay", "-")
	if got.Status != exitFailed || !strings.Contains(got.Err, "sabot: -: ") ||
		!strings.Contains(got.Err, "line 12, column 21") || lines != 11 {
		t.Errorf("an unknown call after %d lines: %d %s", lines, got.Status, got.Err)
	}
	wantResults(t, got.Out)
	wantFailure(t, sabot(t, play, "replay", "-"), exitFailed, "line 1, column 1", "the first line must be a setup")
	wantFailure(t, sabot(t, strings.Repeat("x", 70_000), "replay", "-"), exitFailed, "line 1, column ", "longer than")
	wantFailure(t, sabot(t, "", "replay", "/nowhere/a.jsonl"), exitFailed, "/nowhere/a.jsonl")
}

// TestCheckConfig reports every fault, with its place.
func TestCheckConfig(t *testing.T) {
	good := write(t,
		"site: test\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\nsupervisors: {proof: none}\n")
	got := sabot(t, "", "config", "check", good)
	if got.Status != exitOK || got.Err != "" || got.Out != good+" is good: table bj-1 of site test plays wiesbaden\n" {
		t.Errorf("a good configuration: %+v", got)
	}
	bad := write(t, "site: Test\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\nmin: 0.25\ncolour: green\n")
	wantFailure(t, sabot(t, "", "config", "check", bad), exitFailed, bad+":1:7", "table", bad+":4:6",
		bad+":5:1", "colour")
	wantFailure(t, sabot(t, "", "config", "check", bad+".missing"), exitFailed, bad+".missing")
}
