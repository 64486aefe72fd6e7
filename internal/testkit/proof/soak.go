package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// soak is a run of make soak, or a part of it. What it has done is kept in a folder for each seed and commit, so that a
// run that was ended goes on where it was.
type soak struct {
	folder      string
	seed        uint64
	only        string
	part, parts int
	commit      string
	suites      []suite
	// build builds the programs, and returns their folder.
	build func(context.Context, io.Writer) (string, error)
}

// today is the seed of the day, such as 20261128.
func today() uint64 {
	y, m, d := time.Now().Date()
	return uint64(y*10000 + int(m)*100 + d)
}

func (s *soak) setShard(text string) error {
	part, parts, cut := strings.Cut(text, "/")
	var err error
	if s.part, err = strconv.Atoi(part); err == nil {
		s.parts, err = strconv.Atoi(parts)
	}
	if err != nil || !cut || s.part < 1 || s.part > s.parts {
		return fmt.Errorf("%q is not a shard: say one such as 1/7", text)
	}
	return nil
}

// outcome is what came of a suite.
type outcome struct {
	Suite   string
	Seed    uint64
	Commit  string
	Fell    bool
	Seconds float64
	// Why is the end of what a suite printed that fell.
	Why string `json:",omitempty"`
}

func (s *soak) run(ctx context.Context, out io.Writer) error {
	chosen, err := s.chosen()
	if err != nil {
		return err
	}
	if s.commit == "" {
		text, err := command{name: "git", args: []string{"describe", "--always", "--dirty", "--abbrev=12"}}.output(ctx)
		if err != nil {
			return err
		}
		s.commit = strings.TrimSpace(text)
	}
	s.folder = filepath.Join(s.folder, fmt.Sprintf("%d-%s", s.seed, s.commit))
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	built, err := s.build(ctx, out)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "make soak, seed %d, commit %s: SEED=%[1]d gives it again\n", s.seed, s.commit)
	env := append([]string{
		tier.Variable + "=soak", tier.ProgramsVariable + "=" + built, fmt.Sprintf("%s=%d", tier.SeedVariable, s.seed),
	}, landingEnv...)
	for _, one := range chosen {
		if err := s.suite(ctx, out, one, env); err != nil {
			return err
		}
	}
	return s.report(out)
}

// chosen are the suites of this part.
func (s *soak) chosen() ([]suite, error) {
	all := s.suites
	if s.parts > 0 {
		all = shard(all, s.part, s.parts)
	}
	names, err := regexp.Compile(s.only)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(one suite) bool { return !names.MatchString(one.name) })
	if len(all) == 0 {
		return nil, fmt.Errorf("no suite of make soak has a name like %q; see go run ./internal/testkit/proof list",
			s.only)
	}
	return all, nil
}

// suite runs a suite, unless it was green with this seed and commit.
func (s *soak) suite(ctx context.Context, out io.Writer, one suite, env []string) error {
	kept := filepath.Join(s.folder, one.name+".json")
	var before outcome
	text, err := os.ReadFile(kept)
	switch {
	case err == nil && json.Unmarshal(text, &before) == nil && !before.Fell && !strings.HasSuffix(s.commit, "-dirty"):
		fmt.Fprintf(out, "%s was green with this seed and commit\n", one.name)
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	log, err := os.Create(filepath.Join(s.folder, one.name+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	fmt.Fprintf(out, "== %s, about %v minutes; what it says is in %s\n", one.name, one.minutes, log.Name())
	began := time.Now()
	runErr := cmp.Or(one.run(ctx, log, env), ran(log.Name()))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	result := outcome{
		Suite: one.name, Seed: s.seed, Commit: s.commit, Fell: runErr != nil,
		Seconds: time.Since(began).Seconds(),
	}
	if result.Fell {
		if result.Why, err = ending(log.Name(), 30); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s fell: %v\n", one.name, runErr)
	}
	text, err = json.MarshalIndent(result, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(kept, text, 0o644)
}

// run runs a suite to its end, in the environment of make soak.
func (one suite) run(ctx context.Context, out io.Writer, env []string) error {
	if one.line != "" {
		line := shell(one.line)
		line.env = env
		return line.run(ctx, out)
	}
	args := []string{"-count=1", "-p", "2", "-timeout", "100m"}
	if one.race {
		args = append(args, "-race")
		env = slices.Concat(env, raceEnv, []string{tier.Variable + "=test"})
	}
	t := newTally(out)
	err := t.stage(ctx, env, append(args, strings.Fields(one.goTest)...)...)
	t.slowest(20)
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped; %d tests belong to another tier\n", t.passed, t.failed,
		t.skipped, t.elsewhere)
	return err
}

// ran says whether a suite has run what it names, by what it printed.
func ran(file string) error {
	text, err := os.ReadFile(file)
	if err == nil && strings.Contains(string(text), nothingRan) {
		err = errors.New(nothingRan + ": no test has the name that the suite asks for")
	}
	return err
}

// ending is the last lines of a file, those that say what failed before the others.
func ending(file string, lines int) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	var failed []string
	for _, line := range all {
		if strings.HasPrefix(line, "FAILED") || strings.HasPrefix(line, "SKIPPED") ||
			strings.Contains(line, "--- FAIL") || strings.Contains(line, "DATA RACE") ||
			strings.HasPrefix(line, "not ok") {
			failed = append(failed, line)
		}
	}
	return strings.Join(slices.Concat(failed, all[max(0, len(all)-lines):]), "\n"), nil
}

// report writes the page that says what ran with this seed and commit, and what fell, and prints it. It is of all
// shards that have left their results in the folder.
func (s *soak) report(out io.Writer) error {
	results, err := s.results()
	if err != nil {
		return err
	}
	var page strings.Builder
	fmt.Fprintf(&page, "# make soak, seed %d, commit %s\n\n| suite | what came of it | minutes |\n|---|---|---|\n",
		s.seed, s.commit)
	var red error
	ran := map[string]bool{}
	for _, r := range results {
		word := "green"
		if r.Fell {
			word, red = "**fell**", errRed
		}
		ran[r.Suite] = true
		fmt.Fprintf(&page, "| %s | %s | %.1f |\n", r.Suite, word, r.Seconds/60)
	}
	for _, one := range s.suites {
		if !ran[one.name] {
			fmt.Fprintf(&page, "| %s | did not run | – |\n", one.name)
		}
	}
	for _, r := range results {
		if r.Fell {
			fmt.Fprintf(&page, "\n## %s\n\nAgain: `make soak ONLY='^%[1]s$' SEED=%d`\n\n```\n%s\n```\n", r.Suite,
				r.Seed, r.Why)
		}
	}
	fmt.Fprintf(out, "\n%s", page.String())
	return cmp.Or(os.WriteFile(filepath.Join(s.folder, "report.md"), []byte(page.String()), 0o644), red)
}

func (s *soak) results() (all []outcome, err error) {
	files, err := filepath.Glob(filepath.Join(s.folder, "*.json"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var r outcome
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, r)
	}
	return all, nil
}
