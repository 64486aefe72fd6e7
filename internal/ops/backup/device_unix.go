//go:build unix

package backup

import (
	"os"
	"path/filepath"
	"syscall"
)

// sameDevice reports whether two folders are on one file system. The second may not exist yet.
func sameDevice(a, b string) (bool, error) {
	of := func(path string) (uint64, error) {
		var s syscall.Stat_t
		if err := syscall.Stat(path, &s); err != nil {
			return 0, &os.PathError{Op: "stat", Path: path, Err: err}
		}
		return uint64(s.Dev), nil
	}
	first, err := of(a)
	if err != nil {
		return false, err
	}
	second, err := of(b)
	if os.IsNotExist(err) {
		second, err = of(filepath.Dir(b))
	}
	return first == second, err
}
