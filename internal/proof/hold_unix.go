//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// hold holds a file until the function that it returns is called, or the process ends.
func hold(path string) (leave func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, err
	}
	leave = func() { f.Close() }
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		leave()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = errHeld
		}
		return nil, err
	}
	return leave, nil
}
