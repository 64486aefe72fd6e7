package backup

import (
	"os"

	"golang.org/x/sys/unix"
)

// fleeting are the file systems whose files are gone when the power is: those in memory, and the layer that the
// ready-made card lays over its system, which is in memory, too.
var fleeting = map[uint32]string{
	unix.TMPFS_MAGIC:           "tmpfs",
	unix.RAMFS_MAGIC:           "ramfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlay",
}

// inMemory names the file system that a folder is on if it does not outlive the power; "" for one that does. To ask has
// a stick mounted that is mounted when it is used.
func inMemory(path string) (string, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return "", &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return fleeting[uint32(s.Type)], nil
}
