package gpio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noReply is what a driver says of an I2C device that does not answer.
const noReply = unix.EREMOTEIO

// openChip opens a chip and asks the kernel what it is. The file belongs to the caller.
func openChip(path string) (c Chip, err error) {
	file, err := os.Open(path)
	if err != nil {
		return Chip{}, err
	}
	if c, err = ask(file); err != nil {
		file.Close()
		return Chip{}, fmt.Errorf("asking %s for its lines: %w", path, err)
	}
	c.file = file
	return c, nil
}

// ask asks a chip's file. The number of a chip that vanishes is not given to another while the file is open.
func ask(file *os.File) (c Chip, err error) {
	var chip unix.GPIOChipInfo
	if err := control(file.Fd(), unix.GPIO_GET_CHIPINFO_IOCTL, unsafe.Pointer(&chip)); err != nil {
		return Chip{}, err
	}
	for n := range chip.Lines {
		info := unix.GPIOV2LineInfo{Offset: n}
		if err := control(file.Fd(), unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&info)); err != nil {
			return Chip{}, fmt.Errorf("line %d: %w: this needs kernel 5.10 or newer", n, err)
		}
		c.Lines = append(c.Lines, Info{
			Name: unix.ByteSliceToString(info.Name[:]),
			Used: info.Flags&lineUsed != 0, User: unix.ByteSliceToString(info.Consumer[:]),
			Output: info.Flags&lineOutput != 0,
		})
	}
	c.Name, c.Label = unix.ByteSliceToString(chip.Name[:]), unix.ByteSliceToString(chip.Label[:])
	if folder, err := filepath.EvalSymlinks(filepath.Join(chipFolders, c.Name)); err == nil {
		c.Device = filepath.Base(filepath.Dir(folder))
	}
	return c, nil
}

// answers says whether a chip is still there.
func (c Chip) answers() bool {
	var chip unix.GPIOChipInfo
	return control(c.file.Fd(), unix.GPIO_GET_CHIPINFO_IOCTL, unsafe.Pointer(&chip)) == nil
}

// The commands of linux/i2c-dev.h: i2cAddress sets the address of the next transfers, even if a driver has it, and
// i2cSMBus makes one.
const (
	i2cAddress = 0x0706
	i2cSMBus   = 0x0720
)

// i2cQuick is struct i2c_smbus_ioctl_data of linux/i2c-dev.h. Zero, it is a quick write: an address, and nothing after
// it.
type i2cQuick struct {
	write, command uint8
	size           uint32
	data           uintptr
}

// addressed says whether a device on an I2C bus acknowledges its address. It reads and writes nothing. Where the bus
// may not be used that is not known, and no error.
func addressed(bus string, address int) error {
	file, err := os.OpenFile(bus, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	defer file.Close()
	if err := unix.IoctlSetInt(int(file.Fd()), i2cAddress, address); err != nil {
		return nil
	}
	err = control(file.Fd(), i2cSMBus, unsafe.Pointer(&i2cQuick{}))
	if errors.Is(err, unix.EREMOTEIO) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EIO) ||
		errors.Is(err, unix.ETIMEDOUT) {
		return err
	}
	return nil
}

func control(fd uintptr, what uintptr, answer unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, what, uintptr(answer)); errno != 0 {
		return errno
	}
	return nil
}
