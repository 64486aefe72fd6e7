// Package inventory lists what a table can be wired to on a machine: serial ports, GPIO lines, I2C buses, who uses them
// and who may. It opens no port, takes no line, and writes nothing; Check compares what it found with what a table
// needs. Only Check calls anybody: a port across the network to which no program of this machine is connected.
package inventory

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/host/v3/distro"

	"github.com/sabot-table/sabot/device"
)

// Machine is what a machine has, also as JSON: fields may be added, but none renamed.
type Machine struct {
	// Model is what the board calls itself; empty if it has no such name.
	Model string `json:"model,omitempty"`
	// User is the user whose rights are checked.
	User   string       `json:"user"`
	Serial []SerialPort `json:"serial"`
	GPIO   []Chip       `json:"gpio"`
	I2C    []Bus        `json:"i2c"`

	user User
}

// Source is where an inventory comes from: System, or a made-up tree of files.
type Source struct {
	// Root is where the machine's files begin.
	Root string
	// Stat says to whom a device file belongs; the path starts with Root.
	Stat func(path string) (Node, error)
	// Chip reads a GPIO chip's label and lines, Bus opens an I2C bus; their paths are
	// those of the machine.
	Chip func(path string) (label string, lines []Line, err error)
	Bus  func(path string) (i2c.BusCloser, error)
	// Dial connects to a port across the network and hangs up at once.
	Dial func(a device.Address) error
}

// System is this machine.
func System() Source {
	return Source{
		Root: "/", Stat: stat, Chip: readChip,
		Bus:  func(path string) (i2c.BusCloser, error) { return device.OpenBus(path) },
		Dial: dial,
	}
}

// Read lists what the machine has, as a user sees it. With probe, every address of every I2C bus is read from once,
// which a few devices do not like. The error says what could not be read; the rest is valid.
func Read(s Source, u User, probe bool) (Machine, error) {
	m := Machine{Model: s.model(), User: u.Name, user: u}
	users := s.holders()
	var err error
	m.Serial, err = s.serialPorts(u, users)
	m.GPIO = s.chips(u)
	m.I2C = s.buses(u, probe)
	return m, err
}

// model is what the device tree calls the board.
func (s Source) model() string {
	if s.Root == "/" {
		return strings.ReplaceAll(distro.DTModel(), "<unknown>", "")
	}
	return strings.TrimRight(s.text("/proc/device-tree/model"), "\x00")
}

// text reads a small file of the machine; "" if it does not exist.
func (s Source) text(path string) string {
	b, err := os.ReadFile(s.at(path))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func (s Source) at(path string) string { return filepath.Join(s.Root, path) }

// names lists a folder's entries that begin with a prefix, in the order in which a
// person counts: i2c-2 before i2c-10.
func (s Source) names(folder, prefix string) []string {
	entries, err := os.ReadDir(s.at(folder))
	if err != nil {
		return nil // a machine without any of these has no folder for them either
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return names
}

// real follows links to the file that a path of the machine leads to; "" if it does not exist.
func (s Source) real(path string) string {
	target, err := filepath.EvalSymlinks(s.at(path))
	if err != nil {
		return ""
	}
	root, err := filepath.EvalSymlinks(s.Root)
	if err != nil {
		return ""
	}
	return filepath.Join("/", strings.TrimPrefix(target, root))
}
