package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/device/inventory"
	devicesof "github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/health"
)

// The groups to which Debian and Raspberry Pi OS give the devices of a table.
const (
	serialGroup = "dialout"
	linesGroup  = "gpio"
	busGroup    = "i2c"
)

// lookAtDevices looks for what keeps the table's user from using what the configuration names.
func (x *exam) lookAtDevices() {
	if x.withoutConfig(health.AreaDevices, "those of the table") {
		return
	}
	uses, err := devicesof.UsesOf(*x.config)
	if err != nil {
		x.unseen(health.AreaDevices, "those of the table", err.Error())
		return
	}
	m, err := inventory.Read(x.Machine, x.user, false)
	if err != nil {
		x.unseen(health.AreaDevices, "some of this computer", why(err))
	} else {
		x.port = shoePort(m, uses)
	}
	told := map[string]bool{}
	for _, p := range inventory.Check(x.Machine, m, uses).Problems {
		switch {
		case p.Group != "":
			told[p.Group] = true
			x.missesGroup(p.Group, p.Key)
		case p.Unseen:
			x.unseen(health.AreaDevices, p.Key, p.What+": ask again as root, sudo sabot doctor")
		case strings.Contains(p.What, " is in use by ModemManager "), strings.Contains(p.What, " is in use by brltty "):
			// lookAtPort says what they do there.
		case !p.Hint:
			x.wrong("device-unusable", p.Key+": "+p.What, strings.ReplaceAll(p.Do, "`", ""))
		}
	}
	x.lookAtGroups(uses, told)
	x.lookAtHolders(m, uses)
}

// lookAtGroups looks for groups of devices that are not plugged in now.
func (x *exam) lookAtGroups(uses inventory.Uses, told map[string]bool) {
	for _, need := range []struct {
		group string
		keys  []string
	}{
		{serialGroup, serialKeys(uses)}, {linesGroup, lineKeys(uses)}, {busGroup, busKeys(uses)},
	} {
		gid, members := x.group(need.group)
		if len(need.keys) == 0 || gid < 0 || told[need.group] || x.user.UID == 0 {
			continue
		}
		if !slices.Contains(x.user.Groups, gid) && !slices.Contains(members, x.user.Name) {
			x.missesGroup(need.group, need.keys[0])
		}
	}
}

func (x *exam) missesGroup(group, key string) {
	x.wrong("group-missing", fmt.Sprintf("%s is not in %s, for %s", x.user.Name, group, key),
		fmt.Sprintf("sudo usermod -aG %s %s, then systemctl restart sabotd", group, x.user.Name))
}

// group is a group's number, -1 for none, and who is in it by name.
func (x *exam) group(name string) (gid int, members []string) {
	for line := range strings.Lines(x.text("etc/group")) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) < 4 || f[0] != name {
			continue
		}
		if n, err := strconv.Atoi(f[2]); err == nil {
			return n, strings.Split(f[3], ",")
		}
	}
	return -1, nil
}

