package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Folder is a folder of the real file system.
type Folder string

func (d Folder) at(name string) string { return filepath.Join(string(d), name) }

// Create makes a new file that its owner and group can read.
func (d Folder) Create(name string) (File, error) {
	f, err := os.OpenFile(d.at(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	return wrap(f, err)
}

// Open opens a file for reading. It does not wait for whoever writes to a pipe that lies in a file's place.
func (d Folder) Open(name string) (File, error) {
	f, err := os.OpenFile(d.at(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return wrap(f, err)
}

// Private is a folder whose new files only their owner can read.
type Private struct{ Folder }

// Create makes a new file that only its owner can read.
func (d Private) Create(name string) (File, error) {
	f, err := os.OpenFile(d.at(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return wrap(f, err)
}

// wrap prevents a nil *os.File from becoming a non-nil File.
func wrap(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	return &file{File: f}, nil
}

// Stat describes the file with that name.
func (d Folder) Stat(name string) (Info, error) { return stat(d.at(name)) }

// List names the files and folders in the folder.
func (d Folder) List() ([]string, error) { return d.Names("") }

// Names names the files in a folder of the folder. It does not wait for whoever writes to a pipe that lies in its
// place.
func (d Folder) Names(folder string) ([]string, error) {
	f, err := os.OpenFile(d.at(folder), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1) // os.ReadDir says more of each, which takes longer
	slices.Sort(names)
	return names, errors.Join(err, f.Close())
}

// Mkdir makes a folder in the folder.
func (d Folder) Mkdir(name string) error { return os.Mkdir(d.at(name), 0o750) }

// Rename gives a file another name.
func (d Folder) Rename(from, to string) error { return os.Rename(d.at(from), d.at(to)) }

// Remove removes a file.
func (d Folder) Remove(name string) error { return os.Remove(d.at(name)) }

// SyncFolder makes the names in the folder durable.
func (d Folder) SyncFolder() error {
	f, err := os.Open(string(d))
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Changed is when names were last added or removed.
func (d Folder) Changed() (int64, error) {
	i, err := d.Stat("")
	return i.Written, err
}

// file is a file of the real file system.
type file struct {
	*os.File
	end int64
}

func (f *file) Append(p []byte) error {
	n, err := f.WriteAt(p, f.end)
	f.end += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return err
}

func (f *file) Sync() error { return syncData(f.File) }

func (f *file) Forget() error { return forget(f.File) }
