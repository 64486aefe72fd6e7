package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

type mutantOptions struct {
	tests, run, skip string
	files            *regexp.Regexp
	draw             int
	seed             uint64
	soak             bool
}

// mutantTests is the tests of one package, built.
type mutantTests struct {
	path, dir string
	args      []string
}

// mutants finds what no test would notice: it changes packages in many small ways, and runs their tests against each.
// All changes of a package are compiled into one program, and each run activates one; the sources are not touched.
//
//	go run ./internal/testkit/proof mutants -tests ./shoe/unacked ./shoe/beetek
//	go run ./internal/testkit/proof mutants -draw 300 -soak ./table ./table/money
//
// Each line lists a change with which the tests still pass: a missing case, or a change that has no effect. A person
// must decide which.
func mutants(set *flag.FlagSet, args []string, out io.Writer) error {
	o := mutantOptions{files: regexp.MustCompile("")}
	set.StringVar(&o.tests, "tests", "", "folders of the tests to run besides the package's own, separated by commas")
	set.StringVar(&o.run, "run", "", "only tests that match, as in go test")
	set.StringVar(&o.skip, "skip", "", "no tests that match, as in go test")
	set.IntVar(&o.draw, "draw", 0, "so many mutants, drawn from those of all packages together; 0 for all of them")
	set.Uint64Var(&o.seed, "seed", rand.Uint64()>>32, "what the mutants are drawn by")
	set.BoolVar(&o.soak, "soak", false, "try what make test lets pass with make soak's tests, too")
	set.Func("files", "only mutants in files whose names match", func(s string) (err error) {
		o.files, err = regexp.Compile(s)
		return err
	})
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() == 0 {
		return errors.New("name the folders of packages, such as ./table/money")
	}
	return o.examine(set.Args(), out)
}

// build compiles the tests with the changed sources.
func (p *mutated) build(scratch string, tests []string) (programs []mutantTests, err error) {
	replace := map[string]string{}
	for name, text := range p.sources {
		replace[name] = filepath.Join(scratch, filepath.Base(name))
		if err := os.WriteFile(replace[name], []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, err
	}
	for i, dir := range tests {
		program := mutantTests{path: filepath.Join(scratch, fmt.Sprint(i, ".test")), dir: dir}
		c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", program.path, ".")
		c.Dir = dir
		if said, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, said)
		}
		if usage, _ := exec.Command(program.path, "-h").CombinedOutput(); bytes.Contains(usage,
			[]byte("rapid.nofailfile")) {
			program.args = []string{"-rapid.nofailfile", "-rapid.shrinktime=0s"} // a failure is enough
		}
		programs = append(programs, program)
	}
	return programs, nil
}

// programs builds the tests of a package, and those that are to run besides.
func (o *mutantOptions) programs(p *mutated, scratch string) ([]mutantTests, error) {
	tests := []string{p.dir}
	for dir := range strings.SplitSeq(o.tests, ",") {
		if dir == "" {
			continue
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(tests, dir) {
			tests = append(tests, dir)
		}
	}
	return p.build(scratch, tests)
}

// baseline runs the tests without any mutant: they must pass. It returns which mutants they reach, and how long a run
// may take.
func (o *mutantOptions) baseline(programs []mutantTests, tier, notes string) (map[int]bool, time.Duration, error) {
	// A test may run itself as another user, who notes what it reaches, too.
	if err := errors.Join(os.WriteFile(notes, nil, 0o666), os.Chmod(notes, 0o666),
		os.Chmod(filepath.Dir(notes), 0o711)); err != nil {
		return nil, 0, err
	}
	began := time.Now()
	for _, p := range programs {
		run := o.command(context.Background(), p, tier, "MUTANTS_REACHED="+notes)
		if said, err := run.CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("the tests in %s fail without any mutant: %w\n%s", p.dir, err, said)
		}
	}
	limit := 10*time.Second + 3*time.Since(began)
	text, err := os.ReadFile(notes)
	if err != nil {
		return nil, 0, err
	}
	if len(text) == 0 {
		return nil, 0, errors.New("no test reaches any mutant")
	}
	reached := map[int]bool{}
	for line := range bytes.Lines(text) {
		var n int
		if _, err := fmt.Sscan(string(line), &n); err != nil {
			return nil, 0, err
		}
		reached[n] = true
	}
	return reached, limit, nil
}

// passes says whether no test notices a mutant. A test that does not end has noticed it.
func (o *mutantOptions) passes(programs []mutantTests, tier string, limit time.Duration, n int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for _, p := range programs {
		if o.command(ctx, p, tier, fmt.Sprint("MUTANT=", n)).Run() != nil {
			return false
		}
	}
	return true
}

// tierVariable is that of internal/testkit/tier, which brings flags of its own.
const tierVariable = "SABOT_TIER"

func (o *mutantOptions) command(ctx context.Context, p mutantTests, tier, env string) *exec.Cmd {
	args := append([]string{"-test.failfast", "-test.run", o.run, "-test.skip", o.skip}, p.args...)
	c := exec.CommandContext(ctx, p.path, args...)
	c.Dir, c.Env, c.WaitDelay = p.dir, append(os.Environ(), tierVariable+"="+tier, env), time.Second
	return c
}
