package main

import (
	"strings"
	"testing"
)

// TestTally: what a run comes to, and that whatever did not run is told.
func TestTally(t *testing.T) {
	const p = `"Package":"github.com/sabot-table/sabot/table/money"`
	for name, c := range map[string]struct {
		events, says string
		red          bool
		passed       int
	}{
		"passed": {
			events: `{"Action":"pass",` + p + `,"Test":"TestSum","Elapsed":2}
{"Action":"output",` + p + `,"Output":"ok  \t(cached)\n"}
{"Action":"pass",` + p + `,"Elapsed":2.5}`,
			says: "ok, cached  table/money  2.5 s", passed: 1,
		},
		"failed": {
			events: `{"Action":"output",` + p + `,"Test":"TestSum","Output":"    sum_test.go:9: 3 is not 4\n"}
{"Action":"fail",` + p + `,"Test":"TestSum"}`,
			says: "FAILED table/money TestSum\n    sum_test.go:9: 3 is not 4", red: true,
		},
		"another tier's": {
			events: `{"Action":"output",` + p +
				`,"Test":"TestSum","Output":"    not in this tier: make soak runs it: it is long\n"}
{"Action":"skip",` + p + `,"Test":"TestSum"}`,
		},
		"could not run": {
			events: `{"Action":"output",` + p + `,"Test":"TestSum","Output":"    jq is not installed\n"}
{"Action":"skip",` + p + `,"Test":"TestSum"}`,
			says: "SKIPPED table/money TestSum", red: true,
		},
		"did not end": {
			events: `{"Action":"output",` + p + `,"Test":"TestSum","Output":"panic: test timed out\n"}
{"Action":"fail",` + p + `,"Elapsed":600}`,
			says: "did not end: github.com/sabot-table/sabot/table/money TestSum\npanic: test timed out", red: true,
		},
		"does not compile": {
			events: `{"ImportPath":"github.com/sabot-table/sabot/table/money","Action":"build-output","Output":"sum.go:4:2: undefined: x\n"}
{"Action":"fail",` + p + `}`,
			says: "sum.go:4:2: undefined: x", red: true,
		},
		"no test of that name": {
			events: `{"Action":"output",` + p + `,"Output":"testing: warning: no tests to run\n"}
{"Action":"pass",` + p + `,"Elapsed":0.1}`,
			says: "FAILED table/money: no tests to run", red: true,
		},
		"no JSON": {events: "go: cannot find main module", says: "go: cannot find main module"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			got := newTally(&out)
			if err := got.read(strings.NewReader(c.events)); err != nil {
				t.Fatal(err)
			}
			if got.red() != c.red || got.passed != c.passed || !strings.Contains(out.String(), c.says) {
				t.Errorf("red %v, passed %d, said %q", got.red(), got.passed, out.String())
			}
		})
	}
}

// TestSlowest: the slowest come first, and subtests count with their test.
func TestSlowest(t *testing.T) {
	var out strings.Builder
	tally := newTally(&out)
	for name, seconds := range map[string]float64{"TestA": 1, "TestB": 3, "TestB/x": 2.5, "TestC": 2} {
		tally.add(event{Action: "pass", Package: module + "table", Test: name, Elapsed: seconds})
	}
	tally.slowest(2)
	if want := "the slowest 2 tests\n     3.0 s  table TestB\n     2.0 s  table TestC\n"; out.String() != want {
		t.Errorf("said %q, not %q", out.String(), want)
	}
}

// TestAgain: why a test failed stands at the end, too, shortened in its middle.
func TestAgain(t *testing.T) {
	var out strings.Builder
	tally := newTally(&out)
	tally.add(event{Action: "output", Package: module + "table", Test: "TestSum", Output: "first\n" +
		strings.Repeat("x", 9000) + "\nlast\n"})
	tally.add(event{Action: "fail", Package: module + "table", Test: "TestSum"})
	out.Reset()
	tally.again()
	if got := out.String(); !strings.HasPrefix(got, "FAILED table TestSum\nfirst\n") ||
		!strings.HasSuffix(got, "x\nlast\n") || len(got) > 4100 {
		t.Errorf("%d characters: %.200q … ", len(got), got)
	}
}
