package securefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// private is the mode of a file that only its owner may read.
const private fs.FileMode = 0o600

// New writes a new file that only its owner may read, durably, whole or not at all. The error is fs.ErrExist if the
// name is taken, if only by a link.
func New(path string, text []byte) error { return newFile(path, text, private) }

// NewPublic is New for a file that everybody may read.
func NewPublic(path string, text []byte) error { return newFile(path, text, 0o644) }

func newFile(path string, text []byte, mode fs.FileMode) error {
	if err := write(path, text, mode); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// Replace writes a file in place of the one at path, so that a power cut leaves one of the two whole. Only its owner
// may read it. A link at path is replaced, and what it leads to is not touched.
func Replace(path string, text []byte) error {
	draft := path + ".new"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a start that was interrupted
		if _, moved := PutAside(draft); moved != nil { // a folder with something in it
			return errors.Join(err, moved)
		}
	}
	if err := write(draft, text, private); err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func write(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
