//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package securefile

import (
	"errors"
	"os"
	"syscall"
)

// OpenLock opens a file to be taken, and makes it if it is missing. A link is not followed: what it leads to would be
// overwritten. Nor does it wait for the other end of a pipe.
func OpenLock(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o640)
}

func lockFile(f *os.File) error {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

func waitLock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func release(f *os.File) error { return flock(f, syscall.LOCK_UN) }

// flock begins again where a signal has interrupted it.
func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
