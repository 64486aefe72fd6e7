package daemon

import (
	"context"
	"os"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/update"
	"github.com/sabot-table/sabot/table/vocab"
)

// WithUpdates is an Option for a table that is updated by root's part, whose folder it is: what came of updates goes on record.
func WithUpdates(folder string) Option { return func(d *Daemon) { d.updates = folder } }

// updatesEvery is how often the daemon looks whether an update has come to an end: it may end after the table has started.
const updatesEvery = 20 * time.Second

// recordUpdates puts on record what came of updates, each once, until ctx ends.
func (d *Daemon) recordUpdates(ctx context.Context) {
	if d.updates == "" {
		return
	}
	said := ""
	for {
		err := d.recordNewUpdates(ctx)
		switch {
		case err == nil || ctx.Err() != nil:
			said = ""
		case err.Error() != said:
			said = err.Error()
			d.log.Error("what came of updates could not be put on record", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(updatesEvery):
		}
	}
}

// recordNewUpdates records the notes that are newer than the last one on record. A kill between the record and what is kept of
// it has a note recorded twice, and never not at all.
func (d *Daemon) recordNewUpdates(ctx context.Context) error {
	notes, err := update.Notes(d.updates)
	if os.IsNotExist(err) || len(notes) == 0 {
		return err
	}
	file := keptFile[uint64]{
		path:    d.config.Journal.Path + ".updates",
		unread:  ", which says what is on record of updates, cannot be read",
		without: "what is known of updates then goes on record again",
	}
	last, err := file.load()
	if err != nil {
		return err
	}
	for _, n := range notes {
		if n.N <= last {
			continue
		}
		in := from(vocab.FromProgram, "", vocab.Input{Kind: vocab.InNote, Code: n.Words(), By: n.Who})
		in.ShowTexts()
		if _, err := d.runner.Submit(ctx, in); err != nil {
			return err
		}
		if err := file.keep(n.N); err != nil {
			return err
		}
	}
	return nil
}
