//go:build unix

package device

import "golang.org/x/sys/unix"

// setAddress is I2C_SLAVE of linux/i2c-dev.h: it sets the address for the file's reads and writes.
const setAddress = 0x0703

func addressed(file uintptr, addr uint16) error {
	return unix.IoctlSetInt(int(file), setAddress, int(addr))
}
