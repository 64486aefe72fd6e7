// Mutate finds what no test would notice: it changes a package in many small ways, and runs tests against each. All
// changes are compiled into one program, and each run activates one; the sources are not touched.
//
//	go run ./internal/mutate -tests ./shoe/beetek,./shoe/oneway ./shoe/beetek
//
// Each line lists a change with which the tests still pass: a missing case, or a change that has no effect. A person
// must decide which.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

type options struct {
	tests, run, skip string
	files            *regexp.Regexp
	long             bool
}

// program is the tests of one package, built.
type program struct {
	path, dir string
	args      []string
}

func main() {
	o := options{files: regexp.MustCompile("")}
	flag.StringVar(&o.tests, "tests", "", "folders of the tests to run, separated by commas; the package's own if empty")
	flag.StringVar(&o.run, "run", "", "only tests that match, as in go test")
	flag.StringVar(&o.skip, "skip", "", "no tests that match, as in go test")
	flag.BoolVar(&o.long, "long", false, "without -short")
	flag.Func("files", "only mutants in files whose names match", func(s string) (err error) {
		o.files, err = regexp.Compile(s)
		return err
	})
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "name the folders of packages, such as ./table/money")
		os.Exit(2)
	}
	for _, dir := range flag.Args() {
		if err := o.examine(dir, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", dir, err)
			os.Exit(1)
		}
	}
}

// examine tries the mutants of one package, and lists those that the tests let pass.
func (o *options) examine(dir string, list io.Writer) error {
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	p, err := mutate(dir)
	if err != nil {
		return err
	}
	programs, err := p.build(scratch, strings.Split(cmp.Or(o.tests, dir), ","))
	if err != nil {
		return err
	}
	reached, limit, err := o.baseline(scratch, programs)
	if err != nil {
		return err
	}
	var killed, survived, unreached int
	for i, m := range p.mutants {
		m.at.Filename = filepath.Base(m.at.Filename)
		switch {
		case !o.files.MatchString(m.at.Filename):
		case !reached[i+1]:
			unreached++
			fmt.Fprintf(list, "%v: never reached: %s: %s\n", m.at, m.what, m.where)
		case o.passes(programs, limit, i+1):
			survived++
			fmt.Fprintf(list, "%v: survived: %s: %s\n", m.at, m.what, m.where)
		default:
			killed++
		}
	}
	fmt.Fprintf(list, "%s: %d noticed, %d survived, %d never reached\n", filepath.Base(dir), killed, survived, unreached)
	return nil
}

// build compiles the tests with the changed sources.
func (p *pkg) build(scratch string, tests []string) (programs []program, err error) {
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
		program := program{path: filepath.Join(scratch, fmt.Sprint(i, ".test")), dir: dir}
		c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", program.path, ".")
		c.Dir = dir
		if said, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, said)
		}
		if usage, _ := exec.Command(program.path, "-h").CombinedOutput(); bytes.Contains(usage, []byte("rapid.nofailfile")) {
			program.args = []string{"-rapid.nofailfile", "-rapid.shrinktime=0s"} // a failure is enough
		}
		programs = append(programs, program)
	}
	return programs, nil
}

// baseline runs the tests without any mutant: they must pass. It returns which mutants they reach, and how long a run
// may take.
func (o *options) baseline(scratch string, programs []program) (reached map[int]bool, limit time.Duration, err error) {
	notes := filepath.Join(scratch, "reached")
	began := time.Now()
	for _, p := range programs {
		if said, err := o.command(context.Background(), p, "MUTANTS_REACHED="+notes).CombinedOutput(); err != nil {
			return nil, 0, fmt.Errorf("the tests in %s fail without any mutant: %w\n%s", p.dir, err, said)
		}
	}
	limit = 10*time.Second + 3*time.Since(began)
	text, err := os.ReadFile(notes)
	if err != nil {
		return nil, 0, fmt.Errorf("no test reaches any mutant: %w", err)
	}
	reached = map[int]bool{}
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
func (o *options) passes(programs []program, limit time.Duration, n int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for _, p := range programs {
		if o.command(ctx, p, fmt.Sprint("MUTANT=", n)).Run() != nil {
			return false
		}
	}
	return true
}

func (o *options) command(ctx context.Context, p program, env string) *exec.Cmd {
	args := append([]string{"-test.failfast", fmt.Sprint("-test.short=", !o.long), "-test.run", o.run, "-test.skip", o.skip}, p.args...)
	c := exec.CommandContext(ctx, p.path, args...)
	c.Dir, c.Env, c.WaitDelay = p.dir, append(os.Environ(), env), time.Second
	return c
}
