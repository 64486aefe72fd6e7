package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// goFlags makes what is built the same in every clone: no folder of this machine is in it, and no commit.
var goFlags = "GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath -buildvcs=false")

// rarely has the compiler, the linker and staticcheck collect their garbage rarely: each lives for seconds, and a sixth
// to a third of its time went into that.
const rarely = "GOGC=400"

// landingEnv is how everything is built but what has the race detector, so that all stages share what is compiled. The
// programs of a table have no cgo.
var landingEnv = []string{"CGO_ENABLED=0", goFlags, rarely}

// raceEnv is how the race detector wants it.
var raceEnv = []string{"CGO_ENABLED=1", goFlags, rarely}

// linked has the linker leave out what only a debugger reads, which takes it a quarter of its time, a hundred times.
const linked = "-ldflags=-w"

// testFlags are those of go test in make test, which runs twice at the same time. The stage lint has vetted all of it.
var testFlags = []string{"-vet=off", linked, "-p", "2", "-timeout", "10m"}

// stage is a part of a run. It returns errRed if something in it failed, after it has printed what.
type stage struct {
	name string
	run  func(ctx context.Context) error
}

// told runs a stage, and prints what kept it from running.
func (s stage) told(ctx context.Context, out io.Writer) error {
	err := s.run(ctx)
	if err != nil && !errors.Is(err, errRed) {
		fmt.Fprintf(out, "FAILED %s: %v\n", s.name, err)
	}
	return err
}

// together is two stages at the same time: the end of each, when one package is left, leaves a core to the other.
func together(out io.Writer, a, b stage) stage {
	return stage{a.name + " and " + b.name, func(ctx context.Context) error {
		began := time.Now()
		ended := func(s stage) error {
			err := s.told(ctx, out)
			fmt.Fprintf(out, "the stage %s took %.1f s of them\n", s.name, time.Since(began).Seconds())
			return err
		}
		second := make(chan error)
		go func() { second <- ended(b) }()
		first := ended(a)
		if err := <-second; first != nil || err != nil {
			return errRed
		}
		return nil
	}}
}

// stages runs all stages, also after one that failed, and prints how long each took.
func stages(ctx context.Context, out io.Writer, all []stage) error {
	if err := adopt(); err != nil {
		return err
	}
	var red error
	var took []timed
	for _, s := range all {
		fmt.Fprintf(out, "== %s\n", s.name)
		began := time.Now()
		err := s.told(ctx, out)
		took = append(took, timed{s.name, time.Since(began).Seconds()})
		if left := leftBehind(); len(left) > 0 {
			fmt.Fprintf(out, "FAILED %s left processes behind:\n  %s\n", s.name, strings.Join(left, "\n  "))
			err = errRed
		}
		if err != nil {
			red = errRed
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	var sum float64
	fmt.Fprintln(out, "the time of each stage")
	for _, s := range took {
		fmt.Fprintf(out, "  %6.1f s  %s\n", s.seconds, s.name)
		sum += s.seconds
	}
	fmt.Fprintf(out, "  %6.1f s  in all\n", sum)
	return red
}

// landing is make test.
func landing(ctx context.Context, only string, out io.Writer) error {
	t := newTally(out)
	built := ""
	env := func(more []string) []string {
		return append(append([]string{}, more...), tier.Variable+"=test", tier.ProgramsVariable+"="+built)
	}
	races := sync.OnceValues(func() ([]string, error) { return racePackages(".") })
	plain := stage{"go", func(ctx context.Context) error {
		race, err := races()
		if err != nil {
			return err
		}
		known, err := listed(ctx)
		if err != nil {
			return err
		}
		flags := slices.Clone(testFlags)
		tests := t.stage(ctx, env(landingEnv), append(flags, plainPackages(known, race)...)...)
		figures, err := measured(".", race)
		if err != nil {
			return err
		}
		flags = append(slices.Clone(testFlags), "-run", "^"+figuresTest+"$")
		return errors.Join(tests, t.stage(ctx, env(landingEnv), append(flags, figures...)...))
	}}
	race := stage{"race", func(ctx context.Context) error {
		packages, err := races()
		if err != nil {
			return err
		}
		return t.stage(ctx, env(raceEnv), append(append(slices.Clone(testFlags), "-race"), packages...)...)
	}}
	all := []stage{
		{"lint", func(ctx context.Context) error { return lint(ctx, out, []string{"./..."}) }},
		{"programs", func(ctx context.Context) (err error) { built, err = programs(ctx, out); return err }},
		together(out, plain, race),
		{"pages", func(ctx context.Context) error {
			return command{
				name: "make", args: []string{"--no-print-directory", "page-test"},
				env: env(landingEnv),
			}.run(ctx, out)
		}},
	}
	if only != "" {
		all = oneStage(slices.Insert(all, 2, plain, race), only)
		if len(all) == 0 {
			return fmt.Errorf("make test has no stage %q", only)
		}
	}
	red := stages(ctx, out, all)
	t.slowest(20)
	t.again()
	fmt.Fprintf(out, "%d packages, %d of them cached; %d tests belong to another tier\n", t.packages, t.cached,
		t.elsewhere)
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	return red
}

// oneStage is a stage alone, after the programs that it may need.
func oneStage(all []stage, name string) (some []stage) {
	for _, s := range all {
		if s.name == name {
			return append(some, s)
		}
		if s.name == "programs" {
			some = append(some, s)
		}
	}
	return nil
}

// stage runs go test as a stage.
func (t *tally) stage(ctx context.Context, env []string, args ...string) error {
	if err := t.goTest(ctx, env, args...); err != nil {
		return err
	}
	if t.red() {
		return errRed
	}
	return nil
}
