package device

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// serialCounts is the kernel's struct serial_icounter_struct.
type serialCounts struct {
	cts, dsr, rng, dcd, rx, tx           int32
	frame, overrun, parity, brk, bufOver int32
	_                                    [9]int32
}

// Losses asks the kernel. It is a copy of counts in memory: nothing is asked over USB.
func (l *serialLine) Losses() (losses Losses, counts bool) {
	err := control(l.File, func(fd int) error {
		var c serialCounts
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.TIOCGICOUNT,
			uintptr(unsafe.Pointer(&c))); errno != 0 {
			return errno
		}
		losses = Losses{
			Overruns: uint64(uint32(c.overrun)), BufferOverruns: uint64(uint32(c.bufOver)),
			Framing: uint64(uint32(c.frame)), Parity: uint64(uint32(c.parity)), Breaks: uint64(uint32(c.brk)),
		}
		return nil
	})
	return losses, err == nil
}
