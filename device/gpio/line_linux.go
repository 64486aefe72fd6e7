package gpio

import (
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
	periph "periph.io/x/conn/v3/gpio"
)

// The flags of a line, of linux/gpio.h.
const (
	lineUsed     = 1 << 0
	lineInput    = 1 << 2
	lineOutput   = 1 << 3
	lineRising   = 1 << 4
	lineFalling  = 1 << 5
	linePullUp   = 1 << 8
	linePullDown = 1 << 9
)

// setConfig is GPIO_V2_LINE_SET_CONFIG_IOCTL of linux/gpio.h, which golang.org/x/sys does not have.
const setConfig = 0xc110b40d

// kernelLine is a line of an open chip, which must be open until the line was requested. Its file is asked for with
// the kernel's own interface, the second of linux/gpio.h.
//
// Periph's gpioioctl has such lines itself, and they are not used. It looks for chips once, when its driver is
// initialised. Initialising it again is no way to find a chip that comes later: it opens every chip a second time, with
// two os.Files that both close the same descriptor, and closes descriptor 0 where a chip has two device files, as on a
// Raspberry Pi 5. In a daemon at work those descriptors may be the journal's. A line of a chip that is opened otherwise
// cannot be made, since its fields are private. And its WaitForEdge reads the kernel's record of an edge but discards
// its time and its number: the time distinguishes presses, and the number shows a lost edge.
type kernelLine struct {
	chip   uintptr
	number int
	// fd is the line's own descriptor, and flags what it was made; both are 0 until it was requested.
	fd    int
	flags uint64
}

func newLine(chip uintptr, number int) line { return &kernelLine{chip: chip, number: number} }

// In requests the line as an input, or makes it one.
func (l *kernelLine) In(pull periph.Pull, edge periph.Edge) error {
	flags := uint64(lineInput)
	switch pull {
	case periph.PullUp:
		flags |= linePullUp
	case periph.PullDown:
		flags |= linePullDown
	}
	if edge == periph.BothEdges {
		flags |= lineRising | lineFalling
	}
	return l.set(unix.GPIOV2LineConfig{Flags: flags})
}

// Out requests the line as an output of a level, or makes it one, or changes its level. It never has another level in
// between.
func (l *kernelLine) Out(level periph.Level) error {
	var bits uint64
	if level {
		bits = 1
	}
	if l.flags == lineOutput {
		values := unix.GPIOV2LineValues{Bits: bits, Mask: 1}
		return control(uintptr(l.fd), unix.GPIO_V2_LINE_SET_VALUES_IOCTL, unsafe.Pointer(&values))
	}
	config := unix.GPIOV2LineConfig{Flags: lineOutput, Num_attrs: 1}
	config.Attrs[0].Attr = unix.GPIOV2LineAttribute{Id: unix.GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, Flags: bits}
	config.Attrs[0].Mask = 1
	return l.set(config)
}

// set gives the line a configuration, and requests it where it was not.
func (l *kernelLine) set(config unix.GPIOV2LineConfig) (err error) {
	if l.flags == 0 {
		err = l.request(config)
	} else if err = control(uintptr(l.fd), setConfig, unsafe.Pointer(&config)); err != nil {
		err = fmt.Errorf("setting the line up: %w", err)
	}
	if err == nil {
		l.flags = config.Flags
	}
	return err
}

func (l *kernelLine) request(config unix.GPIOV2LineConfig) error {
	ask := unix.GPIOV2LineRequest{Config: config, Num_lines: 1, Event_buffer_size: queued}
	ask.Offsets[0] = uint32(l.number)
	copy(ask.Consumer[:len(ask.Consumer)-1], fmt.Sprintf("%s@%d", filepath.Base(os.Args[0]), os.Getpid()))
	if err := control(l.chip, unix.GPIO_V2_GET_LINE_IOCTL, unsafe.Pointer(&ask)); err != nil {
		return fmt.Errorf("requesting the line: %w", err)
	}
	l.fd = int(ask.Fd)
	return nil
}

// Close gives the line back.
func (l *kernelLine) Close() {
	if l.flags != 0 {
		unix.Close(l.fd) // there is nothing to lose
		l.fd, l.flags = 0, 0
	}
}

func (l *kernelLine) descriptor() int { return l.fd }

// high reads the level of the requested line.
func (l *kernelLine) high() (bool, error) {
	values := unix.GPIOV2LineValues{Mask: 1}
	err := control(uintptr(l.fd), unix.GPIO_V2_LINE_GET_VALUES_IOCTL, unsafe.Pointer(&values))
	return values.Bits&1 != 0, err
}
