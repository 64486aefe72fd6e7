package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/profile"
)

// panel checks the keys, what their long presses do, and the signals.
func (k checker) panel(houses profile.Book) {
	k.wires()
	k.longPresses()
	k.shoeKeys()
	k.sensors(houses)
}

// wires refuses lines that are not valid, and two uses of one line. A line written in two
// ways, as GPIO17 and gpiochip0:17, is found when the chips are opened.
func (k checker) wires() {
	first := make(map[string]string)
	for _, w := range k.config.Wires() {
		if !k.doc.Has(w.Path) {
			continue
		}
		line, err := w.Parse()
		if err != nil {
			k.doc.Refuse(w.Path, err.Error(), "")
			continue
		}
		other, twice := first[line.Address()]
		if twice {
			k.doc.Refuse(w.Path, fmt.Sprintf("%s is also the line of %s", line.Address(), other),
				"give each a line of its own")
			continue
		}
		first[line.Address()] = w.Path
		k.onHeader(w.Path, line.Address())
	}
}

// mostOnHeader is the last line of the 40 pins of a Raspberry Pi.
const mostOnHeader = 27

// busLines are the lines of a Raspberry Pi's header that carry a bus (BCM2835 ARM Peripherals, table 6-31), each with
// an expression of what is on it, which is compiled where one of the lines is wired: hardly any table has that.
var busLines = []struct {
	lines []string
	bus   string
}{
	{[]string{"GPIO0", "GPIO1"}, `^(/dev/i2c-0|0-[0-9a-f]{4}:.*)$`},
	{[]string{"GPIO2", "GPIO3"}, `^(/dev/i2c-1|1-[0-9a-f]{4}:.*)$`},
	{[]string{"GPIO14", "GPIO15"}, `^/dev/(serial0|ttyAMA0|ttyS0)$`},
}

// onHeader refuses a line that the header of a Raspberry Pi does not have, and one that carries a bus in use.
func (k checker) onHeader(path, line string) {
	number, is := strings.CutPrefix(line, "GPIO")
	if n, err := strconv.Atoi(number); is && err == nil && n > mostOnHeader {
		what := fmt.Sprintf("%s is not on the 40 pins of a Raspberry Pi, which end with GPIO%d", line, mostOnHeader)
		k.doc.Refuse(path, what,
			fmt.Sprintf("write a line that is, or chip and number such as gpiochip0:%d for a line elsewhere", n))
	}
	for _, b := range busLines {
		if !slices.Contains(b.lines, line) {
			continue
		}
		bus := regexp.MustCompile(b.bus)
		for _, used := range k.buses() {
			if bus.MatchString(used.on) {
				what := fmt.Sprintf("%s carries the bus on which %s is, %s", line, used.path, used.on)
				k.doc.Refuse(path, what, "use another line")
				break
			}
		}
	}
}

type busUse struct{ path, on string }

// buses are what the file says of buses: the display's, the shoe's, and those of chips that have lines of the panel.
func (k checker) buses() []busUse {
	list := []busUse{{"lcd.bus", k.config.LCD.Bus}, {"shoe.port", k.config.Shoe.Port}}
	for _, w := range k.config.Wires() {
		list = append(list, busUse{w.Path, w.Line})
	}
	return list
}

func (k checker) longPresses() {
	names := PerKey{}.Keys()
	for _, b := range k.config.Buttons() {
		own := inFile(b.Key)
		path := "long_press." + own
		switch {
		case !k.doc.Has(path):
		case !slices.Contains(names, b.long):
			k.doc.OneOf(path, b.long, names...)
		case b.long == own:
			k.doc.Refuse(path, "a long press would do the same as a short one", "name another key, or remove it")
		case b.Line == "":
			k.doc.Refuse(path, "the key has no line", "add "+b.Path+", or remove it")
		}
	}
}

// shoeKeys refuses keys of the shoe that do what no key does, or that it does not have.
func (k checker) shoeKeys() {
	names := PerKey{}.Keys()
	for _, number := range (PerNumber{}).Keys() {
		path := "shoe.keys." + number
		if k.doc.Has(path) {
			k.doc.OneOf(path, k.config.Shoe.Keys.Does[number], names...)
		}
	}
	if m, err := makes.Named(k.config.Shoe.Driver); err == nil && m.Keys == 0 && k.doc.Has("shoe.keys") {
		k.doc.Refuse("shoe.keys", fmt.Sprintf("a shoe of driver %s has no keys", m.Name), "remove it")
	}
}

// sensors refuses sensors of boxes that the table does not have.
func (k checker) sensors(houses profile.Book) {
	house, known := houses[k.config.House]
	if !known || !k.doc.Sound("boxes") {
		return
	}
	boxes := cmp.Or(k.config.Boxes, house.Table.Boxes)
	for i, name := range (PerBox{}).Keys() {
		if path := "keys." + name; i+1 > boxes && k.doc.Has(path) {
			k.doc.Refuse(path, fmt.Sprintf("the table has %d boxes", boxes), "remove it, or change boxes")
		}
	}
}