func serialKeys(u inventory.Uses) (keys []string) {
	for _, p := range u.Ports {
		if a := p.Address.String(); !strings.HasPrefix(a, "tcp://") && !strings.HasPrefix(a, "/dev/pts/") {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

func lineKeys(u inventory.Uses) (keys []string) {
	for _, l := range u.Lines {
		keys = append(keys, l.Key)
	}
	return keys
}

func busKeys(u inventory.Uses) (keys []string) {
	for _, b := range u.I2C {
		keys = append(keys, b.Key)
	}
	return keys
}

// lookAtHolders says whether it could be seen which programs have the shoe's port open.
func (x *exam) lookAtHolders(m inventory.Machine, uses inventory.Uses) {
	p := shoePort(m, uses)
	if p != nil && len(p.Holders) == 0 && x.Machine.Current().UID != 0 {
		x.unseen(health.AreaDevices, "which program has "+p.Path+" open", "only root sees it: sudo sabot doctor")
	}
}

// shoePort is the serial port of the shoe; nil if it is not plugged in, or is none.
func shoePort(m inventory.Machine, uses inventory.Uses) *inventory.SerialPort {
	for _, use := range uses.Ports {
		a := use.Address.String()
		for i := range m.Serial {
			p := &m.Serial[i]
			id := "usb:" + p.Vendor + ":" + p.Product
			if a == p.Path || a == p.Address || slices.Contains(p.Links, a) || p.Vendor != "" &&
				(a == id || a == id+":"+p.Serial) {
				return p
			}
		}
	}
	return nil
}

// lookAtPort looks for programs that take a USB shoe for something else. What is plugged in was read by lookAtDevices.
func (x *exam) lookAtPort() {
	address := ""
	if x.config != nil {
		address = x.config.Shoe.Port
	}
	if strings.HasPrefix(address, "tcp://") || strings.HasPrefix(address, "/dev/pts/") ||
		strings.Contains(address, "ttyAMA") || strings.Contains(address, "/dev/serial0") {
		return
	}
	port := x.usbOf(address)
	if pid, runs := x.running["ModemManager"]; (runs || x.starts("ModemManager.service")) && !x.ignored(port) {
		how := "it starts with the computer"
		if runs {
			how = fmt.Sprintf("it runs as process %d", pid)
		}
		x.wrong("port-probed", how, "")
	}
	rule := x.brlttyRule(port)
	switch pid, runs := x.running["brltty"]; {
	case rule != "":
		x.wrong("port-seized", rule, "")
	case runs:
		x.wrong("port-seized", fmt.Sprintf("it runs as process %d", pid), "")
	case x.starts("brltty.service"):
		x.wrong("port-seized", "it starts with the computer", "")
	}
}

// usb is a converter: its port, if it has one, and its numbers.
type usb struct{ path, vendor, product string }

// usbOf finds the converter that an address means.
func (x *exam) usbOf(address string) (u usb) {
	if id, is := strings.CutPrefix(address, "usb:"); is {
		f := strings.Split(id, ":")
		if len(f) >= 2 {
			u.vendor, u.product = f[0], f[1]
		}
	}
	if p := x.port; p != nil {
		u = usb{p.Path, cmp.Or(p.Vendor, u.vendor), cmp.Or(p.Product, u.product)}
	}
	return u
}

// ignored reports whether a rule of udev has told ModemManager to leave the port alone.
func (x *exam) ignored(port usb) bool {
	number := x.text(filepath.Join("sys/class/tty", filepath.Base(port.path), "dev"))
	if port.path == "" || number == "" {
		return false
	}
	known := x.text("run/udev/data/c" + number)
	return strings.Contains(known, "ID_MM_DEVICE_IGNORE=1") || strings.Contains(known, "ID_MM_PORT_IGNORE=1")
}

// brlttyRule is the file of the rules by which udev gives the converter to brltty, "" for none. They name numbers
// without the zeros before them, in older versions with them.
func (x *exam) brlttyRule(port usb) string {
	if port.vendor == "" {
		return ""
	}
	short := strings.TrimLeft(port.vendor, "0") + "/" + strings.TrimLeft(port.product, "0") + "/"
	for _, folder := range []string{"etc/udev/rules.d", "usr/lib/udev/rules.d", "lib/udev/rules.d"} {
		files, _ := filepath.Glob(filepath.Join(x.at(folder), "*brltty*.rules")) // the pattern is right
		for _, file := range files {
			for line := range strings.Lines(x.textOf(file)) {
				line = strings.ToLower(strings.TrimSpace(line))
				long := strings.Contains(line, `"`+port.vendor+`"`) && strings.Contains(line, `"`+port.product+`"`)
				// A rule that also asks for the name of a maker of displays does not mean the shoe.
				named := strings.Contains(line, "attrs{manufacturer}") || strings.Contains(line, "attrs{product}")
				if !strings.HasPrefix(line, "#") && !named && (long || strings.Contains(line, `"`+short)) {
					return fmt.Sprintf("%s names %s:%s",
						strings.TrimPrefix(file, strings.TrimSuffix(x.Machine.Root, "/")), port.vendor, port.product)
				}
			}
		}
	}
	return ""
}
