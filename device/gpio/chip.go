package gpio

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Chip is a GPIO chip of this machine.
type Chip struct {
	// Name is the kernel's, such as gpiochip0, and may differ after the next start; Label is the driver's, such as
	// pinctrl-bcm2711, of which there may be several; Device is what the chip is a part of, such as 1-0020, the device
	// with address 0x20 on I2C bus 1.
	Name, Label, Device string
	// Links are other names of the device file, such as gpiochip4 on a Raspberry Pi 5.
	Links []string
	// Lines are its lines, in the order of their numbers.
	Lines []Info

	file *os.File
}

// Info is what the kernel says about a line.
type Info struct {
	// Name may be empty.
	Name string
	// Used says that a program or a driver has the line; User is what it called itself, which may be empty.
	Used   bool
	User   string
	Output bool
}

// Called says whether a chip has this name, label or device.
func (c Chip) Called(name string) bool {
	return name == c.Label || name == c.Device || c.numbered(name)
}

// numbered says whether a name is that of a chip's number.
func (c Chip) numbered(name string) bool { return name == c.Name || slices.Contains(c.Links, name) }

// same says whether two descriptions are of one chip, which may have come back under another number.
func (c Chip) same(other Chip) bool {
	return c.Device == other.Device && c.Label == other.Label &&
		slices.EqualFunc(c.Lines, other.Lines, func(a, b Info) bool { return a.Name == b.Name })
}

// stable is the name of a chip that stays when its number changes, among these chips.
func (c Chip) stable(chips []Chip) string {
	alone := func(name string) bool {
		n := 0
		for _, other := range chips {
			if other.Called(name) {
				n++
			}
		}
		return name != "" && n == 1
	}
	switch {
	case alone(c.Label):
		return c.Label
	case alone(c.Device):
		return c.Device
	}
	return c.Name
}

// place is a line of a machine: the chip's place in a list, and the line's number.
type place struct{ chip, number int }

// find returns the one place that a line names. Where it names the chip by number, was is the chip that had the number
// when the line was first found, nil before.
func find(chips []Chip, l Line, was *Chip) (place, error) {
	switch {
	case l.chip == "":
		return findName(chips, l)
	case was != nil:
		return findAgain(chips, l, was)
	}
	return findNumber(chips, l)
}

func findName(chips []Chip, l Line) (place, error) {
	var found []place
	for i, c := range chips {
		for n, line := range c.Lines {
			if line.Name == l.name {
				found = append(found, place{i, n})
			}
		}
	}
	switch len(found) {
	case 0:
		return place{}, l.fault("open", ErrNoLine, listHint)
	case 1:
		return found[0], nil
	}
	forms := make([]string, len(found))
	for i, at := range found {
		forms[i] = fmt.Sprintf("%s:%d", chips[at.chip].stable(chips), at.number)
	}
	return place{}, l.fault("open", ErrAmbiguous, "write one of "+strings.Join(forms, ", "))
}

// findNumber finds a line by chip and number. Several chips may have one label.
func findNumber(chips []Chip, l Line) (place, error) {
	var found, others []string
	at := place{number: l.number}
	for i, c := range chips {
		if !c.Called(l.chip) {
			others = append(others, c.Name+" is "+c.Label)
			continue
		}
		at.chip, found = i, append(found, c.stable(chips))
	}
	switch {
	case len(found) == 0:
		return place{}, l.fault("open", ErrNoLine, "there is no such chip: "+strings.Join(others, ", "))
	case len(found) > 1:
		return place{}, l.fault("open", ErrAmbiguous, "write one of "+strings.Join(found, ", ")+" for the chip")
	case l.number >= len(chips[at.chip].Lines):
		return place{}, l.fault("open", ErrNoLine,
			fmt.Sprintf("%s has the lines 0 to %d", l.chip, len(chips[at.chip].Lines)-1))
	}
	return at, nil
}

// findAgain finds a line of a chip that may have come back under another number, while another may have taken its own.
func findAgain(chips []Chip, l Line, was *Chip) (place, error) {
	i := slices.IndexFunc(chips, was.same)
	if i < 0 {
		return place{}, l.fault("open", ErrNoLine, fmt.Sprintf("%s was %s of %s, which is not there", was.Name,
			was.Label, was.Device))
	}
	return place{i, l.number}, nil
}
