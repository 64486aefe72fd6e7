//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package filelock

import (
	"errors"
	"os"
)

// Open makes nothing: the file could not be taken.
func Open(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}

func lockFile(*os.File) error { return errors.ErrUnsupported }
func wait(*os.File) error     { return errors.ErrUnsupported }
func release(*os.File) error  { return nil }
