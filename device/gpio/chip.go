package gpio

import (
	"fmt"
	"strings"
)

// Chip is a GPIO chip of this machine.
type Chip struct {
	// Name is the kernel's, such as gpiochip0, and may differ after the next start; Label is the driver's, such as
	// pinctrl-bcm2711; Path the device file.
	Name, Label, Path string
	// Lines are the names of its lines, in the order of their numbers. A line may
	// have none.
	Lines []string
}

// place is a line of a machine: the chip's place in a list, and the line's number.
type place struct{ chip, number int }

// find returns the one place that a line names.
func find(chips []Chip, l Line) (place, error) {
	if l.chip != "" {
		return findNumber(chips, l)
	}
	var found []place
	for i, c := range chips {
		for n, name := range c.Lines {
			if name == l.name {
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
		forms[i] = fmt.Sprintf("%s:%d", chips[at.chip].Name, at.number)
	}
	return place{}, l.fault("open", ErrAmbiguous, "write one of "+strings.Join(forms, ", "))
}

// findNumber finds a line by chip and number. Several chips may have one label.
func findNumber(chips []Chip, l Line) (place, error) {
	var found, others []string
	at := place{number: l.number}
	for i, c := range chips {
		if c.Name != l.chip && c.Label != l.chip {
			others = append(others, c.Name+" is "+c.Label)
			continue
		}
		at.chip, found = i, append(found, c.Name)
	}
	switch {
	case len(found) == 0:
		return place{}, l.fault("open", ErrNoLine, "there is no such chip: "+strings.Join(others, ", "))
	case len(found) > 1:
		return place{}, l.fault("open", ErrAmbiguous, "write the chip's name, one of "+strings.Join(found, ", "))
	case l.number >= len(chips[at.chip].Lines):
		return place{}, l.fault("open", ErrNoLine, fmt.Sprintf("%s has the lines 0 to %d", l.chip, len(chips[at.chip].Lines)-1))
	}
	return at, nil
}

// findAll finds the places of lines, which must all be different.
func findAll(chips []Chip, lines []Line) ([]place, error) {
	places := make([]place, len(lines))
	first := make(map[place]Line)
	for i, l := range lines {
		at, err := find(chips, l)
		if err != nil {
			return nil, err
		}
		if other, twice := first[at]; twice {
			return nil, l.fault("open", ErrTwice, fmt.Sprintf("it is the same line as %s (%s): give each a line of its own", other.Use, other.Address()))
		}
		places[i], first[at] = at, l
	}
	return places, nil
}
