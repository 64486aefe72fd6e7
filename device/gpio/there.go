package gpio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
)

// Where the kernel shows which chips there are, and which device each is a part of: its folder leads there.
const chipFolders = "/sys/bus/gpio/devices"

// onI2C is how the kernel names a device on an I2C bus: the bus, and the address.
var onI2C = regexp.MustCompile(`^([0-9]+)-00([0-9a-f]{2})$`)

// Bus returns where a chip is on an I2C bus: the bus's device file and its address; false for another chip.
func (c Chip) Bus() (path string, address int, ok bool) {
	found := onI2C.FindStringSubmatch(c.Device)
	if found == nil {
		return "", 0, false
	}
	at, err := strconv.ParseUint(found[2], 16, 8)
	return "/dev/i2c-" + found[1], int(at), err == nil
}

// there says whether the chip of a requested line works.
//
// An expander is asked for its address, and its lines are not read. The driver of the MCP23017 says that a line is low
// when it cannot read it: a key would be closed, a supervisor's key on. And what it reads takes away the interrupt that
// tells of an edge, if that has just come.
func (system) there(c Chip, l line) error {
	bus, address, expander := c.Bus()
	if !expander {
		_, err := l.high()
		return err
	}
	if _, err := os.Stat(filepath.Join(chipFolders, c.Name)); errors.Is(err, fs.ErrNotExist) {
		return syscall.ENODEV
	}
	if err := addressed(bus, address); err != nil {
		return fmt.Errorf("%w: nothing answers at %s, address %#x (%w)", ErrGone, bus, address, err)
	}
	return nil
}
