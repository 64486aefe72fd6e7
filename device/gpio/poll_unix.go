//go:build unix

package gpio

import (
	"time"

	"golang.org/x/sys/unix"
)

type pollFd = unix.PollFd

// What poll answers of a line: it has something to read, or it has nothing and never will.
const (
	readable = unix.POLLIN
	ended    = unix.POLLERR | unix.POLLHUP | unix.POLLNVAL
)

func poll(fds []pollFd, ms int) error {
	_, err := unix.Poll(fds, ms)
	return err
}

func setNonblock(fd int) error { return unix.SetNonblock(fd, true) }

func read(fd int, to []byte) (int, error) { return unix.Read(fd, to) }

// monotonic is the clock by which the kernel times edges.
func monotonic() (time.Duration, error) {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return 0, err
	}
	return time.Duration(now.Nano()), nil
}
