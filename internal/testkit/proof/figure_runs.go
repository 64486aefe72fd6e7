package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// wanted is a figure that a benchmark reports.
type wanted struct {
	name string
	// benchmark is the one that reports it, and metric its name there.
	benchmark, metric string
	unit              string
}

// benchRun is one run of benchmarks.
type benchRun struct {
	// pkg is the package, and match the benchmarks that run.
	pkg, match string
	flags      []string
	figures    []wanted
}

// runs are all of them. A card has its own time on the page and on the line, so that its bare way is measured, too.
var runs = []benchRun{
	{"./table", "^BenchmarkStepBeside$", nil, []wanted{
		{"engine.step.ratio", "StepBeside", figure.OverBare, "times adding up the same hands"},
	}},
	{"./table/odds/dealt", "^BenchmarkRounds$/^(schaffhausen|wiesbaden)$", []string{"-benchtime=1000x"}, []wanted{
		{"engine.dealt.schaffhausen", "Rounds/schaffhausen", "times-bare", "times drawing and adding up as many cards"},
		{"engine.dealt.wiesbaden", "Rounds/wiesbaden", "times-bare", "times drawing and adding up as many cards"},
	}},
	{"./table/transcript", "^BenchmarkLinesBeside$", nil, []wanted{
		{"transcript.read.ratio", "LinesBeside/read", figure.OverBare, "times the SHA-256 of the lines"},
		{"transcript.written.ratio", "LinesBeside/written", figure.OverBare, "times the SHA-256 of the lines"},
	}},
	{"./table/journal", "^BenchmarkAppend$/^(1|8)$", nil, []wanted{
		{"journal.append.ratio", "Append/1", "ratio", "times a bare write and sync of one record"},
		{"journal.append-of-eight.ratio", "Append/8", "ratio", "times a bare write and sync of eight records"},
	}},
	{"./table/journal", "^BenchmarkVerifyBeside$", nil, []wanted{
		{"journal.verify.ratio", "VerifyBeside", figure.OverBare, "times the SHA-256 of the journal"},
	}},
	{"./table/audit", "^BenchmarkAudit$", []string{"-benchtime=1x"}, []wanted{
		{"audit.processor.ratio", "Audit", "cpu-x-sha256", "times the SHA-256 of the journal, in processor time"},
	}},
	{"./shoe/sabot", "^BenchmarkCardBeside$", nil, []wanted{
		{"shoe.card.ratio", "CardBeside/plain", figure.OverBare, "times the SHA-256 of a card's bytes on the line"},
		{
			"shoe.sealed-card.ratio", "CardBeside/sealed", figure.OverBare,
			"times the SHA-256 of a card's bytes on the line",
		},
	}},
	{"./device/keys", "^BenchmarkEdgesBeside$", nil, []wanted{
		{"keys.edge.ratio", "EdgesBeside", figure.OverBare, "times the SHA-256 of what the kernel says of an edge"},
	}},
	{"./display/web", "^BenchmarkCardBeside$", nil, []wanted{
		{"page.redraw.ratio", "CardBeside", "ratio", "times escaping as many bytes"},
	}},
	{"./internal/host", "^BenchmarkCard$/^memory$", []string{"-benchtime=500x"}, []wanted{
		{
			"pit.card.ratio", "Card/memory", "pit-p50/bare",
			"times the bare way of a card from the line to the pit, the journal in memory",
		},
	}},
	{"./internal/host", "^BenchmarkStart$", []string{"-benchtime=10x"}, []wanted{
		{"start.fresh.ratio", "Start/0", figure.OverBare, "times the start of a bare Go program"},
		{"start.fresh.ms", "Start/0", "p50-ms", "ms to ready without a journal"},
		{
			"start.journal.ratio", "Start/100000", figure.OverBare,
			"times the start of a bare Go program, with 100,000 records",
		},
		{"start.journal.ms", "Start/100000", "p50-ms", "ms to ready with 100,000 records"},
	}},
	{"./cmd/sabot-pit", "^BenchmarkStart$", []string{"-benchtime=10x"}, []wanted{
		{
			"pit.start.ratio", "Start", figure.OverBare,
			"times the start of a bare Go program, with SQLite and 60 tables",
		},
		{"pit.start.ms", "Start", "p50-ms", "ms to ready with SQLite and 60 tables"},
	}},
	{"./pit", "^BenchmarkBurst$", []string{"-benchtime=1x"}, []wanted{
		{
			"pit.keep.ratio", "Burst", "times-the-tables'-work",
			"times the work of the tables themselves, in processor time",
		},
	}},
	{"./pit/store", "^BenchmarkAppendBeside$", []string{"-benchtime=100x"}, []wanted{
		{"store.append.ratio", "AppendBeside", figure.OverBare, "times writing as many bytes to the same SQLite"},
	}},
	{"./pit/store", "^BenchmarkNightBeside$", []string{"-benchtime=10x"}, []wanted{
		{
			"store.ask.ratio", "NightBeside", figure.OverBare,
			"times adding up a column of all rounds, a night of 50 tables",
		},
	}},
	{"./internal/host", "^BenchmarkMemory$", []string{"-benchtime=1x"}, []wanted{
		{"memory.resident.mib", "Memory", "resident-MiB", "MiB after 200 rounds"},
		{"memory.peak.mib", "Memory", "peak-MiB", "MiB at the most"},
	}},
}

func (r benchRun) wanted(only *regexp.Regexp) bool {
	return slices.ContainsFunc(r.figures, func(w wanted) bool { return only.MatchString(w.name) })
}

// metric is what a benchmark reports.
type metric struct{ benchmark, name string }

// measure runs the benchmarks so many times.
func (r benchRun) measure(root string, count int) (rows []row, err error) {
	args := slices.Concat([]string{
		"test", r.pkg, "-run=^$", "-bench=" + r.match, "-count=" + strconv.Itoa(count),
		"-timeout=30m",
	}, r.flags)
	test := exec.Command("go", args...)
	test.Dir, test.Stderr = root, os.Stderr
	said, err := test.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", test, err, said)
	}
	all := metrics(string(said))
	for _, w := range r.figures {
		values := all[metric{w.benchmark, w.metric}]
		if len(values) != count {
			return nil, fmt.Errorf("%s reports %d values of %q in %s, not %d\n%s", test, len(values), w.metric,
				w.benchmark, count, said)
		}
		rows = append(rows, newRow(w.name, w.unit, values))
	}
	return rows, nil
}

// processors ends the name of each benchmark.
var processors = regexp.MustCompile(`-[0-9]+$`)

// metrics reads what benchmarks print: a name, how often it ran, then pairs of a value and its unit.
func metrics(said string) map[metric][]float64 {
	all := map[metric][]float64{}
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		if len(words) < 4 || !strings.HasPrefix(words[0], "Benchmark") {
			continue
		}
		name := processors.ReplaceAllString(strings.TrimPrefix(words[0], "Benchmark"), "")
		for i := 2; i+1 < len(words); i += 2 {
			if v, err := strconv.ParseFloat(words[i], 64); err == nil {
				m := metric{name, words[i+1]}
				all[m] = append(all[m], v)
			}
		}
	}
	return all
}
