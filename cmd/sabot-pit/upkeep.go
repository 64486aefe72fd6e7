package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/store"
)

// upkeep are the commands that look after the database.
var upkeep = []command{
	{
		name: "export",
		page: terminal.Usage{
			Line: "sabot-pit export --config FILE --to FORMAT PATH",
			What: "write rounds, wagers, irregularities and money by table and dealer as tables, also while " +
				"sabot-pit runs",
			Arguments: []string{
				configFile,
				"FORMAT: " + strings.Join(export.Formats(), ", "),
				"PATH: the file to make for sqlite, the folder for the others",
			},
			Examples: []string{
				"sabot-pit export --config /etc/sabot/pit.yaml --to sqlite march.sqlite",
				"sabot-pit export --config /etc/sabot/pit.yaml --to csv --first 2026-03-01 --last 2026-03-31 " +
					"--table bj-1 --table bj-2 march",
			},
		},
		flags: exportFlags,
	},
	{
		name: "witness",
		page: terminal.Usage{
			Line: "sabot-pit witness --config FILE --table NAME PATH",
			What: "write what the pit knows of a table's journals, for sabot journal audit --witness; also while " +
				"sabot-pit runs",
			Arguments: []string{
				configFile, tableName, "PATH: the file to make",
			},
			Examples: []string{"sabot-pit witness --config /etc/sabot/pit.yaml --table bj-1 bj-1.witness"},
		},
		flags: witnessFlags,
	},
	{
		name: "backup",
		page: terminal.Usage{
			Line: "sabot-pit backup --config FILE PATH",
			What: "write what only the pit knows, such as people and what became of alerts, to a file; also while " +
				"sabot-pit runs",
			Arguments: []string{
				configFile, "PATH: the file to make; it has people's password hashes: keep it as the database",
			},
			Examples: []string{"sabot-pit backup --config /etc/sabot/pit.yaml /media/stick/pit-2026-03-01.backup"},
		},
		flags: onFile(backUp).flags("backup takes --config and the file to make"),
	},
	{
		name: "restore",
		page: terminal.Usage{
			Line:      "sabot-pit restore --config FILE PATH",
			What:      "read such a file into a new database, while no sabot-pit runs",
			Arguments: []string{configFile, "PATH: the file that sabot-pit backup made"},
			Examples:  []string{"sabot-pit restore --config /etc/sabot/pit.yaml /media/stick/pit-2026-03-01.backup"},
		},
		flags: onFile(restoreFrom).flags("restore takes --config and the file that sabot-pit backup made"),
	},
	{
		name: "rebuild",
		page: terminal.Usage{
			Line: "sabot-pit rebuild --config FILE [--table NAME]",
			What: "make the figures anew from the records, as after another beginning of the gaming day; " +
				"sabot-pit waits meanwhile",
			Arguments: []string{configFile, "NAME: the table, all without it; SITE/NAME for one of a house, at a hub"},
			Examples:  []string{"sabot-pit rebuild --config /etc/sabot/pit.yaml"},
		},
		flags: rebuildFlags,
	},
	{
		name: "accept",
		page: terminal.Usage{
			Line: "sabot-pit accept --config FILE --table NAME --journal FOLDER --by PERSON --why REASON",
			What: "follow a journal that was rewritten, rolled back or replaced, while no sabot-pit runs; nothing " +
				"is removed",
			Arguments: []string{
				configFile, tableName,
				"FOLDER: the journal as it is at the table, or a copy of it",
				"PERSON: who accepts it: a supervisor, technician or manager", "REASON: why, for the log",
			},
			Examples: []string{`sabot-pit accept --config /etc/sabot/pit.yaml --table bj-1 --journal /media/bj-1/journal --by anna --why "disk restored after the fire"`},
		},
		flags: acceptFlags,
	},
}

func exportFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	var o store.ExportOptions
	var tables []string
	set.StringVar(&o.Format, "to", "", "the `format`: "+strings.Join(export.Formats(), ", "))
	set.Func("first", "the first gaming `day`, such as 2026-03-01", dateInto(&o.First))
	set.Func("last", "the last gaming `day`", dateInto(&o.Last))
	set.Func("table", "only this table, give it again for another: "+aTable, func(name string) error {
		tables = append(tables, name)
		return nil
	})
	set.BoolVar(&o.Force, "force", false, "replace an earlier export in the same place")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		switch {
		case len(args) != 1:
			return wrongUse{errors.New("export takes the file or folder to write; options come before it")}
		case !slices.Contains(export.Formats(), o.Format):
			return wrongUse{fmt.Errorf("export --to takes a format: %s", strings.Join(export.Formats(), ", "))}
		case o.First != 0 && o.Last != 0 && o.First > o.Last:
			return wrongUse{fmt.Errorf("the first day, %s, is after the last, %s", o.First, o.Last)}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		return exportTables(ctx, c, args[0], tables, o, log, out, terminal.NewBar(errOut, false))
	}
}

func witnessFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path, table := set.String("config", "", "the configuration `file` of the pit"),
		set.String("table", "", aTable)
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if len(args) != 1 || *table == "" {
			return wrongUse{errors.New("witness takes --config, --table and the file to write; options come before it")}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		return witnessTo(ctx, c, *table, args[0], "sabot-pit "+terminal.Version(), log, out)
	}
}

// onFile is what a command does with a configuration and a file.
type onFile func(ctx context.Context, c pit.Config, path string, log *slog.Logger, out io.Writer) error

func (does onFile) flags(takes string) func(*flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	return func(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
		path := set.String("config", "", "the configuration `file` of the pit")
		return func(ctx context.Context, args []string, out, errOut io.Writer) error {
			if len(args) != 1 {
				return wrongUse{errors.New(takes + "; options come before it")}
			}
			c, log, err := load(*path, errOut)
			if err != nil {
				return err
			}
			return does(ctx, c, args[0], log, out)
		}
	}
}

func backUp(ctx context.Context, c pit.Config, path string, log *slog.Logger, out io.Writer) error {
	return backUpTo(ctx, c, path, "sabot-pit "+terminal.Version(), log, out)
}

func dateInto(date *store.Date) func(string) error {
	return func(text string) (err error) {
		*date, err = store.ParseDate(text)
		return err
	}
}

func rebuildFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path, table := set.String("config", "", "the configuration `file` of the pit"),
		set.String("table", "", "only this table: "+aTable)
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if len(args) > 0 {
			return wrongUse{errors.New("rebuild takes --config and --table")}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		return rebuild(ctx, c, *table, log, out, terminal.NewBar(errOut, false))
	}
}

func acceptFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	table, journal := set.String("table", "", aTable),
		set.String("journal", "", "the `folder` of its journal")
	by, why := set.String("by", "", "the `person` who accepts it"), set.String("why", "", "the `reason`")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if len(args) > 0 || *table == "" || *journal == "" || *by == "" || strings.TrimSpace(*why) == "" {
			return wrongUse{errors.New("accept takes --config, --table, --journal, --by and --why")}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		return accept(ctx, c, *table, *journal, *by, *why, log, out, terminal.NewBar(errOut, false))
	}
}
