package update

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// folderOf is a name for a folder that leads to that very folder until done is called, whatever has its path meanwhile.
func folderOf(path string) (name string, done func(), err error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	switch {
	case errors.Is(err, unix.ENOENT):
		return path, func() {}, nil // nobody asks for anything
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP):
		return "", nil, errNoFolder
	case err != nil:
		return "", nil, fmt.Errorf("the folder of requests %s: %w", path, err)
	}
	return fmt.Sprintf("/proc/self/fd/%d", fd), func() { _ = unix.Close(fd) }, nil // it was only looked through
}
