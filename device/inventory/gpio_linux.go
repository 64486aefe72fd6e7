package inventory

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The flags of a line, of linux/gpio.h.
const (
	lineUsed   = 1 << 0
	lineOutput = 1 << 3
)

// readChip asks the kernel for a chip's lines. Periph's gpioioctl knows their names and users too, but not whether a
// line has an unnamed user, nor its direction; and it looks only once, at all chips, which it then keeps open.
func readChip(path string) (label string, lines []Line, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	conn, err := file.SyscallConn()
	if err != nil {
		return "", nil, err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { label, lines, failed = askChip(fd) })
	if err == nil {
		err = failed
	}
	if err != nil {
		return "", nil, fmt.Errorf("asking %s for its lines: %w", path, err)
	}
	return label, lines, nil
}

func askChip(fd uintptr) (label string, lines []Line, err error) {
	var chip unix.GPIOChipInfo
	if err := ask(fd, unix.GPIO_GET_CHIPINFO_IOCTL, unsafe.Pointer(&chip)); err != nil {
		return "", nil, err
	}
	for n := range chip.Lines {
		info := unix.GPIOV2LineInfo{Offset: n}
		if err := ask(fd, unix.GPIO_V2_GET_LINEINFO_IOCTL, unsafe.Pointer(&info)); err != nil {
			return "", nil, fmt.Errorf("line %d: %w: this needs kernel 5.10 or newer", n, err)
		}
		lines = append(lines, Line{
			Number: int(n), Name: unix.ByteSliceToString(info.Name[:]),
			Used: info.Flags&lineUsed != 0, User: unix.ByteSliceToString(info.Consumer[:]),
			Output: info.Flags&lineOutput != 0,
		})
	}
	return unix.ByteSliceToString(chip.Label[:]), lines, nil
}

func ask(fd uintptr, what uintptr, answer unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, what, uintptr(answer)); errno != 0 {
		return errno
	}
	return nil
}
