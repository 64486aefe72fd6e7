//go:build !unix

package gpio

import "time"

// pollFd has no line: no chip can be opened.
type pollFd struct {
	Fd              int32
	Events, Revents int16
}

const readable, ended = 1, 2

func poll([]pollFd, int) error { return errLinux }

func setNonblock(int) error { return errLinux }

func read(int, []byte) (int, error) { return 0, errLinux }

func monotonic() (time.Duration, error) { return 0, errLinux }
