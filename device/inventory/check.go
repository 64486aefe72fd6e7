package inventory

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/device"
)

// Uses is what a table is configured to use.
type Uses struct {
	Ports []PortUse
	Lines []LineUse
	I2C   []I2CUse
}

// PortUse is a serial port, and the key of the configuration that names it.
type PortUse struct {
	Key     string
	Address device.Address
}

// LineUse is a GPIO line, named by its name, or by its chip's name or label and its
// number: gpiochip0:17.
type LineUse struct{ Key, Line string }

// I2CUse is a device on a bus.
type I2CUse struct {
	Key     string
	Bus     string
	Address Address
}

// Problem is something that keeps the table from using what it is configured to use.
type Problem struct {
	// Key is the configuration's key.
	Key string `json:"key"`
	// What is wrong, and what to Do: commands are in backquotes.
	What string `json:"what"`
	Do   string `json:"do"`
	// Hint says that the table works nevertheless.
	Hint bool `json:"hint,omitempty"`
	// Group is the group in which the user is missing, if that is what is wrong.
	Group string `json:"group,omitempty"`
	// Unseen says that nothing is known to be wrong: the user who asks may not see it.
	Unseen bool `json:"unseen,omitempty"`
}

// Finding is what Check says about a machine.
type Finding struct {
	// Users are the keys that use something, by its path; for a line, by the chip's path and the line's number:
	// /dev/gpiochip0:17.
	Users    map[string][]string
	Problems []Problem
}

// Check compares a machine with what a table uses. The order of the problems is that of
// the uses.
func Check(s Source, m Machine, u Uses) Finding {
	c := checker{
		source: s, machine: m, told: map[string]bool{},
		found: Finding{Users: map[string][]string{}, Problems: []Problem{}},
	}
	for _, use := range u.Ports {
		c.port(use)
	}
	c.lines(u.Lines)
	for _, use := range u.I2C {
		c.i2c(use)
	}
	return c.found
}

type checker struct {
	source  Source
	machine Machine
	found   Finding
	// told are the chips and the groups that have been reported.
	told map[string]bool
}

func (c *checker) addFault(key, what, do string) {
	c.found.Problems = append(c.found.Problems, Problem{Key: key, What: what, Do: do})
}

func (c *checker) hint(key, what, do string) {
	c.found.Problems = append(c.found.Problems, Problem{Key: key, What: what, Do: do, Hint: true})
}

// last is the problem that was found last.
func (c *checker) last() *Problem { return &c.found.Problems[len(c.found.Problems)-1] }

func (c *checker) uses(path, key string) {
	c.found.Users[path] = append(c.found.Users[path], key)
}

// once says whether something is reported for the first time.
func (c *checker) once(what string) bool {
	first := !c.told[what]
	c.told[what] = true
	return first
}

// allowed judges the user's access to a device file. A group that the user is not in is reported once.
func (c *checker) allowed(key, path string, a Access) {
	user := c.machine.User
	switch {
	case a.Allowed, !c.once("group " + cmp.Or(a.Group, path)):
	case a.Login:
		c.addFault(key, fmt.Sprintf("%s is in group %s only from the next login on", user, a.Group),
			"log out and in again")
	case a.Group == "" || a.Group == "root":
		c.addFault(key, fmt.Sprintf("only root may use %s", path),
			fmt.Sprintf("see `ls -l %s`: a udev rule must give it to a group", path))
	default:
		c.addFault(key, fmt.Sprintf("%s may not use %s: not in group %s", user, path, a.Group),
			fmt.Sprintf("`sudo usermod -aG %s %s`, then log in again", a.Group, user))
		c.last().Group = a.Group
	}
}

// pi says whether the machine is a Raspberry Pi, which has a command for its settings.
func (c *checker) pi() bool { return strings.HasPrefix(c.machine.Model, "Raspberry Pi") }

// pi5 says whether the machine is a Raspberry Pi whose header is on a chip of its own, the RP1.
func (c *checker) pi5() bool {
	return strings.HasPrefix(c.machine.Model, "Raspberry Pi 5") ||
		strings.HasPrefix(c.machine.Model, "Raspberry Pi Compute Module 5")
}

// instead says what could be written in place of something that does not exist.
func instead(names []string) string {
	if len(names) == 0 {
		return "there is no other"
	}
	return "write one that is there: " + strings.Join(names, ", ")
}
