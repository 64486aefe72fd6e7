//go:build !unix

package bundle

import "io/fs"

// owner is not known on this system.
func owner(fs.FileInfo) string { return "" }
