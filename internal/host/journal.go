package host

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// WithNewJournal is an Option for a table whose journal is expected to be new: no warning is
// logged for it.
func WithNewJournal() Option { return func(d *Daemon) { d.given.fresh = true } }

// openJournal opens the table's journal. The doubts that it finds are put in before anything
// else, and hold the table until a supervisor decides. parts are what a look at its parts has found.
func (d *Daemon) openJournal(parts securefile.Looks) (doubts []vocab.Input, err error) {
	c := d.config.Journal
	folder := filepath.Dir(c.Path)
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return nil,
			fmt.Errorf("the folder %s, in which the journal is kept, does not exist: make it with `install -d -o "+
				"sabot %s`, or change journal.path", folder, folder)
	}
	key, err := d.journalKey()
	if err != nil {
		return nil, err
	}
	heard, err := d.loadHeard()
	if err != nil {
		return nil, err
	}
	used := d.usedBefore()
	d.kept.journal, err = d.openSealed(journal.Options{
		Program: "sabotd " + d.program.version, Key: key, DayBegins: time.Duration(c.DayBegins), Heard: heard,
		Used:   used,
		Looked: parts,
		Synced: d.program.metrics.Sync,
		Warn:   func(what string, err error) { d.log.Error(what, "err", err) },
	})
	if err != nil {
		return nil, err
	}
	if d.given.notesAuditKey {
		d.remindOfAuditKey()
	}
	d.lookAway()
	d.kept.putAway.before = d.kept.putAway.now.Load()
	doubts = d.reportOpening(d.kept.journal.Opening())
	for _, found := range d.kept.journal.Found() {
		d.log.Error("SOMEBODY HAS CHANGED THE JOURNAL'S FILES WHILE THE TABLE WAS STOPPED: keep the folder as it "+
			"is, and have it audited",
			"found", found)
		doubts = append(doubts, runner.Doubt(vocab.StorageTouched, found))
	}
	if o := d.kept.journal.Opening(); o.New && o.Former == nil && used {
		const found = "there is no journal, and this table was used before"
		d.log.Error("A NEW JOURNAL WAS BEGUN, AND THE ONE BEFORE IS GONE", "journal", d.kept.journal.ID(),
			"found", found)
		doubts = append(doubts, runner.Doubt(vocab.StorageNew, found))
	}
	return doubts, nil
}

// journalKey is the key that seals the journal, nil for none. A table with a broker makes its own, and says so: its
// public half is the auditor's.
func (d *Daemon) journalKey() (ed25519.PrivateKey, error) {
	c := d.config.Journal
	key, made, lost, err := c.KeyOrNew()
	if lost != nil && err == nil {
		d.lostKey(lost.Error())
	}
	if made && err == nil {
		d.tellNewKey(key)
	}
	return key, err
}

func (d *Daemon) tellNewKey(key ed25519.PrivateKey) {
	d.log.Warn("the table has made the key that seals its journal: give its line to the auditor",
		"file", d.config.Journal.KeyFile, "line", journal.PublicLine(key.Public().(ed25519.PublicKey)))
}

// lostKey says that the table has another key than the one that it had made.
func (d *Daemon) lostKey(why string) {
	d.log.Error("THE KEY THAT THE TABLE HAD MADE IS LOST: it has made another, and sets aside what the lost one "+
		"has sealed", "err", why)
	d.kept.unusable = append(d.kept.unusable, filepath.Base(d.config.Journal.KeyFile)+
		" was not the key that the table had made: it has made another")
}

// openSealed opens the journal. Where it is sealed and the key that the table had made is gone, the table makes
// another: the journal is then set aside, as under any other key.
func (d *Daemon) openSealed(o journal.Options) (*journal.Journal, error) {
	c := d.config.Journal
	j, err := d.given.outside.openJournal(c.Path, o)
	if errors.Is(err, journal.ErrSealed) && c.KeyUnmade() {
		if o.Key, err = c.NewKey(); err != nil {
			return nil, err
		}
		d.lostKey(c.KeyFile + " is missing")
		d.tellNewKey(o.Key)
		j, err = d.given.outside.openJournal(c.Path, o)
	}
	if o.Key == nil && err == nil {
		d.log.Warn("the journal is not sealed: nobody can prove later that it was not rewritten, and whoever may " +
			"write to the broker can hold the table, until journal.key_file is set")
	}
	return j, err
}

