//go:build unix

package export

import (
	"errors"
	"os"
)

// syncFile makes a file durable.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncFolder makes the names in a folder durable.
func syncFolder(path string) error { return syncFile(path) }
