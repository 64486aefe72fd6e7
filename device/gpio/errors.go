package gpio

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/sabot-table/sabot/device"
)

// What can be wrong with a line, besides what package device names. Errors of this package wrap one of them where it
// applies.
var (
	// ErrNoChip: the machine has no GPIO chip, or none that may be opened.
	ErrNoChip = errors.New("no GPIO chip")
	// ErrNoLine: no chip has such a line.
	ErrNoLine = errors.New("no such GPIO line")
	// ErrAmbiguous: several lines have the name.
	ErrAmbiguous = errors.New("several GPIO lines have this name")
	// ErrTwice: two uses name the same line.
	ErrTwice = errors.New("the GPIO line is used twice")
	// ErrBusy: another program, or a driver of the kernel, has the line.
	ErrBusy = errors.New("GPIO line busy")
	// ErrGone: the chip has vanished. Its lines are of no more use.
	ErrGone = errors.New("the GPIO chip is gone")
)

const listHint = "`gpioinfo` lists the lines"

func (l Line) fault(op string, err error, hint string) error {
	port := l.Address()
	if l.Use != "" {
		port = l.Use + " (" + port + ")"
	}
	return &device.Error{Op: op, Port: port, Err: err, Hint: hint}
}

// refused says why the kernel does not grant a line, or does not switch it. The library passes on the kernel's errors
// as text.
func (l Line) refused(op string, err error) error {
	means := func(number syscall.Errno) bool {
		return errors.Is(err, number) || strings.Contains(err.Error(), number.Error())
	}
	switch {
	case means(syscall.EBUSY):
		return l.fault(op, ErrBusy, "another program or a driver of the kernel has it; `gpioinfo` shows which: stop it, or use another line")
	case l.pull != PullNone && (means(syscall.EOPNOTSUPP) || means(syscall.EINVAL)):
		return l.fault(op, err, "the chip may have no pulls of its own: write pull-none, and fit a resistor")
	case means(syscall.ENODEV):
		return l.fault(op, ErrGone, "")
	}
	return l.fault(op, err, listHint)
}

// noChip says why no chip can be used; paths are the chips that exist.
func noChip(paths []string) error {
	if len(paths) == 0 {
		return &device.Error{Op: "open", Port: chipPaths, Err: ErrNoChip, Hint: "this machine has no GPIO, or its driver is not loaded; remove the keys and signals from the configuration"}
	}
	path := paths[0]
	file, err := os.Open(path)
	switch {
	case errors.Is(err, os.ErrPermission):
		return &device.Error{
			Op: "open", Port: path, Err: fmt.Errorf("%w: %w", ErrNoChip, device.ErrPermission),
			Hint: "add the user to the group that owns it, as `ls -l " + path + "` shows: `sudo usermod -aG gpio USER`, then start again",
		}
	case err == nil:
		err = errors.Join(file.Close(), errors.New("the kernel does not list its lines; it must be 5.10 or newer"))
	}
	return &device.Error{Op: "open", Port: path, Err: fmt.Errorf("%w: %w", ErrNoChip, err)}
}
