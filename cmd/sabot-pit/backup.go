package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/store"
)

// backUpTo writes what only the pit knows to a new file that nobody else can read: it has people's password hashes.
func backUpTo(ctx context.Context, c pit.Config, path, program string, log *slog.Logger, out io.Writer) error {
	return onStore(ctx, c, log, func(s *store.Store) error {
		rows := 0
		err := writeNew(path, 0o600, func(to io.Writer) (err error) {
			rows, err = s.BackUp(ctx, to, c.Site, program)
			return err
		})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s: %d rows: people, their log, alerts, the room, and what tables have told\n",
			path, rows)
		return err
	})
}

// restoreFrom reads such a file into a database that has nothing of the kind. The tables' records come from the tables.
func restoreFrom(ctx context.Context, c pit.Config, path string, log *slog.Logger, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return onStore(ctx, c, log, func(s *store.Store) error {
		rows, err := s.Restore(ctx, file, c.Site)
		if errors.Is(err, store.ErrNotEmpty) {
			return fmt.Errorf("%w: name a new database in store.source", err)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out,
			"%d rows are restored. Start sabot-pit: it fetches the records from the tables; what a table does not "+
				"have any more, fill in with sabot-pit refill\n", rows)
		return err
	})
}
