//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package backup

import (
	"errors"
	"fmt"
	"io"
)

// Lock refuses: this system has no flock.
func Lock(path string) (io.Closer, error) {
	return nil, fmt.Errorf("%s cannot be locked: a backup is made on the table itself: %w", path, errors.ErrUnsupported)
}
