package disk

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// syncData waits for the content and the size of a file: its times may be lost.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if err != unix.EINTR {
			return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
	}
}

func infoOf(s *syscall.Stat_t) Info {
	return Info{
		Size: s.Size, Device: uint64(s.Dev), Inode: s.Ino, Links: uint64(s.Nlink),
		Written: s.Mtim.Nano(), Folder: s.Mode&syscall.S_IFMT == syscall.S_IFDIR,
	}
}

func forget(f *os.File) error {
	return os.NewSyscallError("fadvise", unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED))
}
