//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package securefile

import (
	"errors"
	"os"
)

// OpenLock makes nothing: the file could not be taken.
func OpenLock(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}

func lockFile(*os.File) error { return errors.ErrUnsupported }
func waitLock(*os.File) error { return errors.ErrUnsupported }
func release(*os.File) error  { return nil }
