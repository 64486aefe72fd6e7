//go:build unix

package device

import (
	"errors"
	"os"
	"syscall"

	"go.bug.st/serial"
)

// serialLine carries the bytes on a file of its own next to the library's port, which sets speed and format and keeps
// others out. The file adds deadlines for writing, a Close that cannot race with a Read, and a lock that holds against
// the superuser and against a second open in this process, unlike the terminal's exclusive mode.
type serialLine struct {
	*os.File
	mode serial.Port
}

func openSerial(path string, baud int) (_ *serialLine, err error) {
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := lock(file); err != nil {
		return nil, err
	}
	if err := keepRaised(file); err != nil {
		return nil, err
	}
	// InitialStatusBits stays nil: a pseudo-terminal has no modem lines to set.
	mode, err := serial.Open(path, &serial.Mode{
		BaudRate: baud, DataBits: 8, Parity: serial.NoParity,
		StopBits: serial.OneStopBit,
	})
	if err != nil {
		return nil, err
	}
	return &serialLine{File: file, mode: mode}, nil
}

// lock takes the advisory lock on the device file that terminal programs take too.
func lock(file *os.File) error {
	err := control(file, func(fd int) error { return syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) })
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return syscall.EBUSY
	}
	return err
}

// control passes the file's descriptor to a function. The file stays in the runtime's poller, unlike after Fd.
func control(file *os.File, use func(fd int) error) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = use(int(fd)) })
	return errors.Join(err, failed)
}

// Close releases the port. Both files must be closed before the device is plugged in again, or the kernel gives it
// another number.
//
// The lock is undone first: a child that this process has forked, and that has not started its program yet, has a copy
// of the file.
func (l *serialLine) Close() error {
	unlocked := control(l.File, func(fd int) error { return syscall.Flock(fd, syscall.LOCK_UN) })
	return errors.Join(unlocked, l.mode.Close(), l.File.Close())
}
