package rules

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Chip is a chip, or a plaque, that lies on the house's tables.
type Chip struct {
	Value Money `yaml:"value,required" doc:"What it is worth; a multiple of table.unit, and each value once, the smallest first."`
	// Colour and Plaque are no part of the text of the rules: what a chip looks like changes nothing of a round.
	Colour Colour `yaml:"colour" json:"-" doc:"Its colour on the screens; left out if it has Sabot's own for its value: white, grey, yellow, orange, red, pink, purple, blue, green, brown or black. It changes no fingerprint."`
	Plaque bool   `yaml:"plaque" json:"-" doc:"Whether it is a plaque, which is drawn square. It changes no fingerprint."`
}

// MaxChips is the most chips that a house lists: as many values as a count of the tray may name.
const MaxChips = 32

// Colour is what a chip looks like; 0 where the house does not say.
type Colour uint8

// The colours.
const (
	White Colour = iota + 1
	Grey
	Yellow
	Orange
	Red
	Pink
	Purple
	Blue
	Green
	Brown
	Black
)

// ColourNames are the names of the colours in a profile.
var ColourNames = plaintext.Enum[Colour]{
	White: "white", Grey: "grey", Yellow: "yellow", Orange: "orange", Red: "red", Pink: "pink", Purple: "purple",
	Blue: "blue", Green: "green", Brown: "brown", Black: "black",
}

// String returns the name of the colour, "" for none.
func (c Colour) String() string { return ColourNames.Name(c) }

// MarshalText writes the name of the colour.
func (c Colour) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the name of the colour.
func (c *Colour) UnmarshalText(text []byte) error {
	return ColourNames.Read(c, text, "colour of a chip")
}

// checkChips wants each value once, in order.
func (r *Rules) checkChips(c *Complaints) {
	c.when(len(r.Chips) > MaxChips, "chips", strconv.Itoa(len(r.Chips))+" chips lie in no tray",
		"list at most "+strconv.Itoa(MaxChips))
	for i, chip := range r.Chips {
		path := at("chips", i) + ".value"
		c.when(chip.Value < 1 || chip.Value > Money(money.Max), path, r.written(money.Amount(chip.Value))+" is no chip",
			"write an amount of at most "+r.written(money.Max))
		c.when(i > 0 && chip.Value <= r.Chips[max(i-1, 0)].Value, path, "a chip of "+
			r.written(money.Amount(chip.Value))+
			" comes after one of "+r.written(money.Amount(r.Chips[max(i-1, 0)].Value)),
			"list each value once, the smallest first")
	}
}

// checkUnits wants chips that payments can be made with, at the profile's own limits: a table with a larger unit may
// still have the smaller chips in its tray.
func (r *Rules) checkUnits(c *Complaints) {
	for i, chip := range r.Chips {
		c.when(r.Table.Unit > 0 && money.Amount(chip.Value)%r.Table.Unit != 0, at("chips", i)+".value", "a chip of "+
			r.written(money.Amount(chip.Value))+" is not a multiple of the unit "+r.written(r.Table.Unit),
			"write a multiple of unit")
	}
}

// HasChip says whether chips of a value can lie in the tray: any can where the house lists none.
func (r *Rules) HasChip(value money.Amount) bool {
	return len(r.Chips) == 0 ||
		slices.ContainsFunc(r.Chips, func(c Chip) bool { return money.Amount(c.Value) == value })
}

// Viewer is who sees at the table by how much a count of the tray differs.
type Viewer uint8

// The viewers. The zero value is what is safe: who knows what must be there does not have to count.
const (
	SeenBySupervisor Viewer = iota
	SeenByDealer
)

// ViewerNames are the names of the viewers in a profile.
var ViewerNames = plaintext.Enum[Viewer]{SeenBySupervisor: "supervisor", SeenByDealer: "dealer"}

// String returns the name of the viewer.
func (w Viewer) String() string { return ViewerNames.Name(w) }

// MarshalText writes the name of the viewer.
func (w Viewer) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the name of the viewer.
func (w *Viewer) UnmarshalText(text []byte) error {
	return ViewerNames.Read(w, text, "person who sees a difference of the tray")
}
