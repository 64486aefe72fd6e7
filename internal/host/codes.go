package host

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/sabot-table/sabot/table/journal"
)

// moveKey has the disk forget the keys of the journal's codes at the end of each round, off the dealing path, until ctx
// ends. It logs a failing disk once, until the disk works again.
func (d *Daemon) moveKey(ctx context.Context) {
	failed := false
	for {
		changed := d.kept.journal.Changed()
		if d.kept.journal.KeyDue() {
			err := d.kept.journal.MoveKey()
			if err != nil && !failed {
				d.log.Error("the key of the journal's codes stays where it was, and whoever takes it could rewrite "+
					"more than it need be; look at the disk", "err", err)
			}
			failed = err != nil
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		if ctx.Err() != nil {
			return // a journal that is closed changes at once, again and again
		}
	}
}

// WithAuditKeyNoted has a start warn while the audit key lies at the table: in a demonstration nobody takes it.
func WithAuditKeyNoted() Option { return func(d *Daemon) { d.given.notesAuditKey = true } }

// remindOfAuditKey warns while the key with which everything could be written anew lies at the table.
func (d *Daemon) remindOfAuditKey() {
	path := d.config.Journal.Path + journal.AuditKeyEnd
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		d.log.Warn("the audit key of the journal lies at the table still: take it to the house with `sabot key "+
			"audit`, which removes it here", "file", path)
	}
}
