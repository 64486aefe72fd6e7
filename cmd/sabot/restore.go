package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/internal/ops/backup"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// restoreFlags are the flags of sabot restore.
type restoreFlags struct {
	identity, key, noted string
	houses               []string
	target               backup.Target
	request              backup.Request
}

// restoreTable puts a table back on a new card.
func restoreTable(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f restoreFlags
	set.StringVar(&f.request.File, "config", usualConfig, "the `file` that the configuration becomes")
	set.StringVar(&f.identity, "identity", "", "the `file` with the age identity that opens the sealed keys")
	set.StringVar(&f.key, "key", "",
		"the `file` with the line that sabot key journal printed for this table: the backup and its journal must be "+
			"by this key")
	set.StringVar(&f.noted, "noted", "", "`number:hash` of the last record that the pit shows for this table")
	several(set, &f.houses, "house", "a house's own `file` whose rules were played; may be given several times")
	several(set, &f.request.Folders, "folder",
		"another `folder` of the table's own, besides that of the configuration "+
			"and "+usualFolder+": nothing is written outside of them; may be given several times")
	set.Uint64Var(&f.request.Number, "generation", 0, "the `number` of the generation; default: the newest")
	set.BoolVar(&f.request.CheckOnly, "check", false,
		"write nothing and ask nobody: only judge the backup as a restore does")
	set.BoolVar(&f.request.Although, "although-the-pit-may-have-more", false,
		"restore a journal although the pit has heard of more, or could not be asked")
	set.BoolVar(&f.request.Anyones, "although-anybody-may-have-made-it", false,
		"restore a backup although no key says that this table has made it")
	set.BoolVar(&f.request.Despite, "despite-faults", false, "restore a journal in which the audit finds faults")
	targetFlags(set, &f.target)
	var err error
	if f.target.Name, err = one(set, args, "backup", e); err != nil {
		return err
	}
	if err := f.fill(); err != nil {
		return err
	}
	place, closing, err := f.target.Find(ctx)
	if err != nil {
		return err
	}
	progress := terminal.NewBar(terminal.Raw(e.err), false)
	f.request.Progress, f.request.Ask = progress.Show, askPit
	done, err := place.Restore(ctx, f.request)
	progress.Clear()
	if err = errors.Join(err, closing()); err != nil {
		if f.request.CheckOnly && done.Audit != nil {
			err = errors.Join(tellAudit(e, &done), err)
		}
		return err
	}
	if f.request.CheckOnly {
		return tellChecked(e, place, &done)
	}
	return tellRestored(e, place, &done, f.request.File)
}

// usualFolder is where a table keeps its journal and its keys, if nothing else is written.
var usualFolder = filepath.Dir(config.Default().Journal.Path)

// fill reads the files that the flags name.
func (f *restoreFlags) fill() (err error) {
	r := &f.request
	r.Folders = append(r.Folders, usualFolder)
	if f.identity != "" {
		if r.Identities, err = backup.Identities(f.identity); err != nil {
			return err
		}
	}
	if f.key != "" {
		if r.Key, err = journal.ReadPublicFile(f.key); err != nil {
			return err
		}
	}
	if f.noted != "" {
		if r.Noted, err = parseNote(f.noted); err != nil {
			return err
		}
	}
	r.Houses = profile.Built()
	for _, file := range f.houses {
		book, _, err := r.Houses.Load(file)
		if err != nil {
			return unusable(err)
		}
		r.Houses = book
	}
	return nil
}

// askPatience is how long a broker may take to say what it remembers of a table.
const askPatience = 10 * time.Second

// askPit asks the table's broker what it last heard of the table.
func askPit(ctx context.Context, c config.Config, password, authorities string) (publish.Remembered, error) {
	broker, err := brokerBeside(c, password, "-restore")
	if err != nil {
		return publish.Remembered{}, err
	}
	broker.CAFile, broker.AckTimeout = authorities, askPatience
	return publish.Recall(ctx, broker)
}

// tellChecked says what a backup has.
func tellChecked(e env, place *backup.Place, r *backup.Restored) error {
	fmt.Fprintf(e.out,
		"%s: generation %d of table %s, %s, is whole: every file reads as it was written\nsigned by %s\n",
		place.Name, r.Number, r.Table, r.At.Format(time.RFC3339), byKey(&r.Generation))
	if r.Here != nil {
		fmt.Fprintf(e.out, "ONTO THIS COMPUTER IT WOULD NOT BE RESTORED: %v\n", r.Here)
	}
	return tellAudit(e, r)
}

func tellAudit(e env, r *backup.Restored) error {
	if err := r.Audit.WriteText(e.out, "journal", false); err != nil {
		return err
	}
	if !r.Audit.Well() {
		return errNotWell
	}
	return nil
}

// tellRestored says what was written, and what is left to do.
func tellRestored(e env, place *backup.Place, r *backup.Restored, file string) error {
	fmt.Fprintf(e.out,
		"table %s is back from generation %d of %s, %s, signed by %s\njournal %s up to record %d, hash %s\n%s\n%d "+
			"files were written\n",
		r.Table, r.Number, place.Name, r.At.Format(time.RFC3339), byKey(&r.Generation), r.Folder, r.Journal.Record,
		r.Journal.Hash, r.Pit, len(r.Written))
	if r.Before != "" {
		fmt.Fprintf(e.out, "the configuration that was here is now %s\n", r.Before)
	}
	if r.Behind {
		fmt.Fprintln(e.out, "THE PIT HAS OR MAY HAVE MORE: if so, the table is held until a supervisor decides")
	}
	for _, m := range r.Missing {
		fmt.Fprintf(e.out, "NOT IN THE BACKUP: %s\n", m)
	}
	_, err := fmt.Fprintf(e.out,
		"never use the old card again at this table; now: sabot config check %s, and start sabotd\n", file)
	return err
}
