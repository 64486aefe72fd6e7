//go:build !unix

package i2cdev

import "errors"

// addressed refuses: only Linux has such buses.
func addressed(uintptr, uint16) error { return errors.ErrUnsupported }
