// Package filelock lets one holder at a time have a file, on every system that has flock. A lock is the open file's:
// two parts of one program exclude each other, too. The kernel ends it with the process, however that ends.
package filelock

import (
	"errors"
	"os"
)

// ErrHeld: somebody else has the file.
var ErrHeld = errors.New("held by another")

// Held is an open file that nobody else can have until it is closed.
type Held struct{ *os.File }

// Take has the file, or returns ErrHeld at once. On a system without flock it returns errors.ErrUnsupported, as Open
// does. The file stays open after an error.
func Take(f *os.File) (*Held, error) { return held(f, lockFile(f)) }

// Wait has the file as soon as nobody else has it.
func Wait(f *os.File) (*Held, error) { return held(f, wait(f)) }

func held(f *os.File, err error) (*Held, error) {
	if err != nil && !errors.Is(err, ErrHeld) {
		err = &os.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	if err != nil {
		return nil, err
	}
	return &Held{f}, nil
}

// Close gives the file up. The lock is undone before the file is closed: a child that this process has forked, and that
// has not started its program yet, has a copy of the open file, and with it the lock.
func (h *Held) Close() error { return errors.Join(release(h.File), h.File.Close()) }
