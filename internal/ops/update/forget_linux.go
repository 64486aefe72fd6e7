package update

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget drops what the kernel remembers of a file, so that it is read from where it is.
func forget(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }
