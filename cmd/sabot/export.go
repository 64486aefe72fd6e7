package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/journal"
)

// exportTables writes the contents of a journal as tables, for queries.
func exportTables(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	from, to, o, err := parseExport(set, args, e)
	if err != nil {
		return err
	}
	j, err := journal.OpenReadOnly(from)
	if err != nil {
		return err
	}
	progress := terminal.NewBar(terminal.Raw(e.err), false)
	o.Progress = progress.Show
	counts, err := export.Write(ctx, j, to, o)
	progress.Clear()
	if err := errors.Join(err, j.Close()); err != nil {
		return fmt.Errorf("nothing was exported: %w", err)
	}
	_, err = fmt.Fprintf(e.out, "%s: %d records, %d events, %d rounds, %d irregularities\n",
		to, counts.Records, counts.Events, counts.Rounds, counts.Irregularities)
	return err
}

func parseExport(set *flag.FlagSet, args []string, e env) (from, to string, o export.Options, err error) {
	set.StringVar(&o.Format, "to", "", "the `format`: "+strings.Join(export.Formats(), ", "))
	set.Uint64Var(&o.From, "from", 0, "begin with this `record`")
	set.Func("rounds", "only these rounds, such as 17 or `17..20`", func(text string) (err error) {
		o.Rounds, err = parseRounds(text)
		return err
	})
	set.BoolVar(&o.Force, "force", false, "replace an earlier export in the same place")
	if err := parse(set, args, e); err != nil {
		return "", "", o, err
	}
	from, to = set.Arg(0), set.Arg(1)
	switch {
	case set.NArg() != 2:
		err = errUsage("it takes a journal, and the file or folder to make; options come before them")
	case !slices.Contains(export.Formats(), o.Format):
		err = errUsage(fmt.Sprintf("--to takes a format: %s", strings.Join(export.Formats(), ", ")))
	default:
		err = apart(from, to)
	}
	return from, to, o, err
}

// parseRounds reads a round's number, or the first and the last with two dots between them.
func parseRounds(text string) (export.Rounds, error) {
	first, last, two := strings.Cut(text, "..")
	if !two {
		last = first
	}
	a, errFirst := strconv.ParseUint(first, 10, 63)
	b, errLast := strconv.ParseUint(last, 10, 63)
	if errFirst != nil || errLast != nil || a == 0 || b < a {
		return export.Rounds{}, errors.New("write a round's number, or the first and the last, such as 17..20")
	}
	return export.Rounds{First: a, Last: b}, nil
}

// apart makes sure that an export neither overwrites a journal nor goes into its folder.
func apart(from, to string) error {
	journal, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	if resolved, err := filepath.EvalSymlinks(journal); err == nil {
		journal = resolved
	}
	target, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(target)); err == nil {
		target = filepath.Join(folder, filepath.Base(target))
	}
	if inside, err := filepath.Rel(journal, target); err != nil || inside == ".." ||
		strings.HasPrefix(inside, ".."+string(os.PathSeparator)) {
		return nil
	}
	return errUsage(fmt.Sprintf("%s belongs to the journal, and nothing was written: give a place outside it", to))
}
