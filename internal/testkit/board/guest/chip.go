package guest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Kernel is where the GPIO simulator is configured, and where its lines are.
type Kernel struct {
	// Config is where configfs is mounted, Devices the folder of platform devices.
	Config, Devices string
}

// UsualKernel is where they are on every system.
var UsualKernel = Kernel{Config: "/sys/kernel/config", Devices: "/sys/devices/platform"}

// Chip is one GPIO chip of the kernel's own simulator, gpio-sim, so that tests press keys and see lamps through a real
// kernel. It needs the module gpio-sim, configfs, and the superuser: usually a virtual machine. Its methods are for one
// goroutine at a time.
type Chip struct {
	folder  string // in configfs
	devices string // in sysfs
	lines   string // the chip's folder there
	name    string
}

// Held is a line that the kernel itself has, under a name such as onewire@0.
type Held struct {
	Line int
	By   string
}

// New makes a chip with a label and lines of these names; a line may have the name "". name distinguishes chips.
func (k Kernel) New(name, label string, lines []string, held ...Held) (_ *Chip, err error) {
	c := &Chip{folder: filepath.Join(k.Config, "gpio-sim", name), devices: k.Devices}
	if err := os.Mkdir(c.folder, 0o755); err != nil {
		return nil, noSimulator(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	bank := c.bank()
	if err := os.Mkdir(bank, 0o755); err != nil {
		return nil, fmt.Errorf("making a simulated chip: %w", err)
	}
	settings := [][2]string{
		{filepath.Join(bank, "num_lines"), strconv.Itoa(len(lines))},
		{filepath.Join(bank, "label"), label},
	}
	for i, name := range lines {
		if name == "" {
			continue
		}
		line := filepath.Join(bank, "line"+strconv.Itoa(i))
		if err := os.Mkdir(line, 0o755); err != nil {
			return nil, fmt.Errorf("naming line %d of a simulated chip: %w", i, err)
		}
		settings = append(settings, [2]string{filepath.Join(line, "name"), name})
	}
	for _, h := range held {
		hog := filepath.Join(bank, "line"+strconv.Itoa(h.Line), "hog")
		if err := os.MkdirAll(hog, 0o755); err != nil {
			return nil, fmt.Errorf("holding line %d of a simulated chip: %w", h.Line, err)
		}
		settings = append(settings, [2]string{filepath.Join(hog, "name"), h.By},
			[2]string{filepath.Join(hog, "direction"), "input"})
	}
	for _, s := range settings {
		if err := write(s[0], s[1]); err != nil {
			return nil, err
		}
	}
	return c, c.Appear()
}

func (c *Chip) bank() string { return filepath.Join(c.folder, "bank0") }

// Appear brings back a chip that has vanished, under the lowest number that is free.
func (c *Chip) Appear() error {
	if err := write(filepath.Join(c.folder, "live"), "1"); err != nil {
		return err
	}
	return c.find()
}

// noSimulator says what is missing where a chip cannot be made.
func noSimulator(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("the kernel's GPIO simulator is missing: `modprobe gpio-sim`, and `mount -t configfs none "+
			"/sys/kernel/config`, both as the superuser: %w", err)
	}
	return fmt.Errorf("making a simulated chip: %w", err)
}

// find asks the kernel for its name of the chip.
func (c *Chip) find() error {
	device, err := read(filepath.Join(c.folder, "dev_name"))
	if err != nil {
		return err
	}
	if c.name, err = read(filepath.Join(c.bank(), "chip_name")); err != nil {
		return err
	}
	c.lines = filepath.Join(c.devices, device, c.name)
	return nil
}

// Name is the kernel's name of the chip, such as gpiochip0, until it vanishes.
func (c *Chip) Name() string { return c.name }

// Pull pulls an input up or down, like a contact that opens or closes. Requesting a line with a pull of its own undoes
// it.
func (c *Chip) Pull(line int, up bool) error {
	to := "pull-down"
	if up {
		to = "pull-up"
	}
	return write(c.file(line, "pull"), to)
}

// High says whether a line is high.
func (c *Chip) High(line int) (bool, error) {
	value, err := read(c.file(line, "value"))
	return value == "1", err
}

func (c *Chip) file(line int, what string) string {
	return filepath.Join(c.lines, "sim_gpio"+strconv.Itoa(line), what)
}

// Vanish removes the chip, like pulling out a USB adapter.
func (c *Chip) Vanish() error { return write(filepath.Join(c.folder, "live"), "0") }

// Close removes the chip for good.
func (c *Chip) Close() error {
	var errs []error
	if live, err := read(filepath.Join(c.folder, "live")); err == nil && live == "1" {
		errs = append(errs, c.Vanish())
	}
	hogs, err := filepath.Glob(filepath.Join(c.bank(), "line*", "hog"))
	errs = append(errs, err)
	named, err := filepath.Glob(filepath.Join(c.bank(), "line*"))
	errs = append(errs, err)
	for _, folder := range slices.Concat(hogs, named, []string{c.bank(), c.folder}) {
		if err := os.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// write does not create the file: either the kernel has it, or it does not exist.
func write(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("configuring the simulated chip: %w", err)
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("configuring the simulated chip %s: %w", text, err)
	}
	return nil
}

func read(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the simulated chip: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}