// usedBefore reports whether the table has left other files next to its journal: memories, or what was put aside in
// their place. Its key shows nothing, since a start that finds the path wrong has made one before.
func (d *Daemon) usedBefore() bool {
	path := d.config.Journal.Path
	for _, kept := range config.Memories {
		if _, err := os.Lstat(path + kept); err == nil {
			return true
		}
	}
	aside, _ := filepath.Glob(path + ".*" + securefile.AsideEnd + "*")
	return len(aside) > 0
}

// reportOpening logs what is new about the journal, and returns the doubts.
func (d *Daemon) reportOpening(o journal.Opening) (doubts []vocab.Input) {
	if o.Dropped > 0 {
		d.log.Warn("the journal's last write was interrupted, as by a power cut: nothing of it was ever acknowledged",
			"bytes", o.Dropped)
	}
	if o.Behind != "" {
		d.log.Error("THE JOURNAL LACKS WHAT THE PIT HAS HEARD OF: numbers continue above that", "found", o.Behind)
		doubts = append(doubts, runner.Doubt(vocab.StorageBehind, o.Behind))
	}
	switch {
	case o.Former != nil:
		d.log.Error("A NEW JOURNAL WAS BEGUN IN THE PLACE OF ONE THAT DOES NOT FIT: keep the one that was set "+
			"aside, and have it audited",
			"journal", d.kept.journal.ID(), "found", o.Former.Why,
			"former", o.Former.Journal, "record", o.Former.Record, "hash", o.Former.Hash, "folder", o.Former.Folder)
		doubts = append(doubts, runner.Doubt(vocab.StorageNew, o.Former.Found()))
	case o.New && d.given.fresh:
		d.log.Info("a new journal was begun", "journal", d.kept.journal.ID())
	case o.New:
		d.log.Warn("a new journal was begun: there was none", "journal", d.kept.journal.ID(), "folder",
			d.kept.journal.Path())
	}
	return doubts
}

// tidyEvery is how often finished parts of the journal are checked. They are compressed and
// moved after days, so it matters little.
const tidyEvery = 10 * time.Minute

// tidy compresses finished parts and moves them to the archive, off the dealing path, until
// ctx ends.
func (d *Daemon) tidy(ctx context.Context) {
	c := d.config.Journal
	keep := journal.Keep{PackDays: c.PackDays, Archive: c.Archive, KeepDays: c.KeepDays, FreeMin: uint64(c.FreeMin)}
	if d.pit == nil {
		keep.NoPublisher = true
	} else {
		keep.Publishers = []string{publish.CursorName}
	}
	if err := d.kept.journal.Inspect(ctx); err != nil && ctx.Err() == nil {
		d.log.Error("the journal's parts could not be looked at: look at the disk, and run sabot journal verify",
			"err", err)
	}
	for said := ""; ; {
		said = d.tidied(d.kept.journal.Tidy(ctx, keep), said)
		d.lookAway()
		select {
		case <-ctx.Done():
			return
		case <-time.After(tidyEvery):
		}
	}
}

// putAway is the record after which the journal's folder begins, now and at the start. It is kept in memory: what is
// told to the pit must not wait for a disk.
type putAway struct {
	before uint64
	now    atomic.Uint64
}

// lookAway looks where the journal's folder begins.
func (d *Daemon) lookAway() {
	record, err := d.kept.journal.Begins()
	if err != nil {
		d.log.Error("it cannot be told where the journal's folder begins; sabot journal verify says more", "err", err)
		return
	}
	d.kept.putAway.now.Store(record)
}

// tidied logs why parts could not be compressed or moved, once for each cause.
func (d *Daemon) tidied(err error, said string) string {
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return ""
	case err.Error() == said:
	case errors.Is(err, journal.ErrShort):
		d.log.Warn("LITTLE SPACE IS LEFT FOR THE JOURNAL, and nothing more can be moved away: make space, or name "+
			"an archive in journal.archive", "err", err)
	default:
		d.log.Error("finished parts of the journal could not be put away; they stay where they are", "err", err)
	}
	return err.Error()
}
