//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// lock takes the lock file at path for this process. The kernel releases it when the file
// is closed or the process ends, however it ends. The file holds the owner's process id and
// is never removed: between removing and creating it, two processes could lock two files of
// the same name. A link is not followed: what it leads to would be overwritten.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o640)
	if err != nil {
		return nil, err
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return fmt.Errorf("%w (%s)", ErrInUse, owner(f))
	}
	if err != nil {
		return &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

// mostPID is how many bytes of the lock file are looked at: anybody may have written to it.
const mostPID = 16

// owner describes the process that holds the lock. Its id is unknown between taking the
// lock and writing the id.
func owner(f *os.File) string {
	b := make([]byte, mostPID)
	n, err := f.ReadAt(b, 0)
	pid := string(bytes.TrimSpace(b[:n]))
	if _, wrong := strconv.ParseUint(pid, 10, 32); wrong != nil || err != nil && !errors.Is(err, io.EOF) {
		return "pid unknown"
	}
	return "pid " + pid
}
