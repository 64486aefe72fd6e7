package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// event is a line of go test -json: see "go doc test2json".
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// timed is a test, or a package, and the seconds that it took.
type timed struct {
	name    string
	seconds float64
}

// tally is what the tests of a run came to. Two go tests may add to it at once, of different packages.
type tally struct {
	out io.Writer

	mu                      sync.Mutex
	passed, failed, skipped int
	elsewhere               int // passed over, since they belong to another tier
	cached, packages        int
	slow                    []timed
	fell                    []string                    // what each test said that failed or could not run
	said                    map[string]*strings.Builder // of the tests and packages that have not ended
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, said: map[string]*strings.Builder{}}
}

// read follows the output of go test -json to its end.
func (t *tally) read(from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(t.out, "%s", line)
			} else {
				t.add(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) add(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := cmp.Or(e.Package, e.ImportPath) + " " + e.Test
	switch e.Action {
	case "output":
		t.keep(name, e.Output)
	case "build-output":
		fmt.Fprint(t.out, e.Output)
	case "pass", "fail", "skip":
		said := ""
		if b := t.said[name]; b != nil {
			said = b.String()
			delete(t.said, name)
		}
		if e.Test == "" {
			t.packageEnded(e, said)
		} else {
			t.testEnded(e, said)
		}
	}
}

func (t *tally) keep(name, output string) {
	b := t.said[name]
	if b == nil {
		b = &strings.Builder{}
		t.said[name] = b
	}
	b.WriteString(output)
}

func (t *tally) testEnded(e event, said string) {
	switch {
	case e.Action == "pass":
		t.passed++
	case e.Action == "skip" && strings.Contains(said, tier.ElsewherePrefix):
		t.elsewhere++
	case e.Action == "skip":
		t.skipped++
		t.wrong(fmt.Sprintf("SKIPPED %s %s: a part that cannot run is a failure\n%s", short(e.Package), e.Test, said))
	default:
		t.failed++
		t.wrong(fmt.Sprintf("FAILED %s %s\n%s", short(e.Package), e.Test, said))
	}
	if !strings.Contains(e.Test, "/") {
		t.slow = append(t.slow, timed{short(e.Package) + " " + e.Test, e.Elapsed})
	}
}

func (t *tally) packageEnded(e event, said string) {
	t.packages++
	word := "ok"
	if strings.Contains(said, "(cached)") {
		t.cached++
		word = "ok, cached"
	}
	switch {
	case e.Action == "fail":
		t.failed++
		t.wrong(fmt.Sprintf("FAILED %s after %.1f s\n%s", short(e.Package), e.Elapsed, said))
		t.unfinished(e.Package)
	case e.Action == "skip": // it has no tests
	case strings.Contains(said, nothingRan):
		t.failed++
		t.wrong(fmt.Sprintf("FAILED %s: %s: no test has the name that was asked for\n", short(e.Package), nothingRan))
	default:
		fmt.Fprintf(t.out, "%s  %s  %.1f s\n", word, short(e.Package), e.Elapsed)
	}
}

// wrong prints what was wrong, and keeps it for the end.
func (t *tally) wrong(what string) {
	fmt.Fprint(t.out, what)
	t.fell = append(t.fell, what)
}

// again prints once more what was wrong: of a long output often nothing but the end is kept.
func (t *tally) again() {
	const most = 4000 // characters of one test
	for _, what := range t.fell {
		if len(what) > most {
			what = what[:most/2] + "\n  …\n" + what[len(what)-most/2:]
		}
		fmt.Fprint(t.out, what)
	}
}

// unfinished prints what tests said that a package took with it when it ended.
func (t *tally) unfinished(pkg string) {
	for _, name := range slices.Sorted(maps.Keys(t.said)) {
		if strings.HasPrefix(name, pkg+" ") {
			t.wrong(fmt.Sprintf("did not end: %s\n%s", name, t.said[name]))
			delete(t.said, name)
		}
	}
}

func (t *tally) red() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failed > 0 || t.skipped > 0
}

// slowest prints the tests that took the longest.
func (t *tally) slowest(n int) {
	slices.SortFunc(t.slow, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	fmt.Fprintf(t.out, "the slowest %d tests\n", n)
	for _, one := range t.slow[:min(n, len(t.slow))] {
		fmt.Fprintf(t.out, "  %6.1f s  %s\n", one.seconds, one.name)
	}
}

// nothingRan is what go test says of a package none of whose tests it was to run. It calls that a success.
const nothingRan = "no tests to run"

const module = "github.com/sabot-table/sabot/"

func short(pkg string) string { return strings.TrimPrefix(pkg, module) }

// goTest runs go test -json with arguments, and counts what it comes to. An error is one of the run, not of a test.
func (t *tally) goTest(ctx context.Context, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	cmd.Stderr = t.out
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := t.read(from)
	if err := cmd.Wait(); err != nil && !t.red() {
		return fmt.Errorf("go test: %w", err)
	}
	return readErr
}
