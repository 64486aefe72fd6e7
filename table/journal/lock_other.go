//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package journal

import (
	"errors"
	"fmt"
	"io"
)

// lock refuses: without a lock that ends with its process, nothing would keep out a second
// writer. Journals can be read on every system.
func lock(path string) (io.Closer, error) {
	return nil, fmt.Errorf("cannot lock %s: this system has no flock, so a journal can only be read here: %w",
		path, errors.ErrUnsupported)
}
