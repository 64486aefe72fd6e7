//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package filelock

import (
	"errors"
	"os"
)

func take(*os.File) error    { return errors.ErrUnsupported }
func wait(*os.File) error    { return errors.ErrUnsupported }
func release(*os.File) error { return nil }
