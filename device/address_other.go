//go:build !unix

package device

import "errors"

// addressed refuses: only Linux has such buses.
func addressed(uintptr, uint16) error { return errors.ErrUnsupported }
