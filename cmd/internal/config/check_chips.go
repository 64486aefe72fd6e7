package config

import (
	"fmt"

	"github.com/sabot-table/sabot/table/profile"
)

// mostChips is how many chips fit side by side on a screen.
const mostChips = 8

// chips wants the chips in order, and multiples of the unit.
func (k checker) chips(houses profile.Book) {
	c := k.config
	if !k.doc.Has("chips") || !k.doc.Sound("chips") {
		return
	}
	if n := len(c.Chips); n == 0 || n > mostChips {
		k.doc.Refuse("chips", fmt.Sprintf("%d chips do not fit on the screen", n), fmt.Sprintf("write 1 to %d of them, or remove the line", mostChips))
		return
	}
	unit := c.Unit
	if house, ok := houses[c.House]; ok && unit == 0 {
		unit = Amount(house.Table.Unit)
	}
	for i, chip := range c.Chips {
		path := fmt.Sprintf("chips[%d]", i)
		switch {
		case i > 0 && chip <= c.Chips[i-1]:
			k.doc.Refuse(path, fmt.Sprintf("a chip of %s comes after one of %s", chip, c.Chips[i-1]), "write each once, the smallest first")
		case unit > 0 && chip%unit != 0:
			k.doc.Refuse(path, fmt.Sprintf("a chip of %s is not a multiple of the unit %s", chip, unit), "remove it, or change unit")
		}
	}
	if !c.Amounts {
		k.doc.Refuse("chips", "nobody enters amounts at this table", "remove it, or write amounts: true")
	}
}
