package config

import (
	"cmp"
	"fmt"

	"github.com/sabot-table/sabot/table/profile"
)

// mostChips is how many chips fit side by side on a screen.
const mostChips = 8

// chips wants the chips in order, multiples of the unit, and limits that can be laid with them.
func (k checker) chips(houses profile.Book) {
	c := k.config
	if !k.doc.Has("chips") || !k.doc.Sound("chips") {
		return
	}
	if n := len(c.Chips); n == 0 || n > mostChips {
		k.doc.Refuse("chips", fmt.Sprintf("%d chips do not fit on the screen", n),
			fmt.Sprintf("write 1 to %d of them, or remove the line", mostChips))
		return
	}
	unit := c.Unit
	house, known := houses[c.House]
	if known && unit == 0 {
		unit = Amount(house.Table.Unit)
	}
	for i, chip := range c.Chips {
		path := fmt.Sprintf("chips[%d]", i)
		switch {
		case i > 0 && chip <= c.Chips[i-1]:
			k.doc.Refuse(path, fmt.Sprintf("a chip of %s comes after one of %s", k.text(chip), k.text(c.Chips[i-1])),
				"write each once, the smallest first")
		case unit > 0 && chip%unit != 0:
			k.doc.Refuse(path, fmt.Sprintf("a chip of %s is not a multiple of the unit %s", k.text(chip), k.text(unit)),
				"remove it, or change unit")
		case known && (c.Currency == "" || c.Currency == house.Table.Currency) && !house.HasChip(int64(chip)):
			k.doc.Refuse(path, fmt.Sprintf("the house has no chip of %s", k.text(chip)),
				"write chips that the house's profile lists, or remove the line")
		}
	}
	k.limitsInChips(houses)
	if !c.Amounts {
		k.doc.Refuse("chips", "nobody enters amounts at this table", "remove it, or write amounts: true")
	}
}

// limitsInChips wants limits that the chips can make up: a stake that no chips come to cannot lie on the felt.
func (k checker) limitsInChips(houses profile.Book) {
	c := k.config
	house, known := houses[c.House]
	if !known || !k.doc.Sound("chips") || !k.doc.Sound("min") || !k.doc.Sound("box_max") {
		return
	}
	for _, limit := range []struct {
		path, name string
		amount     Amount
	}{
		{"min", "minimum", cmp.Or(c.Min, Amount(house.Rules.Table.Min))},
		{"box_max", "box maximum", cmp.Or(c.BoxMax, Amount(house.Rules.Table.BoxMax))},
	} {
		if limit.amount%common(c.Chips) != 0 || limit.amount < c.Chips[0] {
			what := fmt.Sprintf("the %s %s cannot be laid with these chips", limit.name, k.text(limit.amount))
			k.doc.Refuse(k.written(limit.path, "chips"), what, "change one of the two")
		}
	}
}

// common is the largest amount of which all chips are multiples.
func common(chips []Amount) Amount {
	of := chips[0]
	for _, chip := range chips[1:] {
		for chip != 0 {
			of, chip = chip, of%chip
		}
	}
	return of
}
