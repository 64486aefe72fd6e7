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
	"github.com/sabot-table/sabot/table/audit/witness"
)

// witnessTo writes what the database knows of a table's journals to a new file, for an auditor.
func witnessTo(ctx context.Context, c pit.Config, table, path, program string, log *slog.Logger, out io.Writer) error {
	name, err := named(c, table)
	if err != nil {
		return err
	}
	return onStore(ctx, c, log, func(s *store.Store) error {
		known, err := s.WitnessOf(ctx, name)
		if err != nil {
			return err
		}
		known.Program = program
		if err := writeNew(path, 0o640, func(to io.Writer) error { return witness.Write(to, known) }); err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s: %s, %s\n", path, name, counted(known))
		return err
	})
}

// writeNew makes a file that was not there, and leaves none where it could not be written.
func writeNew(path string, mode os.FileMode, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

func counted(known *witness.Export) string {
	heads, starts := 0, 0
	for i := range known.Journals {
		heads, starts = heads+len(known.Journals[i].Heads), starts+len(known.Journals[i].Starts)
	}
	return fmt.Sprintf("%d journals, %d heads, %d starts", len(known.Journals), heads, starts)
}
