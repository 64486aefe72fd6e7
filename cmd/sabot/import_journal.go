package main

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/cmd/internal/bar"
	"github.com/sabot-table/sabot/cmd/internal/sqlitejournal"
	"github.com/sabot-table/sabot/cmd/internal/visible"
	"github.com/sabot-table/sabot/table/journal"
)

// formerFormat says of a new journal which format the old one had.
const formerFormat = "taken over from the first format, an SQLite file"

// importFlags are the flags and arguments of sabot import-journal.
type importFlags struct {
	key, sealing, from, to string
}

func parseImport(args []string, e env) (f importFlags, err error) {
	set := flag.NewFlagSet("import-journal", flag.ContinueOnError)
	set.StringVar(&f.key, "key", "", "the `file` with the line that sabot journal-key printed for the table: the old seals must be by this key")
	set.StringVar(&f.sealing, "sealing-key", "", "the key `file` with which the table seals its journal: the new one is sealed with it")
	if err := parse(set, args, e); err != nil {
		return f, err
	}
	if set.NArg() != 2 {
		return f, errUsage("import-journal takes the old journal's file, and the folder to make; options come before them")
	}
	f.from, f.to = set.Arg(0), set.Arg(1)
	return f, nil
}

// keys reads both keys; one that was not given is nil.
func (f *importFlags) keys() (public ed25519.PublicKey, private ed25519.PrivateKey, err error) {
	if f.key != "" {
		if public, err = journal.ReadPublicFile(f.key); err != nil {
			return nil, nil, err
		}
	}
	if f.sealing != "" {
		private, err = journal.ReadKeyFile(f.sealing)
	}
	return public, private, err
}

// importJournal imports a journal of the first format, which was one SQLite file. It
// writes either the whole journal or nothing, and only reads the old file.
func importJournal(ctx context.Context, args []string, e env) error {
	return importInto(ctx, args, e, beginLog)
}

func importInto(ctx context.Context, args []string, e env, begin beginSink) error {
	f, err := parseImport(args, e)
	if err != nil {
		return err
	}
	progress := bar.New(visible.Raw(e.err), false)
	taken, err := f.run(ctx, begin, progress.Show)
	progress.Clear()
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	_, err = fmt.Fprintf(e.out, "%s holds all of %s: %d records, %d events, %d boots, %d seals\n"+
		"the old chain, computed again from the new journal, ends with the same hash: record %d, hash %x\n"+
		"name the folder in the configuration as journal.path, and keep the old file for the auditor\n",
		f.to, f.from, taken.Records, taken.Events, taken.Boots, taken.Seals, taken.Records, taken.Hash)
	return err
}

func (f *importFlags) run(ctx context.Context, begin beginSink, progress func(done, total uint64)) (taken sqlitejournal.Checked, err error) {
	public, private, err := f.keys()
	if err != nil {
		return taken, err
	}
	if err := vacant(f.to); err != nil {
		return taken, err
	}
	old, err := sqlitejournal.Open(ctx, f.from)
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	if taken, err = old.Verify(ctx, public, progress); err != nil {
		return taken, err
	}
	draft, err := os.MkdirTemp(filepath.Dir(f.to), "."+filepath.Base(f.to)+".import-")
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(draft)) }()
	folder := filepath.Join(draft, "journal")
	sink, err := begin(folder, journal.Former{
		Journal: old.ID(), Record: taken.Records, Event: taken.Events, Hash: hex.EncodeToString(taken.Hash[:]), Why: formerFormat,
	}, private)
	if err != nil {
		return taken, err
	}
	i := importing{old: old, taken: taken, sink: sink, progress: progress}
	if err := i.run(ctx); err != nil {
		return taken, err
	}
	return taken, settleFolder(folder, f.to)
}

// vacant refuses a path that exists.
func vacant(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		return fmt.Errorf("%s already exists and was not touched: give the name of a folder that does not exist", path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// settleFolder moves the finished journal into place, durably. Only its owner may enter it.
func settleFolder(from, to string) error {
	if err := vacant(to); err != nil {
		return err
	}
	if err := os.Chmod(from, 0o700); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	above, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(above.Sync(), above.Close())
}
