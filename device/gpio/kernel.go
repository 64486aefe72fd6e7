package gpio

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	periph "periph.io/x/conn/v3/gpio"
)

// chipPaths are the device files of GPIO chips.
const chipPaths = "/dev/gpiochip*"

// line is a line of an open chip.
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

// kernel is the machine's chips, or a test's.
type kernel interface {
	// chips opens all chips that there are now; closeAll closes them. The error is why some or all could not be opened.
	chips() ([]Chip, error)
	// line returns a line of an open chip, which is to be requested.
	line(Chip, int) line
	// there says whether the chip of a requested line works.
	there(Chip, line) error
}

// system is this machine.
type system struct{}

func (system) line(c Chip, number int) line { return newLine(c.file.Fd(), number) }

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
