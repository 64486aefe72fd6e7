//go:build !unix

package systemd

import (
	"errors"
	"time"
)

// monotonic is not known: only Linux has such a service manager.
func monotonic() (time.Duration, error) { return 0, errors.ErrUnsupported }
