//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package securefile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func openLock(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := TryLock(openLock(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(openLock(t, path)); !errors.Is(err, ErrLocked) {
		t.Errorf("taken twice: %v", err)
	}
	had := make(chan error)
	go func() {
		second, err := WaitLock(openLock(t, path))
		if err == nil {
			err = second.Close()
		}
		had <- err
	}()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-had; err != nil {
		t.Errorf("waited for: %v", err)
	}
}

// TestCloseBesideACopy: a child between its fork and its program has a copy of the open file. What was closed can be
// taken again all the same.
func TestCloseBesideACopy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := TryLock(openLock(t, path))
	if err != nil {
		t.Fatal(err)
	}
	child, err := syscall.Dup(int(held.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := TryLock(openLock(t, path)); err != nil {
		t.Errorf("closed, and taken again: %v", err)
	}
}
