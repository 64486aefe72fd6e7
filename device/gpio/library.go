package gpio

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/driver/driverreg"
	periph "periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// chipPaths are the device files of GPIO chips.
const chipPaths = "/dev/gpiochip*"

// line is a line as the library gives it: gpioioctl.GPIOLine, and its descriptor.
type line interface {
	In(periph.Pull, periph.Edge) error
	Out(periph.Level) error
	Read() periph.Level
	Close()
	// descriptor is the line's file, from which its edges are read. It belongs to the line, and exists once the line
	// was requested.
	descriptor() (int, error)
}

type libraryLine struct{ *gpioioctl.GPIOLine }

// descriptor looks into the library's line. The library has a WaitForEdge, which reads the kernel's record of an edge
// but discards its time and its number: the time distinguishes presses, and the number shows a lost edge. With a
// release of the library in which the field has another name, this fails at start-up.
func (l libraryLine) descriptor() (int, error) {
	field := reflect.ValueOf(l.GPIOLine).Elem().FieldByName("fd")
	if field.Kind() != reflect.Int32 {
		return 0, errors.New("gpioioctl.GPIOLine has no descriptor fd: this version of periph.io/x/host is not supported")
	}
	if field.Int() <= 0 {
		return 0, errors.New("the line was not requested")
	}
	return int(field.Int()), nil
}

// Chips lists the machine's GPIO chips. It looks once: the library finds a chip added later only after a restart.
func Chips() ([]Chip, error) {
	if err := load(); err != nil {
		return nil, err
	}
	chips := make([]Chip, len(gpioioctl.Chips))
	for i, c := range gpioioctl.Chips {
		chips[i] = Chip{Name: c.Name(), Label: c.Label(), Path: c.Path()}
		for _, l := range c.Lines() {
			// The library puts the chip's name before a name that it has seen already.
			chips[i].Lines = append(chips[i].Lines, strings.TrimPrefix(l.Name(), c.Name()+"-"))
		}
	}
	return chips, nil
}

// requested returns the library's line at a place.
func requested(at place) line {
	return libraryLine{gpioioctl.Chips[at.chip].Lines()[at.number]}
}

// load has the library open the chips. It is not host.Init, which also maps the
// registers of the boards that it knows, and fails on others.
var load = sync.OnceValue(func() error {
	paths, err := filepath.Glob(chipPaths)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return noChip(nil)
	}
	keep, err := keepZero()
	if err != nil {
		return err
	}
	_, err = driverreg.Init()
	if err = errors.Join(err, keep()); err != nil {
		return fmt.Errorf("opening the GPIO chips: %w", err)
	}
	if len(gpioioctl.Chips) == 0 {
		return noChip(paths)
	}
	return nil
})

// keepZero keeps descriptor 0, the standard input, as it is: the library closes it where one chip has two device files,
// as on some systems for the Raspberry Pi 5. The next file opened would then be descriptor 0, which the library takes
// for none. The function that it returns restores the descriptor.
func keepZero() (putRight func() error, err error) {
	if _, err := unix.FcntlInt(0, unix.F_GETFD, 0); err != nil {
		if err := openNull(); err != nil {
			return nil, err
		}
	}
	kept, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("keeping the standard input: %w", err)
	}
	return func() error {
		defer unix.Close(kept)
		if _, err := unix.FcntlInt(0, unix.F_GETFD, 0); err == nil {
			return nil
		}
		return takeZero(kept)
	}, nil
}

// openNull opens /dev/null as descriptor 0, the lowest that is free.
func openNull() error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("opening /dev/null as standard input: %w", err)
	}
	if null == 0 {
		return nil
	}
	return unix.Close(null)
}

// takeZero duplicates another descriptor as descriptor 0, unless that is in use by now.
func takeZero(from int) error {
	got, err := unix.FcntlInt(uintptr(from), unix.F_DUPFD, 0)
	switch {
	case err != nil:
		return fmt.Errorf("restoring the standard input: %w", err)
	case got == 0:
		return nil
	}
	return unix.Close(got)
}
