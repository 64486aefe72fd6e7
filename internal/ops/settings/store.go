package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// MostSnapshots is how many snapshots are kept; the oldest goes first.
const MostSnapshots = 30

// Snapshot is a configuration as it was before a change.
type Snapshot struct {
	// Number counts the changes, from 1. The clock of a table may jump; the number does not.
	Number uint64
	// Changed is when it was changed, by the table's clock.
	Changed time.Time

	name string
}

// Store is a configuration's file, with its snapshots beside it: sabot.yaml.0007.2026-11-23T123005Z is what it was
// before the seventh change.
type Store struct {
	name string
	disk disk.Disk
	// dress gives a new file the owner and the mode of the one that it replaces.
	dress func(draft string) error
	// regular refuses what is a link or a pipe: others than root may write to the folder.
	regular func(name string) error
	now     func() time.Time
}

// At is the store of a file.
func At(path string) *Store {
	folder := filepath.Dir(path)
	return &Store{
		name: filepath.Base(path), disk: disk.Folder(folder), now: time.Now,
		dress:   func(draft string) error { return dress(filepath.Join(folder, draft), path) },
		regular: func(name string) error { return regular(filepath.Join(folder, name)) },
	}
}

// first is the mode of a configuration that the table writes itself: it is for its owner and group.
const first fs.FileMode = 0o640

// dress gives a draft what the file has that it replaces.
func dress(draft, file string) error {
	was, err := os.Stat(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return securefile.Adopt(draft, was, first)
}

func regular(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: move what it is or leads to into its place", path)
	}
	return err
}

// Read returns the file's text, nil if there is no file.
func (s *Store) Read() ([]byte, error) {
	text, err := s.read(s.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

func (s *Store) read(name string) ([]byte, error) {
	if err := s.regular(name); err != nil {
		return nil, err
	}
	f, err := s.disk.Open(name)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, strictyaml.MaxSize+1))
	if err == nil && len(text) > strictyaml.MaxSize {
		err = fmt.Errorf("%s has more than %d bytes: it is not a configuration", name, strictyaml.MaxSize)
	}
	return text, errors.Join(err, f.Close())
}

var snapshotName = regexp.MustCompile(`^\.([0-9]{4,12})\.(\d{4}-\d\d-\d\dT\d{6}Z)$`)

const snapshotTime = "2006-01-02T150405Z"

// History lists the snapshots, the newest first. Without any, and without the file, the error is fs.ErrNotExist: it has
// another name.
func (s *Store) History() (all []Snapshot, err error) {
	names, err := s.disk.List()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		rest, mine := bytes.CutPrefix([]byte(name), []byte(s.name))
		parts := snapshotName.FindSubmatch(rest)
		if !mine || parts == nil {
			continue
		}
		number, err := strconv.ParseUint(string(parts[1]), 10, 64)
		at, wrong := time.Parse(snapshotTime, string(parts[2]))
		if err == nil && wrong == nil {
			all = append(all, Snapshot{number, at, name})
		}
	}
	if len(all) == 0 {
		if _, err := s.disk.Stat(s.name); err != nil {
			return nil,
				fmt.Errorf("there is no configuration, nor what it was before a change: give its name with "+
					"--config: %w", err)
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].Number > all[b].Number })
	return all, nil
}

// Snapshot returns the text that the file had before a change.
func (s *Store) Snapshot(number uint64) (Snapshot, []byte, error) {
	all, err := s.History()
	if err != nil {
		return Snapshot{}, nil, err
	}
	for _, one := range all {
		if one.Number == number {
			text, err := s.read(one.name)
			return one, text, err
		}
	}
	return Snapshot{}, nil, fmt.Errorf("there is no snapshot %d of %s: sabot config history lists those that there are",
		number, s.name)
}

// Replace puts a text in the place of the file's, and keeps what was there as a snapshot. A power cut leaves the old
// file or the new one, whole. The same text changes nothing.
func (s *Store) Replace(text []byte) error {
	was, err := s.read(s.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.putFile(s.name, text)
	case err != nil:
		return fmt.Errorf("reading %s before it is changed: %w", s.name, err)
	case bytes.Equal(was, text):
		return nil
	}
	all, err := s.History()
	if err != nil {
		return err
	}
	number := uint64(1)
	if len(all) > 0 {
		number = all[0].Number + 1
	}
	kept := fmt.Sprintf("%s.%04d.%s", s.name, number, s.now().UTC().Format(snapshotTime))
	if err := s.putFile(kept, was); err != nil {
		return fmt.Errorf("keeping %s as it was: %w", s.name, err)
	}
	if err := s.putFile(s.name, text); err != nil {
		return fmt.Errorf("replacing %s: %w", s.name, err)
	}
	for _, old := range all[min(len(all), MostSnapshots-1):] {
		if err := s.disk.Remove(old.name); err != nil {
			return fmt.Errorf("%s is changed, but an old snapshot could not be removed: %w", s.name, err)
		}
	}
	return nil
}

// Withdraw takes the file away that a first start has written, and with which the table could not begin; it is in the
// history.
func (s *Store) Withdraw() error {
	if err := s.Replace([]byte("# withdrawn\n")); err != nil {
		return err
	}
	return errors.Join(s.disk.Remove(s.name), s.disk.SyncFolder())
}

// putFile writes a file under a name, durably, whole or not at all, with the owner and the mode of the configuration.
func (s *Store) putFile(name string, text []byte) error { return s.write(name, text, s.dress) }

func (s *Store) write(name string, text []byte, dress func(string) error) error {
	draft := s.name + ".new"
	if err := s.disk.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a change that was interrupted
		return err
	}
	f, err := s.disk.Create(draft)
	if err != nil {
		return err
	}
	err = errors.Join(f.Append(text), dress(draft), f.Sync(), f.Close())
	if err == nil {
		err = s.disk.Rename(draft, name)
	}
	if err != nil {
		_ = s.disk.Remove(draft) // the next change removes it otherwise
		return err
	}
	return s.disk.SyncFolder()
}
