package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// draft is a folder next to the destination, so that everything can be moved there at once.
// The destination never looks unfinished.
type draft struct {
	folder, path string
	single       bool
	force        bool
	tables       []Table
}

// newDraft makes a draft, if its content may be written at path.
func newDraft(path string, single bool, o *Files) (*draft, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	d := &draft{path: path, single: single, force: o.Force, tables: o.Tables}
	if err := d.free(); err != nil {
		return nil, err
	}
	d.folder, err = os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".draft-")
	return d, err
}

// free returns what keeps the draft from its destination.
func (d *draft) free() error {
	info, err := os.Lstat(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !d.force:
		return fmt.Errorf("%s already exists and was not touched: give another name, or --force to replace it", d.path)
	case d.single:
		return d.replaceableFile(info)
	default:
		return d.replaceableFolder(info)
	}
}

func (d *draft) replaceableFile(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file, and was not touched: give another name", d.path)
	}
	for _, beside := range []string{d.path + "-wal", d.path + "-journal"} {
		if _, err := os.Lstat(beside); err == nil {
			return fmt.Errorf("%s is in use, as %s shows, and was not touched: close the program that has it open, "+
				"or give another name", d.path, beside)
		}
	}
	return nil
}

// replaceableFolder makes sure that only an earlier export would be lost.
func (d *draft) replaceableFolder(info fs.FileInfo) error {
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder, and was not touched: give another name", d.path)
	}
	files, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	for _, file := range files {
		if !file.Type().IsRegular() || !slices.ContainsFunc(d.tables, func(t Table) bool {
			return file.Name() == t.Name+".csv" || file.Name() == t.Name+".parquet"
		}) {
			return fmt.Errorf("%s contains something that no export has written, %s, and was not touched: give "+
				"another name", d.path, file.Name())
		}
	}
	return nil
}

// place moves the draft's content to its destination, durably.
func (d *draft) place() error {
	if err := errors.Join(d.sync(), d.free()); err != nil {
		return errors.Join(err, d.drop())
	}
	move := d.moveFolder
	if d.single {
		move = d.moveFile
	}
	if err := move(); err != nil {
		return errors.Join(err, d.drop())
	}
	return syncFolder(filepath.Dir(d.path))
}

func (d *draft) moveFile() error {
	if err := os.Rename(filepath.Join(d.folder, singleFile), d.path); err != nil {
		return err
	}
	return d.drop()
}

// moveFolder moves an earlier export away first, and back if the move fails: a folder cannot
// be moved onto another that is not empty.
func (d *draft) moveFolder() error {
	before := d.folder + "-before"
	err := os.Rename(d.path, before)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Rename(d.folder, d.path)
	}
	if err != nil {
		return err
	}
	if err := os.Rename(d.folder, d.path); err != nil {
		return errors.Join(err, os.Rename(before, d.path))
	}
	return os.RemoveAll(before)
}

// create makes a file in a draft. What guests staked is in it: only its owner may read it.
func create(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// drop removes the draft.
func (d *draft) drop() error { return os.RemoveAll(d.folder) }

// sync makes the files durable.
func (d *draft) sync() error {
	files, err := os.ReadDir(d.folder)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := syncFile(filepath.Join(d.folder, file.Name())); err != nil {
			return err
		}
	}
	return syncFolder(d.folder)
}
