package practice

import (
	"errors"
	"os"
	"syscall"
)

// flock waits for an exclusive lock on a file. A lock of flock is the open file's: two of the same program exclude each
// other, too.
func flock(file *os.File) error {
	for {
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
