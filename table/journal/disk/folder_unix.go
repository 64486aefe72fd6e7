//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// stat describes what is at a path, without following a link.
func stat(path string) (Info, error) {
	var s syscall.Stat_t
	if err := syscall.Lstat(path, &s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: path, Err: err}
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

// Free is how many bytes unprivileged users can still write.
func (d Folder) Free() (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(string(d), &s); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: string(d), Err: err}
	}
	return s.Bavail * uint64(s.Bsize), nil
}

func (f *file) Stat() (Info, error) {
	var s syscall.Stat_t
	if err := syscall.Fstat(int(f.Fd()), &s); err != nil {
		return Info{}, &os.PathError{Op: "stat", Path: f.Name(), Err: err}
	}
	return infoOf(&s), nil
}
