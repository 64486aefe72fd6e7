//go:build unix

package doctor

import (
	"fmt"
	"io/fs"
	"syscall"
)

// owner is a file's owner and group, by their numbers.
func owner(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", s.Uid, s.Gid)
	}
	return ""
}
