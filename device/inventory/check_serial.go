package inventory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// modules are the kernel's drivers for the usual converters, by the USB vendor.
var modules = map[string]string{"0403": "ftdi_sio", "067b": "pl2303", "10c4": "cp210x", "1a86": "ch341"}

// port checks a port: one of this machine's, or one across the network.
func (c *checker) port(use PortUse) {
	address := use.Address.String()
	if strings.HasPrefix(address, "tcp://") {
		c.server(use.Key, use.Address)
		return
	}
	if address == "/dev/serial0" && c.pi5() && c.source.real(address) != "/dev/ttyAMA0" {
		c.addFault(use.Key, "on this board /dev/serial0 is the plug for debugging, not the header",
			"write /dev/ttyAMA0, and dtparam=uart0 into /boot/firmware/config.txt, then restart the board")
		return
	}
	var fits []SerialPort
	for _, p := range c.machine.Serial {
		if c.fits(p, address) {
			fits = append(fits, p)
		}
	}
	switch len(fits) {
	case 0:
		c.noPort(use.Key, address)
	case 1:
		c.uses(fits[0].Path, use.Key)
		c.usable(use.Key, fits[0])
		c.onlyOne(use.Key, address, fits[0])
	default:
		for _, p := range fits {
			c.uses(p.Path, use.Key)
		}
		c.addFault(use.Key, "several ports fit "+address, c.writeOne(fits))
	}
}

// onlyOne judges an address that means this port today, and may mean one that is alike after both were plugged in
// again.
func (c *checker) onlyOne(key, address string, p SerialPort) {
	if strings.HasPrefix(address, byPath) {
		return
	}
	var twins []SerialPort
	for _, other := range c.machine.Serial {
		if other.Path == p.Path || p.alike(other) {
			twins = append(twins, other)
		}
	}
	if len(twins) > 1 {
		c.addFault(key, address+
			" is whichever of these converters was plugged in last: they have no numbers of their own",
			c.writeOne(twins))
	}
}

// writeOne says which addresses mean one of these ports each.
func (c *checker) writeOne(ports []SerialPort) string {
	var addresses []string
	bySocket := false
	for _, p := range ports {
		addresses = append(addresses, p.Address)
		bySocket = bySocket || strings.HasPrefix(p.Address, byPath)
	}
	do := "write one of " + strings.Join(addresses, ", ")
	if bySocket {
		do += "; each is a socket, which the converter has to stay in: sabot devices watch, and draw a card, shows " +
			"which is which"
	}
	return do
}

// fits says whether an address in one of device.ParseAddress's forms means a port.
func (c *checker) fits(p SerialPort, address string) bool {
	if name, ok := strings.CutPrefix(address, "by-id:"); ok {
		return slices.Contains(p.Links, byID+name)
	}
	if id, ok := strings.CutPrefix(address, "usb:"); ok {
		numbers := p.Vendor + ":" + p.Product
		return p.Vendor != "" && (id == numbers || id == numbers+":"+p.Serial)
	}
	return address == p.Path || slices.Contains(p.Links, address)
}

func (c *checker) noPort(key, address string) {
	if path := c.source.real(address); strings.HasPrefix(address, "/") && path != "" {
		c.otherFile(key, address, path)
		return
	}
	if module := c.noDriver(address); module != "" {
		c.addFault(key, "the USB device is there, but the kernel has not made a port for it",
			fmt.Sprintf("`sudo modprobe %s`", module))
		return
	}
	if c.pi() && slices.Contains([]string{"/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"}, address) {
		c.addFault(key, "the board's own port is off",
			"`sudo raspi-config nonint do_serial_hw 0`, then restart the board")
		return
	}
	var addresses []string
	for _, p := range c.machine.Serial {
		addresses = append(addresses, p.Address)
	}
	do := "plug it in"
	if len(addresses) > 0 {
		do += ", or " + instead(addresses)
	}
	c.addFault(key, "there is no serial port "+address, do)
}

// noDriver names the missing module where a USB device is present, but neither it nor another of its kind has a port.
func (c *checker) noDriver(address string) (module string) {
	numbers, ok := strings.CutPrefix(address, "usb:")
	if !ok {
		return ""
	}
	vendor, product := numbers[:4], numbers[5:9] // always four digits each
	alike := func(p SerialPort) bool { return p.Vendor == vendor && p.Product == product }
	if slices.ContainsFunc(c.machine.Serial, alike) || !c.source.hasUSB(vendor, product) {
		return ""
	}
	return cmp.Or(modules[vendor], "cdc_acm")
}

// otherFile judges a path that leads to something other than a port in the kernel's list, such as a pseudo-terminal of
// the simulator.
func (c *checker) otherFile(key, address, path string) {
	if !strings.HasPrefix(path, "/dev/pts/") {
		c.addFault(key, address+" is not a serial port", "`ls -l /dev/serial/by-id` shows the ports that are there")
		return
	}
	access, _ := c.source.access(path, c.machine.user)
	c.allowed(key, path, access)
}

// usable judges a port that exists.
func (c *checker) usable(key string, p SerialPort) {
	c.allowed(key, p.Path, p.Access)
	if p.Console {
		do := fmt.Sprintf("remove its console=… from the kernel's command line, and `sudo systemctl disable --now "+
			"serial-getty@%s`", p.Path[len("/dev/"):])
		if c.pi() {
			do = "`sudo raspi-config nonint do_serial_cons 1`, then restart the board"
		}
		c.addFault(key, "the system writes its own messages on "+p.Path, do)
	}
	for _, h := range p.Holders {
		c.heldBy(key, p.Path, h)
	}
	if p.Latency > 1 {
		c.hint(key, fmt.Sprintf("the converter holds back the last bytes of a message for up to %d ms", p.Latency),
			fmt.Sprintf("`echo 1 | sudo tee /sys/bus/usb-serial/devices/%s/latency_timer`; docs/wiring.md has a "+
				"rule that does so each time", p.Path[len("/dev/"):]))
	}
}

// heldBy judges a program that has a port open. The table's own daemon may.
func (c *checker) heldBy(key, path string, h Process) {
	what := fmt.Sprintf("%s is in use by %s (process %d)", path, h.Name, h.PID)
	switch h.Name {
	case "sabotd":
		c.hint(key, what, "nothing, if the table is to run; `sudo systemctl stop sabotd` before sabot devices watch")
	case "ModemManager":
		c.addFault(key, what, "`sudo systemctl disable --now ModemManager`")
	case "brltty":
		c.addFault(key, what, "`sudo apt-get remove brltty`")
	default:
		c.addFault(key, what, fmt.Sprintf("stop it: `sudo kill %d`", h.PID))
	}
}
