package main

import (
	"regexp"
	"strings"
	"testing"
)

var everything = regexp.MustCompile("")

// TestKept: what is written is read again, and nothing else is.
func TestKept(t *testing.T) {
	r := report{at: "280d4469 on 2026-11-28"}
	r.add(everything, newRow("page.redraw.ratio", "times", []float64{3.25, 3, 4.5678}),
		newRow("memory.peak.mib", "MiB", []float64{28.04}))
	text := r.String()
	got, err := parseFigures(text)
	if err != nil || got.String() != text || got.at != r.at || len(got.rows) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if one, _ := got.find("page.redraw.ratio"); one != (row{"page.redraw.ratio", 3.25, 3, 4.57, "times"}) {
		t.Errorf("%+v", one)
	}
	for _, change := range [][2]string{
		{"# The", "# These"},
		{"| 3.25 ", ""},
		{"3.25", "3,25"},
		{"4.57", "4.570"},
		{"| median", "| middle"},
	} {
		if _, err := parseFigures(strings.Replace(text, change[0], change[1], 1)); err == nil {
			t.Errorf("%q instead of %q is taken", change[1], change[0])
		}
	}
}

// TestCompare: what is worse and better stands out, and whether the runs agree on it.
func TestCompare(t *testing.T) {
	var last, now report
	for name, values := range map[string][2][]float64{
		"a.same":   {{100}, {104}},
		"b.worse":  {{100, 101, 102}, {119, 120, 121}},
		"c.better": {{100}, {50}},
		"d.torn":   {{90, 100, 130}, {110, 120, 140}},
		"e.none":   {{0}, {0}},
		"f.some":   {{0}, {1}},
	} {
		last.add(everything, newRow(name, "ms", values[0]))
		now.add(everything, newRow(name, "ms", values[1]))
	}
	now.add(everything, newRow("g.new", "ms", []float64{7}))
	var out strings.Builder
	if err := compare(&out, last, now); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"| a.same | 100 | 104 |  |  | ms |\n",
		"| b.worse | 101 | 120 | 18.8 % **worse** | 119 to 121 | ms |\n",
		"| c.better | 100 | 50 | 50.0 % better |  | ms |\n",
		"| d.torn | 100 | 120 | 20.0 % **worse**, within what is measured | 110 to 140 | ms |\n",
		"| e.none | 0 | 0 |  |  | ms |\n",
		"| f.some | 0 | 1 | endlessly **worse** |  | ms |\n",
		"| g.new |  | 7 | new |  | ms |\n",
	} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("no line %q in\n%s", line, out.String())
		}
	}
}

// TestMetrics reads what benchmarks print.
func TestMetrics(t *testing.T) {
	got := metrics("goos: linux\nBenchmarkAppend/1-2 \t 10\t 0 ns/op\t 1.25 ratio\nBenchmarkAppend/1-2 \t 10\t 0 " +
		"ns/op\t 1.5 ratio\nPASS\n")
	if all := got[metric{"Append/1", "ratio"}]; len(all) != 2 || all[0] != 1.25 || all[1] != 1.5 {
		t.Errorf("%v", got)
	}
}
