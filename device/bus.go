// A Bus uses the I2C buses of Linux through their device files, as periph's i2c.Bus.
//
// Periph has such a bus itself, in host/v3/sysfs, which is not used: that package cannot be initialised without the
// drivers for GPIO, which it would then set up a second time besides those of the keys; it knows only the buses that
// existed when the program started; and it reports every failure as text, although an unplugged display, a missing
// group and a disabled bus each need a different remedy.

package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// What can be wrong on a bus, besides the errors of package device.
var (
	// ErrNoAnswer: nothing on the bus has the address, or it is without power.
	ErrNoAnswer = errors.New("no answer")
	// ErrNotBus: the path leads to something other than an I2C bus.
	ErrNotBus = errors.New("not an I2C bus")
	// ErrNoTransfers: the bus takes only SMBus commands, as on a PC's mainboard.
	ErrNoTransfers = errors.New("the bus takes no plain I2C transfers")
)

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

// OpenBus opens the bus at a path such as /dev/i2c-1. Success says nothing about what is connected to it.
func OpenBus(path string) (*Bus, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, busError(path, err)
	}
	return &Bus{path: path, file: file}, nil
}

func busError(path string, err error) error {
	e := &Error{Op: "open", Port: path, Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		e.Err, e.Hint = ErrNotFound,
			"switch the bus on: `sudo raspi-config nonint do_i2c 0` on a Raspberry Pi, else `sudo modprobe i2c-dev`"
	case errors.Is(err, fs.ErrPermission):
		e.Err, e.Hint = ErrPermission,
			"add the user to group i2c: `sudo usermod -aG i2c USER`, then log in again"
	case errors.Is(err, syscall.EISDIR):
		e.Err, e.Hint = ErrNotBus, "`ls /dev/i2c-*` shows the buses that are there"
	}
	return e
}

// Tx writes w to the device at an address, then reads r from it; each is one transfer that ends with a stop. It does
// not touch an address that a kernel driver uses.
func (b *Bus) Tx(addr uint16, w, r []byte) error {
	if addr > highest {
		return fmt.Errorf("I2C address %#x: addresses go up to %#x", addr, highest)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return b.transferError("address", addr, ErrClosed)
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
	err = conn.Control(func(fd uintptr) { refused = addressed(fd, addr) })
	return errors.Join(err, refused)
}

// transferError says what a failed transfer means.
func (b *Bus) transferError(op string, addr uint16, err error) error {
	e := &Error{Op: op, Port: fmt.Sprintf("%s address %#02x", b.path, addr), Err: err}
	switch {
	case errors.Is(err, syscall.EBUSY):
		e.Err, e.Hint = ErrBusy,
			"a driver of the kernel has the address: remove its dtoverlay from the boot configuration"
	case errors.Is(err, syscall.ENOTTY), errors.Is(err, syscall.EINVAL):
		e.Err, e.Hint = ErrNotBus, "`ls /dev/i2c-*` shows the buses that are there"
	case errors.Is(err, syscall.EOPNOTSUPP):
		e.Err, e.Hint = ErrNoTransfers, "use another bus"
	case errors.Is(err, syscall.ENODEV):
		e.Err, e.Hint = ErrGone, "check the adapter that the bus belongs to"
	case slices.ContainsFunc(silences, func(way error) bool { return errors.Is(err, way) }):
		// One text for all of them, so that the cause is logged once, whatever was tried.
		e.Op, e.Err, e.Hint = "reach", ErrNoAnswer, "check its power, SDA, SCL and the address on its jumpers"
	}
	return e
}

// SetSpeed always fails: on Linux the bus has one speed, for everything on it.
func (b *Bus) SetSpeed(physic.Frequency) error {
	return fmt.Errorf("the system sets the speed of %s: on a Raspberry Pi with dtparam=i2c_arm_baudrate", b.path)
}

// Close releases the bus, once the current transfer is finished. It may be called more than once.
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
