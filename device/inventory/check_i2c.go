package inventory

import (
	"fmt"
	"slices"
	"strings"
)

// i2c checks a device on a bus.
func (c *checker) i2c(use I2CUse) {
	at := slices.IndexFunc(c.machine.I2C, func(b Bus) bool { return b.Path == use.Bus })
	if at < 0 {
		c.noBus(use)
		return
	}
	b := c.machine.I2C[at]
	c.uses(b.Path, use.Key)
	if !b.Open {
		c.addFault(use.Key, fmt.Sprintf("the bus is there, but not its device file %s", b.Path),
			"`sudo modprobe i2c-dev`; for every start: `echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf`")
		return
	}
	c.allowed(use.Key, b.Path, b.Access)
	for _, t := range b.Taken {
		if t.Address == use.Address {
			c.addFault(use.Key, fmt.Sprintf("the kernel's driver %s has address %s on %s", t.Driver, t.Address, b.Path),
				"remove its dtoverlay from /boot/firmware/config.txt, then restart the board")
		}
	}
	c.answer(use, b)
}

func (c *checker) noBus(use I2CUse) {
	if c.pi() && use.Bus == "/dev/i2c-1" {
		c.addFault(use.Key, "the bus of the header is off",
			"`sudo raspi-config nonint do_i2c 0`, which writes dtparam=i2c_arm=on; then restart the board")
		return
	}
	var buses []string
	for _, b := range c.machine.I2C {
		buses = append(buses, b.Path)
	}
	c.addFault(use.Key, "there is no bus "+use.Bus, instead(buses))
}

// answer judges the answers of the addresses, if they were asked.
func (c *checker) answer(use I2CUse, b Bus) {
	if b.Trouble != "" && b.Access.Allowed {
		c.addFault(use.Key, b.Trouble, "use another bus")
	}
	if !b.probed || slices.Contains(b.Answers, use.Address) {
		return
	}
	answers := make([]string, len(b.Answers))
	for i, a := range b.Answers {
		answers[i] = a.String()
	}
	do := "check its power, SDA and SCL"
	if len(answers) > 0 {
		do += ", and its jumpers; these answer: " + strings.Join(answers, ", ")
	}
	c.addFault(use.Key, fmt.Sprintf("nothing answers at %s on %s", use.Address, b.Path), do)
}
