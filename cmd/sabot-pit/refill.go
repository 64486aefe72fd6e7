package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// refill fetches from the tables what the database lacks, says on out how far it is, and ends once it has all
// that the tables have. Tables that are offline are not waited for. It may run while no sabot-pit does.
func refill(ctx context.Context, c pit.Config, log *slog.Logger, out io.Writer) error {
	p, err := pit.Open(ctx, c, log)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- p.Run(running) }()
	err = fillFrom(ctx, p, ended, out)
	stop()
	return errors.Join(err, <-ended, p.Close())
}

const (
	// fillQuiet is how long nothing new may be to be fetched before all is fetched: until the next health of a table.
	fillQuiet = topic.HealthEvery + 2*time.Second
	// fillShow is how often the progress is shown.
	fillShow = 2 * time.Second
)

func fillFrom(ctx context.Context, p *pit.Pit, ended chan error, out io.Writer) error {
	look := time.NewTicker(fillShow / 4)
	defer look.Stop()
	quietSince, shown := time.Now(), time.Time{}
	for {
		select {
		case <-look.C:
		case err := <-ended:
			ended <- nil
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
		complete, lacking := count(p.Progress())
		if len(lacking) > 0 {
			quietSince = time.Now()
		}
		if time.Since(shown) >= fillShow {
			shown = time.Now()
			say(out, complete, lacking)
		}
		if time.Since(quietSince) < fillQuiet {
			continue
		}
		if complete == 0 {
			return errors.New("no table was heard: check that the broker and the tables run, and that site is right")
		}
		_, err := fmt.Fprintf(out, "complete: the database has all records of %d tables\n", complete)
		return err
	}
}

// count says how many tables are complete, and which lack something.
func count(all []replica.Progress) (complete int, lacking []replica.Progress) {
	for _, t := range all {
		switch {
		case t.Complete():
			complete++
		case t.Head != replica.Position{}:
			lacking = append(lacking, t)
		}
	}
	slices.SortFunc(lacking, func(a, b replica.Progress) int { return cmp.Compare(a.Table.String(), b.Table.String()) })
	return complete, lacking
}

func say(out io.Writer, complete int, lacking []replica.Progress) {
	fmt.Fprintf(out, "%d tables complete", complete)
	for i, t := range lacking {
		if i == 5 {
			fmt.Fprintf(out, ", and %d more are not", len(lacking)-i)
			break
		}
		fmt.Fprintf(out, ", %s %d of %d records", t.Table.Name(), t.Has.Record, t.Head.Record)
		if t.Missing != "" {
			fmt.Fprintf(out, " (%s)", t.Missing)
		}
	}
	fmt.Fprintln(out)
}

// refillFrom fills in what the database lacks of a journal from its folder, such as one that was set aside, and
// compares both.
func refillFrom(ctx context.Context, c pit.Config, table, folder string, log *slog.Logger, out io.Writer,
	progress *terminal.Bar,
) error {
	return onJournal(ctx, c, table, folder, log, func(s *store.Store, name topic.Table, r *journal.Reader) error {
		if !slices.Contains(c.Heard(), name.Site()) {
			return fmt.Errorf("this pit does not hear site %q: name a table of %s", name.Site(),
				strings.Join(c.Heard(), ", "))
		}
		err := s.Refill(ctx, name, r, progress.Show)
		progress.Clear()
		if err != nil {
			return err
		}
		_, err = compare(ctx, s, name, r, out, progress)
		return err
	})
}

// compareJournal compares a journal's folder with what the database has of it, byte for byte, and with what the table
// has told.
func compareJournal(ctx context.Context, c pit.Config, table, folder string, log *slog.Logger, out io.Writer,
	progress *terminal.Bar,
) error {
	return onJournal(ctx, c, table, folder, log, func(s *store.Store, name topic.Table, r *journal.Reader) error {
		found, err := compare(ctx, s, name, r, out, progress)
		if err != nil {
			return err
		}
		if len(found.Lost) > 0 {
			return fmt.Errorf("the folder lacks records from %d on, and the table has not told that they were moved "+
				"away: unless this is an older copy, its end was cut off or parts were removed; "+
				"keep it as it is, audit it with sabot journal audit --witness, and find out who had the table's "+
				"disk; sabot-pit accept follows the folder", found.Lost[0])
		}
		return unseen(ctx, s, name, r.ID())
	})
}

func onJournal(ctx context.Context, c pit.Config, table, folder string, log *slog.Logger,
	does func(*store.Store, topic.Table, *journal.Reader) error,
) (err error) {
	name, err := named(c, table)
	if err != nil {
		return err
	}
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	return onStore(ctx, c, log, func(s *store.Store) error { return does(s, name, r) })
}

// compare says what differs between a journal and what is kept of it.
func compare(ctx context.Context, s *store.Store, table topic.Table, r *journal.Reader, out io.Writer,
	progress *terminal.Bar,
) (store.Checked, error) {
	found, err := s.Check(ctx, table, r, progress.Show)
	progress.Clear()
	if err != nil {
		return found, err
	}
	fmt.Fprintf(out, "%s: %d records of journal %s are kept, byte for byte\n", table, found.Records, r.ID())
	if found.Pruned > 0 {
		fmt.Fprintf(out, "those up to %d were removed from the database by its retention\n", found.Pruned)
	}
	if len(found.Extra) > 0 {
		fmt.Fprintf(out,
			"the database has records from %d on that the folder has not: it was rolled back, or its older parts "+
				"are in an archive\n", found.Extra[0])
	}
	if !found.Same() {
		return found,
			fmt.Errorf("the database differs from the folder: %d records are missing and %d are others, the first "+
				"of them %d; audit the folder with sabot journal audit, and find out which of the two was changed; "+
				"sabot-pit refill fills in what is missing, sabot-pit accept follows the folder",
				found.AllMissing, found.AllDiffer, slices.Min(append(found.Missing, found.Differ...)))
	}
	return found, nil
}

// unseen names what nobody saw happen to a journal, and nobody has accepted.
func unseen(ctx context.Context, s *store.Store, table topic.Table, id string) error {
	all, err := s.Findings(ctx)
	if err != nil {
		return err
	}
	for _, f := range all { // the latest first
		if f.Table != table || f.Journal != id {
			continue
		}
		switch f.Kind {
		case "accepted":
			return nil
		case store.UnseenCursor, store.UnseenAway:
			return errors.New(f.Text)
		}
	}
	return nil
}
