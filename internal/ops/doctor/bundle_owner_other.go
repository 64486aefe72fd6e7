//go:build !unix

package doctor

import "io/fs"

// owner is not known on this system.
func owner(fs.FileInfo) string { return "" }
