//go:build !unix

package export

import (
	"errors"
	"os"
)

// syncFile makes a file durable. What was opened for reading only is not written to the disk here.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncFolder does nothing: the file system has its own journal of names, and no folder is opened for writing.
func syncFolder(string) error { return nil }
