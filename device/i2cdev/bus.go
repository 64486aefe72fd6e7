// Package i2cdev speaks on the I2C buses of Linux through their device files, as
// periph's i2c.Bus.
//
// Periph has such a bus itself, in host/v3/sysfs, which is not used: that package
// cannot be initialised without the drivers for GPIO, which it would then set up a
// second time beside those of the keys; it knows only the buses that were there when
// the program started; and it tells every failure as text, where a display that was
// unplugged, a group that is missing and a bus that is off each need another hand.
package i2cdev

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/sabot-table/sabot/device"
)

// What can be wrong on a bus beside the errors of package device.
var (
	// ErrNoAnswer: nothing on the bus has the address, or it is without power.
	ErrNoAnswer = errors.New("no answer")
	// ErrNotBus: the path leads to something that is no I2C bus.
	ErrNotBus = errors.New("not an I2C bus")
	// ErrNoTransfers: the bus takes SMBus commands only, as a PC's mainboard has them.
	ErrNoTransfers = errors.New("the bus takes no plain I2C transfers")
)

// setAddress is I2C_SLAVE of linux/i2c-dev.h: it says to which address the file's
// reads and writes go.
const setAddress = 0x0703

// highest is the last address of seven bits that is not reserved.
const highest = 0x77

// Bus is an open bus. Its methods may be called from any goroutine.
type Bus struct {
	path string

	mu     sync.Mutex
	file   *os.File
	closed bool
}

var _ i2c.BusCloser = (*Bus)(nil)

// Open opens the bus at a path such as /dev/i2c-1. That it opens says nothing about
// what is connected to it.
func Open(path string) (*Bus, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, openError(path, err)
	}
	return &Bus{path: path, file: file}, nil
}

func openError(path string, err error) error {
	e := &device.Error{Op: "open", Port: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		e.Err, e.Hint = device.ErrNotFound, "switch the bus on: `sudo raspi-config nonint do_i2c 0` on a Raspberry Pi, else `sudo modprobe i2c-dev`"
	case errors.Is(err, fs.ErrPermission):
		e.Err, e.Hint = device.ErrPermission, "add the user to group i2c: `sudo usermod -aG i2c USER`, then log in again"
	case errors.Is(err, syscall.EISDIR):
		e.Err, e.Hint = ErrNotBus, "`ls /dev/i2c-*` shows the buses that are there"
	}
	return e
}

// Tx writes w to the device at an address, then reads r from it; each is one
// transfer that ends with a stop. It leaves alone an address that a driver of the
// kernel has taken.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	if addr > highest {
		return fmt.Errorf("I2C address %#x: addresses go up to %#x", addr, highest)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return b.transferError("address", addr, device.ErrClosed)
	}
	if err := b.address(addr); err != nil {
		return b.transferError("address", addr, err)
	}
	if len(w) > 0 {
		if _, err := b.file.Write(w); err != nil {
			return b.transferError("write", addr, err)
		}
	}
	if len(r) > 0 {
		if _, err := b.file.Read(r); err != nil {
			return b.transferError("read", addr, err)
		}
	}
	return nil
}

func (b *Bus) address(addr uint16) error {
	conn, err := b.file.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = conn.Control(func(fd uintptr) { refused = unix.IoctlSetInt(int(fd), setAddress, int(addr)) })
	return errors.Join(err, refused)
}

// transferError says what a failed transfer means.
func (b *Bus) transferError(op string, addr uint16, err error) error {
	e := &device.Error{Op: op, Port: fmt.Sprintf("%s address %#02x", b.path, addr), Err: err}
	switch {
	case errors.Is(err, syscall.EBUSY):
		e.Err, e.Hint = device.ErrBusy, "a driver of the kernel has the address: remove its dtoverlay from the boot configuration"
	case errors.Is(err, syscall.ENOTTY), errors.Is(err, syscall.EINVAL):
		e.Err, e.Hint = ErrNotBus, "`ls /dev/i2c-*` shows the buses that are there"
	case errors.Is(err, syscall.EOPNOTSUPP):
		e.Err, e.Hint = ErrNoTransfers, "use another bus"
	case errors.Is(err, syscall.ENODEV):
		e.Err, e.Hint = device.ErrGone, "check the adapter that the bus belongs to"
	case slices.ContainsFunc(silences, func(way error) bool { return errors.Is(err, way) }):
		// Who hears of it once for each cause is to hear of it once, whatever was tried.
		e.Op, e.Err, e.Hint = "reach", ErrNoAnswer, "check its power, SDA, SCL and the address on its jumpers"
	}
	return e
}

// SetSpeed refuses: on Linux the speed is the bus's own, for all that is on it.
func (b *Bus) SetSpeed(physic.Frequency) error {
	return fmt.Errorf("the speed of %s is the system's to set: on a Raspberry Pi with dtparam=i2c_arm_baudrate", b.path)
}

// Close gives the bus back, once a transfer under way is finished. It may be called
// more than once.
func (b *Bus) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	return b.file.Close()
}

// String returns the path.
func (b *Bus) String() string { return b.path }
