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

// figures measures what Sabot costs on this machine, beside a yardstick in the same run, and prints it beside what was
// measured last, with the figures that do not depend on the machine. It takes about five minutes, and is worth most
// with nothing else on the machine. The table is for the closing note of a change; it is no error whatever the figures
// are, since a busy machine alone can make them worse.
func figures(args []string, out, progress io.Writer) error {
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
	now, failed := measure(root, *count, only, progress)
	if err := errors.Join(compare(out, last, now), failed); err != nil || !*write {
		return err
	}
	return os.WriteFile(file, []byte(now.String()), 0o644)
}

// measure takes all figures that match. Those that cannot be taken are an error, and the others are there all the same.
func measure(root string, count int, only *regexp.Regexp, progress io.Writer) (now report, failed error) {
	add := func(rows []row, err error) {
		now.add(only, rows...)
		failed = errors.Join(failed, err)
	}
	for _, one := range runs {
		if one.wanted(only) {
			fmt.Fprintf(progress, "measuring %s of %s\n", one.match, one.pkg)
			add(one.measure(root, count))
		}
	}
	if only.MatchString(sizes) {
		fmt.Fprintln(progress, "building the programs for arm64")
		add(programSizes(root))
	}
	add(exact(root))
	now.at = place(root, time.Now())
	return now, failed
}

// exact are the figures that are the same on every machine, which tests measure.
func exact(root string) (rows []row, err error) {
	all, err := figure.ReadFile(filepath.Join(root, figure.File))
	for _, r := range all {
		rows = append(rows, row{r.Name, r.Value, r.Value, r.Value, r.Unit})
	}
	return rows, err
}
