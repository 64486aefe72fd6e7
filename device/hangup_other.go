//go:build !linux

package device

import "os"

// keepRaised does nothing: Sabot's tables run on Linux.
func keepRaised(*os.File) error { return nil }
