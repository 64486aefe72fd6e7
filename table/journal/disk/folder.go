package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
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
func (d Folder) Stat(name string) (Info, error) {
	var s syscall.Stat_t
	if err := syscall.Lstat(d.at(name), &s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: d.at(name), Err: err}
	}
	return infoOf(&s), nil
}

// InfoOf describes a file of the real file system that somebody has looked at; ok is false where nobody has.
func InfoOf(info fs.FileInfo) (i Info, ok bool) {
	if info == nil {
		return i, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return i, false
	}
	return infoOf(s), true
}

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

// Free is how many bytes unprivileged users can still write.
func (d Folder) Free() (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(string(d), &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: string(d), Err: err}
	}
	return s.Bavail * uint64(s.Bsize), nil
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

func (f *file) Stat() (Info, error) {
	var s syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return infoOf(&s), nil
}

func (f *file) Forget() error { return forget(f.File) }
