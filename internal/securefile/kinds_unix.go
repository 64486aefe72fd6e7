//go:build unix

package securefile

import (
	"io/fs"
	"os"
	"syscall"
)

// hasModes says that permissions mean something here.
const hasModes = true

func ownerOf(info fs.FileInfo) (owner, group int, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}

// openAtOnce opens a file for reading. It does not wait for the other end of a pipe, nor make a terminal the program's
// own.
func openAtOnce(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
}

// noFollow has an open fail where the path is a link.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// namesOf counts the names of a file.
func namesOf(info fs.FileInfo) uint64 {
	if s, known := info.Sys().(*syscall.Stat_t); known {
		return uint64(s.Nlink)
	}
	return 1
}
