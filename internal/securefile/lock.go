package securefile

import (
	"errors"
	"os"
)

// ErrLocked: somebody else has the file.
var ErrLocked = errors.New("held by another")

// Locked is an open file that nobody else can have until it is closed.
type Locked struct{ *os.File }

// TryLock has the file, or returns ErrLocked at once. On a system without flock it returns errors.ErrUnsupported, as
// OpenLock does. The file stays open after an error.
func TryLock(f *os.File) (*Locked, error) { return locked(f, lockFile(f)) }

// WaitLock has the file as soon as nobody else has it.
func WaitLock(f *os.File) (*Locked, error) { return locked(f, waitLock(f)) }

func locked(f *os.File, err error) (*Locked, error) {
	if err != nil && !errors.Is(err, ErrLocked) {
		err = &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return &Locked{f}, nil
}

// Close gives the file up. The lock is undone before the file is closed: a child that this process has forked, and that
// has not started its program yet, has a copy of the open file, and with it the lock.
func (h *Locked) Close() error { return errors.Join(release(h.File), h.File.Close()) }
