package gpio

import (
	"fmt"
	"strings"
)

// holder is who may have a line, by how the name begins under which the kernel lists it, and what to do about it.
type holder struct{ begins, who, do string }

const oneWire = "remove dtoverlay=w1-gpio from /boot/firmware/config.txt, or `sudo raspi-config nonint do_onewire " +
	"1`, and restart the board"

var holders = []holder{
	{"onewire", "the kernel's 1-Wire", oneWire},
	{"w1", "the kernel's 1-Wire", oneWire},
	{"spi", "the kernel's SPI", "`sudo raspi-config nonint do_spi 1`, then restart the board"},
	{
		"sabotd@", "a table's daemon",
		"one set of lines belongs to one table: `ps -fp PID` shows which it is; stop it (`sudo systemctl stop " +
			"sabotd`), or give each table lines of its own",
	},
	{"sabot@", "sabot devices watch", "end it"},
	{"sysfs", "whoever exported it in /sys/class/gpio", "write its number to /sys/class/gpio/unexport"},
}

// Held says in one phrase who has a used line, and what to do to have it.
func (i Info) Held() (who, do string) {
	if i.User == "" {
		return "the kernel", "use another line"
	}
	for _, h := range holders {
		if strings.HasPrefix(i.User, h.begins) {
			_, pid, _ := strings.Cut(i.User, "@")
			return fmt.Sprintf("%s (%s)", i.User, h.who), strings.ReplaceAll(h.do, "PID", pid) + "; or use another line"
		}
	}
	return i.User, "stop that program, or use another line"
}
