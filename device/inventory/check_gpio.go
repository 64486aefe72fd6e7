package inventory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/device/gpio"
)

// lines checks all lines together: none may be used twice.
func (c *checker) lines(uses []LineUse) {
	if len(uses) == 0 {
		return
	}
	if len(c.machine.GPIO) == 0 {
		c.addFault(uses[0].Key, "this machine has no GPIO chip",
			"use a board that has one, or remove the lines from the configuration")
		return
	}
	for _, use := range uses {
		c.line(use)
	}
}

func (c *checker) line(use LineUse) {
	chip, number := numbered(use.Line)
	found := 0
	for _, has := range c.machine.GPIO {
		if chip != "" && !has.called(chip) {
			continue
		}
		if has.Trouble != "" {
			c.chip(use.Key, has)
		}
		for _, l := range has.Lines {
			if chip != "" && l.Number == number || chip == "" && l.Name == use.Line {
				found++
				c.chip(use.Key, has)
				c.taken(use, has, l)
				c.unstable(use, has, l.Number)
			}
		}
	}
	switch {
	case found == 0 && c.blind():
		// The reason why the lines cannot be seen has been reported.
	case found == 0:
		c.addFault(use.Key, "there is no line "+use.Line, "write one of this list; chips: "+
			strings.Join(c.chipNames(), ", "))
	case found > 1:
		c.addFault(use.Key, fmt.Sprintf("%d lines are called %s", found, use.Line),
			"write the chip's label or device and the number, such as pinctrl-bcm2711:17 or 1-0020:3")
	}
}

// numbered splits chip:number; chip is empty for a name.
func numbered(line string) (chip string, number int) {
	at := strings.LastIndexByte(line, ':')
	if at < 1 {
		return "", 0
	}
	n, err := strconv.Atoi(line[at+1:])
	if err != nil || n < 0 {
		return "", 0
	}
	return line[:at], n
}

// chip judges a chip once.
func (c *checker) chip(key string, has Chip) {
	if !c.once(has.Path) {
		return
	}
	c.allowed(key, has.Path, has.Access)
	switch {
	case has.Trouble == "" || !has.Access.Allowed:
	case has.hidden:
		c.hint(key, "the lines of "+has.Path+" were not checked: "+has.Trouble, "`sudo sabot devices`")
		c.last().Unseen = true
	default:
		c.addFault(key, has.Trouble, "see `sudo dmesg | grep -i gpio`")
	}
}

// blind says whether some chip does not show its lines.
func (c *checker) blind() bool {
	return slices.ContainsFunc(c.machine.GPIO, func(has Chip) bool { return has.Trouble != "" })
}

func (c *checker) chipNames() (names []string) {
	for _, has := range c.machine.GPIO {
		names = append(names, fmt.Sprintf("%s (%s, %d lines)", has.Name, has.Label, len(has.Lines)))
	}
	return names
}

// taken judges who has a line.
func (c *checker) taken(use LineUse, has Chip, l Line) {
	at := fmt.Sprintf("%s:%d", has.Path, l.Number)
	if others := c.found.Users[at]; len(others) > 0 {
		c.addFault(use.Key, fmt.Sprintf("%s is already used for %s", use.Line, others[0]),
			"give each a line of its own")
	}
	c.uses(at, use.Key)
	if !l.Used {
		return
	}
	who, do := gpio.Info{User: l.User}.Held()
	what := fmt.Sprintf("%s is in use by %s", use.Line, who)
	if strings.HasPrefix(l.User, "sabotd@") {
		c.hint(use.Key, what,
			"nothing, if it is this table's and is to run; `sudo systemctl stop sabotd` before sabot devices watch. "+
				"Otherwise: "+do)
		return
	}
	c.addFault(use.Key, what, do)
}

// unstable hints at a chip whose number may be another tomorrow: expanders are found in no fixed order.
func (c *checker) unstable(use LineUse, has Chip, number int) {
	_, _, expander := gpio.Chip{Device: has.Device}.Bus()
	if chip, _ := numbered(use.Line); chip == has.Name && expander {
		c.hint(use.Key, fmt.Sprintf("%s is not always %s %s", has.Name, has.Label, has.Device),
			fmt.Sprintf("write %s:%d", has.Device, number))
	}
}
