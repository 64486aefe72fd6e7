package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// onStore opens the database for a command that looks after it.
func onStore(ctx context.Context, c pit.Config, log *slog.Logger, does func(*store.Store) error) (err error) {
	s, err := pit.OpenStore(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return does(s)
}

// known are the tables of these names of which something is kept, all of them without names.
func known(ctx context.Context, c pit.Config, s *store.Store, names []string) (list []topic.Table, err error) {
	all, err := s.Tables(ctx)
	if err != nil || len(names) == 0 {
		return all, err
	}
	for _, name := range names {
		table, err := named(c, name)
		switch {
		case err != nil:
			return nil, err
		case !slices.Contains(all, table):
			return nil, fmt.Errorf("the database has nothing of table %q of site %s: fill it in with sabot-pit refill",
				table.Name(), table.Site())
		}
		list = append(list, table)
	}
	return list, nil
}

// named is the table that somebody names: SITE/NAME, or NAME for one of the pit's own site.
func named(c pit.Config, text string) (topic.Table, error) {
	site, name, other := strings.Cut(text, "/")
	if !other {
		site, name = c.Site, text
	}
	return topic.NewTable(site, name)
}

// exportTables writes rounds, wagers and irregularities as tables to a path; of these tables, or of all.
func exportTables(ctx context.Context, c pit.Config, path string, tables []string, o store.ExportOptions,
	log *slog.Logger, out io.Writer, progress *terminal.Bar,
) error {
	return onStore(ctx, c, log, func(s *store.Store) (err error) {
		if o.Tables, err = known(ctx, c, s, tables); err != nil {
			return err
		}
		o.Progress = func(done, rounds int64) { progress.Show(uint64(done), uint64(rounds)) }
		counts, err := s.Export(ctx, path, o)
		progress.Clear()
		if err != nil {
			return fmt.Errorf("nothing was exported: %w", err)
		}
		_, err = fmt.Fprintf(out, "%s: %d rounds, %d wagers, %d irregularities\n", path, counts.Rounds, counts.Wagers,
			counts.Irregularities)
		return err
	})
}

// rebuild recomputes the figures of a table from its records, or with "" those of all tables.
func rebuild(ctx context.Context, c pit.Config, table string, log *slog.Logger, out io.Writer,
	progress *terminal.Bar,
) error {
	return onStore(ctx, c, log, func(s *store.Store) error {
		var names []string
		if table != "" {
			names = []string{table}
		}
		tables, err := known(ctx, c, s, names)
		if err != nil {
			return err
		}
		for i, table := range tables {
			progress.Show(uint64(i), uint64(len(tables)))
			if err := s.Rebuild(ctx, table); err != nil {
				progress.Clear()
				return fmt.Errorf("the figures of %s stay as they were: %w", table, err)
			}
		}
		progress.Clear()
		_, err = fmt.Fprintf(out, "the figures of %d tables are made anew from their records\n", len(tables))
		return err
	})
}

// mostDiffer is how many differences are printed.
const mostDiffer = 20

// compareFigures recomputes all figures from the records, and compares them with those that are kept.
func compareFigures(ctx context.Context, c pit.Config, log *slog.Logger, out io.Writer, progress *terminal.Bar) error {
	return onStore(ctx, c, log, func(s *store.Store) error {
		tables := 0
		differ, err := s.Compare(ctx, func(done, all int) {
			tables = all
			progress.Show(uint64(done), uint64(all))
		})
		progress.Clear()
		if err != nil {
			return err
		}
		for i, one := range differ {
			if i == mostDiffer {
				fmt.Fprintf(out, "and %d more\n", len(differ)-i)
				break
			}
			fmt.Fprintln(out, one)
		}
		if len(differ) > 0 {
			return fmt.Errorf("%d rows of the figures do not follow from the records: find out who changed them, "+
				"and recompute them with sabot-pit rebuild", len(differ))
		}
		_, err = fmt.Fprintf(out, "all figures of %d tables follow from their records\n", tables)
		return err
	})
}

// accept follows what a table's journal has become, as a person has decided.
func accept(ctx context.Context, c pit.Config, table, folder, by, why string, log *slog.Logger, out io.Writer,
	progress *terminal.Bar,
) error {
	return onJournal(ctx, c, table, folder, log, func(s *store.Store, name topic.Table, r *journal.Reader) error {
		if err := mayAccept(ctx, s, by); err != nil {
			return err
		}
		done, err := s.Accept(ctx, store.Acceptance{Table: name, By: by, From: atConsole().From, Why: why}, r,
			progress.Show)
		progress.Clear()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: journal %s is followed as it is; %s accepts it\n", name, r.ID(), by)
		if done.Former != "" {
			fmt.Fprintf(out, "records %d to %d of its former branch are kept as journal %s\n", done.First, done.Last,
				done.Former)
		}
		_, err = compare(ctx, s, name, r, out, progress)
		return err
	})
}

// mayAccept refuses whoever does not look after rounds or tables.
func mayAccept(ctx context.Context, s *store.Store, name string) error {
	all, err := people.New(people.Options{Store: s})
	if err != nil {
		return err
	}
	here, _, err := all.All(ctx)
	if err != nil {
		return err
	}
	for _, one := range here {
		if one.Name == name && one.Here() && one.Role != people.Viewer {
			return nil
		}
	}
	return fmt.Errorf("%q may not accept a journal: name a supervisor, a technician or a manager whom sabot-pit "+
		"person list shows", name)
}
