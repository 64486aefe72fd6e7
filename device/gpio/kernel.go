package gpio

import (
	"errors"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	periph "periph.io/x/conn/v3/gpio"
	"periph.io/x/host/v3/gpioioctl"
)

// chipPaths are the device files of GPIO chips.
const chipPaths = "/dev/gpiochip*"

// line is a line as the library gives it: gpioioctl.GPIOLine, and what it hides.
type line interface {
	In(periph.Pull, periph.Edge) error
	Out(periph.Level) error
	Close()
	// descriptor is the line's file, from which its edges are read. It belongs to the line, and exists once the line
	// was requested.
	descriptor() int
	// high reads the line's level.
	high() (bool, error)
}

// libraryLine is a line of the library.
//
// The library itself looks for chips once, when its driver is initialised. Initialising it again, by the driver that
// driverreg.Init returns, is no way to find a chip that comes later: it opens every chip a second time, with two
// os.Files that both close the same descriptor, and closes descriptor 0 where a chip has two device files, as on a
// Raspberry Pi 5. In a daemon at work those descriptors may be the journal's. So this package opens the chips, and
// makes the library's line of the chip that has it now. The library needs the chip only to request the line.
type libraryLine struct{ *gpioioctl.GPIOLine }

// The fields of the library's line that this package sets, and the one that it reads. The library has a WaitForEdge,
// which reads the kernel's record of an edge but discards its time and its number: the time distinguishes presses, and
// the number shows a lost edge.
const (
	fieldNumber = "number"  // the line's number
	fieldChip   = "chip_fd" // the chip's descriptor
	fieldOwn    = "fd"      // the line's own, 0 until it was requested
)

// errLibrary is that of a release of the library in which the fields have other names.
var errLibrary = errors.New("gpioioctl.GPIOLine has other fields: this version of periph.io/x/host is not supported")

// newLine makes the library's line of an open chip, which must be open until the line was requested.
func newLine(chip uintptr, number int) (libraryLine, error) {
	l := libraryLine{&gpioioctl.GPIOLine{}}
	for _, f := range []struct {
		name  string
		kind  reflect.Kind
		value uint64
	}{{fieldNumber, reflect.Uint32, uint64(number)}, {fieldChip, reflect.Uintptr, uint64(chip)}} {
		field := l.field(f.name)
		if field.Kind() != f.kind {
			return l, errLibrary
		}
		reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem().SetUint(f.value)
	}
	if l.field(fieldOwn).Kind() != reflect.Int32 {
		return l, errLibrary
	}
	return l, nil
}

func (l libraryLine) field(name string) reflect.Value {
	return reflect.ValueOf(l.GPIOLine).Elem().FieldByName(name)
}

func (l libraryLine) descriptor() int { return int(l.field(fieldOwn).Int()) }

func (l libraryLine) high() (bool, error) { return levelOf(l.descriptor()) }

// kernel is the machine's chips, or a test's.
type kernel interface {
	// chips opens all chips that there are now; closeAll closes them. The error is why some or all could not be opened.
	chips() ([]Chip, error)
	// line returns a line of an open chip, which is to be requested.
	line(Chip, int) (line, error)
	// there says whether the chip of a requested line works.
	there(Chip, line) error
}

// system is this machine.
type system struct{}

func (system) line(c Chip, number int) (line, error) { return newLine(c.file.Fd(), number) }

func (system) chips() (chips []Chip, err error) {
	paths, err := filepath.Glob(chipPaths)
	if err != nil {
		return nil, err
	}
	var unread error
	for _, path := range paths {
		c, err := openChip(path)
		first := slices.IndexFunc(chips, func(other Chip) bool { return other.Name == c.Name })
		switch {
		case errors.Is(err, fs.ErrNotExist): // it has just vanished
		case err != nil:
			unread = errors.Join(unread, noChip(path, err))
		case first >= 0:
			chips[first].Links = append(chips[first].Links, filepath.Base(path))
			c.close()
		default:
			chips = append(chips, c)
		}
	}
	if len(chips) == 0 && unread == nil {
		unread = noChip(chipPaths, nil)
	}
	return chips, unread
}

func closeAll(chips []Chip) {
	for _, c := range chips {
		c.close()
	}
}

func (c Chip) close() {
	if c.file != nil {
		c.file.Close()
	}
}

// ReadChip asks the kernel what a chip and its lines are.
func ReadChip(path string) (Chip, error) {
	c, err := openChip(path)
	c.close()
	c.file = nil
	return c, err
}
