//go:build unix && !linux

package disk

import (
	"os"
	"syscall"
)

func syncData(f *os.File) error { return f.Sync() }

func infoOf(s *syscall.Stat_t) Info {
	return Info{
		Size: s.Size, Device: uint64(s.Dev), Inode: s.Ino, Links: uint64(s.Nlink),
		Written: s.Mtimespec.Nano(), Folder: s.Mode&syscall.S_IFMT == syscall.S_IFDIR,
	}
}

// forget does nothing on a system that has no call for it.
func forget(*os.File) error { return nil }
