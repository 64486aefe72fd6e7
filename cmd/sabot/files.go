package main

import (
	"errors"
	"os"
)

// writeNew writes a new file, whole or not at all. The error is os.ErrExist if there is
// already a file with that name.
func writeNew(path string, text []byte, mode os.FileMode) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(path))
		}
	}()
	if _, err = f.Write(text); err != nil {
		return err
	}
	return f.Sync()
}
