package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/ops/backup"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

const (
	usualRecipients = "/etc/sabot/backup.recipients"
	usualKeep       = 14
	mostKeep        = 1000
)

// backupFlags are the flags of sabot backup.
type backupFlags struct {
	config, recipients string
	bare, list         bool
	keep               int
	target             backup.Target
}

func targetFlags(set *flag.FlagSet, t *backup.Target) {
	set.StringVar(&t.SSHKey, "ssh-key", "", "the private key `file` for ssh; default: those of the user")
	set.StringVar(&t.KnownHosts, "ssh-known-hosts", "",
		"the `file` with the keys of the hosts that ssh may reach; default: that of the user")
}

// backupTable copies a table while it deals, or lists the copies.
func backupTable(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f backupFlags
	set.StringVar(&f.config, "config", usualConfig, "the table's configuration `file`")
	set.StringVar(&f.recipients, "recipients", "",
		"the `file` with the age recipients who may read the keys; default: "+usualRecipients+", if it is there")
	set.BoolVar(&f.bare, "without-keys", false, "leave keys, passwords and a configuration with hashes of PINs out")
	set.IntVar(&f.keep, "keep", usualKeep, "how many `generations` stay")
	set.BoolVar(&f.target.SameDisk, "same-disk", false, "allow a target on the disk that the journal is on")
	set.BoolVar(&f.list, "list", false, "list what the target has, and copy nothing")
	targetFlags(set, &f.target)
	var err error
	if f.target.Name, err = one(set, args, "target", e); err != nil {
		return err
	}
	switch {
	case f.keep < 1 || f.keep > mostKeep:
		return errUsage(fmt.Sprintf("--keep takes 1 to %d", mostKeep))
	case f.bare && f.recipients != "":
		return errUsage("--recipients and --without-keys exclude each other")
	case f.list:
		return f.show(ctx, e)
	}
	return f.takeBackup(ctx, e)
}

// to are the recipients of the secrets, none where they are left out.
func (f *backupFlags) to() ([]age.Recipient, error) {
	if f.bare {
		return nil, nil
	}
	path := f.recipients
	if path == "" {
		path = usualRecipients
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil,
				fmt.Errorf("nobody is named who may read the keys: make an identity with `age-keygen -o "+
					"backup.identity` on another machine, keep it in the safe, "+
					"and put its public line into %s; or say --without-keys", path)
		}
	}
	return backup.Recipients(path)
}

func (f *backupFlags) takeBackup(ctx context.Context, e env) error {
	c, err := loadConfig(f.config)
	if err != nil {
		return err
	}
	lock, err := backup.Lock(c.Journal.Path + config.BackupLock)
	if err != nil {
		return err
	}
	return errors.Join(f.locked(ctx, c, e), lock.Close())
}

// locked copies the table, and notes for its health what came of it.
func (f *backupFlags) locked(ctx context.Context, c config.Config, e env) error {
	s := backup.Source{
		Config: c, File: f.config, Houses: c.Houses(profile.Built()), Program: "sabot " + terminal.Version(),
		Now: time.Now(),
	}
	place, taken, err := f.copyTo(ctx, &s, e)
	noted := note(c.Journal.Path, place, &taken, err)
	if err == nil {
		err = tellTaken(e, place, &taken)
	}
	return errors.Join(err, noted)
}

// copyTo makes the backup.
func (f *backupFlags) copyTo(ctx context.Context, s *backup.Source, e env) (place *backup.Place, taken backup.Taken,
	err error,
) {
	to, err := f.to()
	if err != nil {
		return nil, taken, err
	}
	if s.Heard, err = heardOf(s.Config.Journal.Path); err != nil { // before the journal, which then has it
		return nil, taken, err
	}
	place, closing, err := f.target.Make(ctx, s.Config.Site, s.Config.Table, s.Config.Journal.Path)
	if err != nil {
		return nil, taken, err
	}
	progress := terminal.NewBar(terminal.Raw(e.err), false)
	taken, err = place.Take(ctx, *s, backup.Options{Keep: f.keep, Recipients: to, Progress: progress.Show})
	progress.Clear()
	return place, taken, errors.Join(place.Explain(err), closing())
}

// note remembers beside the journal when it was backed up, or why not. A copy of a journal with faults is no good one.
func note(journal string, place *backup.Place, t *backup.Taken, err error) error {
	if backup.Finished(err) && t.Audit.Well() {
		if wrong := health.BackupMade(journal,
			health.GoodBackup{At: t.At, To: place.Name, Generation: t.Number}); wrong != nil || err == nil {
			return wrong
		}
	}
	if err == nil {
		err = fmt.Errorf("the audit finds faults in the journal: generation %d in %s has it as it is", t.Number,
			place.Name)
	}
	return health.BackupFails(journal, time.Now(), err)
}

// tellTaken says what was written, and what is wrong with it.
func tellTaken(e env, place *backup.Place, t *backup.Taken) error {
	files := len(t.Generation.Parts) + len(t.Generation.Files)
	if t.Sealed != nil {
		files++
	}
	fmt.Fprintf(e.out,
		"%s: generation %d of table %s, read back and audited\njournal %s up to record %d, hash %s\n%d files in it; "+
			"%d of them were written now, %d bytes\n",
		place.Name, t.Number, t.Table, t.Journal.ID, t.Journal.Record, t.Journal.Hash, files, t.Files, t.Bytes)
	if t.Sealed != nil {
		fmt.Fprintf(e.out, "sealed for whoever has the identity: %s\n", strings.Join(t.Sealed.Roles, ", "))
	}
	if len(t.LeftOut) > 0 {
		fmt.Fprintf(e.out, "LEFT OUT, keep them elsewhere: %s\n", strings.Join(t.LeftOut, ", "))
	}
	for _, u := range t.Unread {
		fmt.Fprintf(e.err, "%s cannot be read, and nothing is removed until it is taken away: %v\n", u.File, u.Err)
	}
	if t.Audit.Well() {
		return nil
	}
	fmt.Fprintln(e.err, "THE JOURNAL HAS FAULTS: it was copied as it is, and no older generation was removed")
	if err := t.Audit.WriteText(e.err, place.Name, true); err != nil {
		return err
	}
	return errNotWell
}

// show lists the generations of a target.
func (f *backupFlags) show(ctx context.Context, e env) error {
	place, closing, err := f.target.Find(ctx)
	if err != nil {
		return err
	}
	list, unread, err := place.Generations()
	if err = errors.Join(err, closing()); err != nil {
		return err
	}
	for _, g := range list {
		with := "with its keys, sealed"
		if g.Sealed == nil {
			with = "without keys"
		}
		fmt.Fprintf(e.out, "generation %d  %s  %s/%s  journal %.8s up to record %d, %s\n", g.Number,
			g.At.Format(time.RFC3339), g.Site, g.Table, g.Journal.ID, g.Journal.Record, with)
	}
	for _, u := range unread {
		fmt.Fprintf(e.err, "%s cannot be used: %v\n", u.File, u.Err)
	}
	if len(unread) > 0 {
		return errNotWell
	}
	return nil
}

// byKey names the key that signed something.
func byKey(g *backup.Generation) string {
	if g.Key == nil {
		return "nobody"
	}
	return journal.PublicLine(g.Key)
}
