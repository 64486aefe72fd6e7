package inventory

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/sabot-table/sabot/device/gpio"
)

// Chip is a GPIO chip.
type Chip struct {
	// Name is the kernel's, such as gpiochip0, and may differ after the next start; Label is the driver's. Device is
	// what the chip is a part of, such as 1-0020: address 0x20 on I2C bus 1.
	Name   string `json:"name"`
	Label  string `json:"label,omitempty"`
	Device string `json:"device,omitempty"`
	Path   string `json:"path"`
	// Links are other names of the device file.
	Links  []string `json:"links,omitempty"`
	Access Access   `json:"access"`
	Lines  []Line   `json:"lines,omitempty"`
	// Trouble is why the lines could not be read, empty if they were.
	Trouble string `json:"trouble,omitempty"`

	hidden bool // the user of this program may not open the chip
}

// Line is one line of a chip; its number is its place.
type Line struct {
	Number int    `json:"number"`
	Name   string `json:"name,omitempty"`
	// Used says that a program or a driver has the line; User says which.
	Used   bool   `json:"used,omitempty"`
	User   string `json:"user,omitempty"`
	Output bool   `json:"output,omitempty"`
}

func (s Source) chips(u User) []Chip {
	chips := []Chip{}
	links := s.links()
	for _, name := range s.names("/dev", "gpiochip") {
		path := "/dev/" + name
		if s.real(path) != path {
			continue // a second name, as on the Raspberry Pi 5
		}
		c := Chip{Name: name, Path: path, Links: links[path]}
		if folder := s.real("/sys/bus/gpio/devices/" + name); folder != "" {
			c.Device = filepath.Base(filepath.Dir(folder))
		}
		c.Access, _ = s.access(path, u)
		label, lines, err := s.Chip(path)
		switch {
		case err == nil:
			c.Label, c.Lines = label, lines
		case errors.Is(err, fs.ErrPermission):
			c.hidden, c.Trouble = true, "only a user who may open the chip sees its lines"
		default:
			c.Trouble = err.Error()
		}
		chips = append(chips, c)
	}
	return chips
}

// called says whether a name stands for the chip.
func (c Chip) called(name string) bool {
	return name == c.Name || name == c.Label || name == c.Device ||
		slices.ContainsFunc(c.Links, func(link string) bool { return filepath.Base(link) == name })
}

// readChip asks the kernel for a chip's lines.
func readChip(path string) (label string, lines []Line, err error) {
	c, err := gpio.ReadChip(path)
	for n, l := range c.Lines {
		lines = append(lines, Line{Number: n, Name: l.Name, Used: l.Used, User: l.User, Output: l.Output})
	}
	return c.Label, lines, err
}
