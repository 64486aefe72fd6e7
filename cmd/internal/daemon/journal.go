package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
)

// openJournal opens the table's journal. What it finds to be in doubt is put in before
// anything else, and holds the table until a supervisor decides.
func (d *Daemon) openJournal() (doubts []table.Input, err error) {
	c := d.config.Journal
	folder := filepath.Dir(c.Path)
	if _, err := os.Stat(folder); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("the folder %s, in which the journal is kept, is not there: make it with `install -d -o sabot %s`, or change journal.path", folder, folder)
	}
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if key == nil {
		d.log.Warn("the journal is not sealed: nobody can prove later that it was not written anew, until journal.key_file is set")
	}
	heard, err := d.loadHeard()
	if err != nil {
		return nil, err
	}
	d.journal, err = journal.Open(c.Path, journal.Options{
		Program: "sabotd " + d.version, Key: key, DayBegins: time.Duration(c.DayBegins), Heard: heard,
		Warn: func(what string, err error) { d.log.Error(what, "err", err) },
	})
	if err != nil {
		return nil, err
	}
	return d.tellOpening(d.journal.Opening()), nil
}

// tellOpening says loudly what is new about the journal.
func (d *Daemon) tellOpening(o journal.Opening) (doubts []table.Input) {
	if o.Dropped > 0 {
		d.log.Warn("the journal's last write was cut off, as by a power cut: nothing of it was ever acknowledged", "bytes", o.Dropped)
	}
	if o.Behind != "" {
		d.log.Error("THE JOURNAL LACKS WHAT THE PIT HAS HEARD OF: numbers go on above", "found", o.Behind)
		doubts = append(doubts, runner.Doubt(table.StorageBehind, o.Behind))
	}
	switch {
	case o.Former != nil:
		d.log.Error("A NEW JOURNAL WAS BEGUN IN THE PLACE OF ONE THAT DOES NOT FIT", "journal", d.journal.ID(), "found", o.Former.Why,
			"former", o.Former.Journal, "record", o.Former.Record, "hash", o.Former.Hash, "folder", o.Former.Folder)
		doubts = append(doubts, runner.Doubt(table.StorageNew, o.Former.Why))
	case o.New:
		d.log.Warn("a new journal was begun: there was none", "journal", d.journal.ID(), "folder", d.journal.Path())
	}
	return doubts
}
