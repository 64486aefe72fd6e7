// Proof runs what proves Sabot, in the tiers that CONTRIBUTING.md describes:
//
//	go run ./internal/testkit/proof check             what a change needs while one works
//	go run ./internal/testkit/proof test              what a landing needs
//	go run ./internal/testkit/proof soak -shard 1/7   all that is long or random
//	go run ./internal/testkit/proof list              the suites, as the table of CONTRIBUTING.md
//	go run ./internal/testkit/proof attacks [package] what the attacks on Sabot's own programs came to
//	go run ./internal/testkit/proof mutants [package] what no test would notice: faults that it plants, one by one
//	go run ./internal/testkit/proof figures           what Sabot costs here; -write keeps it in figure/last.md
//
// It ends with status 1 if anything failed, was passed over without belonging to another tier, or left a process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

// errRed says that something failed; what, was printed when it did.
var errRed = errors.New("red")

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("say check, test, soak, list, attacks, mutants or figures")
	}
	set := flag.NewFlagSet(args[0], flag.ContinueOnError)
	set.SetOutput(out)
	switch args[0] {
	case "check":
		base := set.String("base", "HEAD", "the `commit` since which the change is")
		if err := set.Parse(args[1:]); err != nil {
			return err
		}
		return check(ctx, *base, out)
	case "test":
		only := set.String("only", "", "only the stage of this `name`")
		if err := set.Parse(args[1:]); err != nil {
			return err
		}
		leave, err := enterTree(ctx)
		if err != nil {
			return err
		}
		defer leave()
		return landing(ctx, *only, out)
	case "soak":
		s := soak{folder: "dist/soak", suites: ofTier(inSoak), build: programs}
		set.Func("shard", "which part of all suites, such as `1/7`", s.setShard)
		set.Uint64Var(&s.seed, "seed", today(), "the seed of all that is drawn")
		set.StringVar(&s.only, "only", "", "only the suites whose names match this `expression`")
		if err := set.Parse(args[1:]); err != nil {
			return err
		}
		return s.run(ctx, out)
	case "list":
		_, err := io.WriteString(out, table(suites))
		return err
	case "attacks":
		return attacks(args[1:])
	case "mutants":
		return mutants(set, args[1:], out)
	case "figures":
		return figures(args[1:], out, os.Stderr)
	}
	return fmt.Errorf("%q is nothing to run: say check, test, soak, list, attacks, mutants or figures", args[0])
}
