// Command table measures what Sabot costs on this machine, beside a yardstick in the same run, and prints it beside what was
// measured last, with the figures that do not depend on the machine. It takes about five minutes, and is worth most with
// nothing else on the machine.
//
//	go run ./internal/testkit/figure/table              compares
//	go run ./internal/testkit/figure/table -write       and keeps today's in internal/testkit/figure/last.md
//	go run ./internal/testkit/figure/table -only '^page'
//
// The table is for the closing note of a change. It ends with 0 whatever the figures are: a busy machine alone can make
// them worse.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// lastFile has what was measured last.
const lastFile = "internal/testkit/figure/last.md"

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string, out, progress io.Writer) error {
	set := flag.NewFlagSet("figures", flag.ContinueOnError)
	write := set.Bool("write", false, "keep what is measured in "+lastFile)
	count := set.Int("count", 3, "how often each is measured; the median counts")
	pattern := set.String("only", "", "only the figures whose names match this `expression`")
	if err := set.Parse(args); err != nil {
		return err
	}
	only, err := regexp.Compile(*pattern)
	if err != nil {
		return err
	}
	if *write && *pattern != "" {
		return errors.New("-write keeps all figures: leave out -only")
	}
	root, err := figure.Root()
	if err != nil {
		return err
	}
	file := filepath.Join(root, lastFile)
	last, err := readLast(file)
	if err != nil {
		return err
	}
	now, err := measure(root, *count, only, progress)
	if err != nil {
		return err
	}
	if err := compare(out, last, now); err != nil || !*write {
		return err
	}
	return os.WriteFile(file, []byte(now.String()), 0o644)
}

// measure takes all figures that match.
func measure(root string, count int, only *regexp.Regexp, progress io.Writer) (report, error) {
	now := report{at: place(root, time.Now())}
	for _, one := range runs {
		if !one.wanted(only) {
			continue
		}
		fmt.Fprintf(progress, "measuring %s of %s\n", one.match, one.pkg)
		rows, err := one.measure(root, count)
		if err != nil {
			return now, err
		}
		now.add(only, rows...)
	}
	if only.MatchString(sizes + "bytes") {
		fmt.Fprintln(progress, "building the programs for arm64")
		rows, err := programs(root)
		if err != nil {
			return now, err
		}
		now.add(only, rows...)
	}
	exact, err := figure.ReadFile(filepath.Join(root, figure.File))
	if err != nil {
		return now, err
	}
	for _, r := range exact {
		now.add(only, row{r.Name, r.Value, r.Value, r.Value, r.Unit})
	}
	return now, nil
}
