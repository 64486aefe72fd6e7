package shoesim

import (
	"errors"
	"fmt"
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal. The simulator reads and writes its master side;
// the host opens the other, which the simulator holds open as well, so that the
// line lives on while no host is there.
type terminal struct {
	master *os.File
	slave  *os.File
	link   string // a stable name for the slave's path
}

func openTerminal(link string) (*terminal, error) {
	blocking, slave, err := pty.Open()
	if err != nil {
		return nil,
			fmt.Errorf("opening a pseudo-terminal: %w; check that /dev/ptmx may be opened and devpts is mounted", err)
	}
	defer blocking.Close()
	master, err := pollable(blocking)
	if err != nil {
		slave.Close()
		return nil, err
	}
	l := &terminal{master: master, slave: slave, link: link}
	if err := errors.Join(makeRaw(slave), linkTo(slave.Name(), link)); err != nil {
		master.Close()
		slave.Close()
		return nil, err
	}
	return l, nil
}

// pollable returns the same terminal as a file whose reads end when it is closed.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("duplicating the pseudo-terminal: %w", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("making the pseudo-terminal non-blocking: %w", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// makeRaw lets every byte pass unchanged, in both directions.
func makeRaw(f *os.File) error {
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err != nil {
		return fmt.Errorf("reading the settings of %s: %w", f.Name(), err)
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB|unix.CSTOPB) | unix.CS8 | unix.CREAD | unix.CLOCAL
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t); err != nil {
		return fmt.Errorf("making %s raw: %w", f.Name(), err)
	}
	return nil
}

// linkTo makes or redirects the symbolic link in one step, so that it always has a target.
func linkTo(target, link string) error {
	fresh := link + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("making room for the port's name %s: %w", link, err)
	}
	if err := os.Symlink(target, fresh); err != nil {
		return fmt.Errorf("naming the port %s: %w", link, err)
	}
	if err := os.Rename(fresh, link); err != nil {
		return fmt.Errorf("naming the port %s: %w", link, err)
	}
	return nil
}

func (l *terminal) read(p []byte) (int, error) { return l.master.Read(p) }

// send writes what fits and drops the rest, like a UART whose other side is not listening: the simulator never waits
// for a host.
func (l *terminal) send(p []byte) error {
	raw, err := l.master.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	err = raw.Write(func(fd uintptr) bool {
		_, failure = unix.Write(int(fd), p)
		return true // never wait for room
	})
	if errors.Is(failure, unix.EAGAIN) {
		failure = nil
	}
	return errors.Join(err, failure)
}

// forget does what a serial port does when nobody has it open: unread bytes are lost, and a killed host does not keep
// the next one out.
func (l *terminal) forget() error {
	fd := int(l.slave.Fd())
	if err := unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH); err != nil {
		return fmt.Errorf("discarding what was not read on %s: %w", l.slave.Name(), err)
	}
	if err := unix.IoctlSetInt(fd, unix.TIOCNXCL, 0); err != nil {
		return fmt.Errorf("freeing %s for the next host: %w", l.slave.Name(), err)
	}
	return nil
}

// hosted is always true: a pseudo-terminal cannot tell.
func (l *terminal) hosted() bool { return true }

func (l *terminal) unread() (int, error) {
	n, err := unix.IoctlGetInt(int(l.slave.Fd()), unix.TIOCINQ)
	if err != nil {
		return 0, fmt.Errorf("asking what was not read on %s: %w", l.slave.Name(), err)
	}
	return n, nil
}

func (l *terminal) close() error {
	return errors.Join(os.Remove(l.link), l.slave.Close(), l.master.Close())
}
