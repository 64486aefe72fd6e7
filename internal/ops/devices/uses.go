package devices

import (
	"io"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/ops/config"
)

// UsesOf returns what a table uses according to its configuration.
func UsesOf(c config.Config) (inventory.Uses, error) {
	port, err := device.ParseAddress(c.Shoe.Port)
	if err != nil {
		return inventory.Uses{}, err
	}
	u := inventory.Uses{Ports: []inventory.PortUse{{Key: "shoe.port", Address: port}}}
	if c.LCD.Bus != "" {
		u.I2C = append(u.I2C, inventory.I2CUse{
			Key: "lcd.bus", Bus: c.LCD.Bus,
			Address: inventory.Address(c.LCD.Address),
		})
	}
	for _, w := range c.Wires() {
		if w.Line == "" {
			continue
		}
		line, err := w.Parse()
		if err != nil {
			return inventory.Uses{}, err
		}
		u.Lines = append(u.Lines, inventory.LineUse{Key: w.Path, Line: line.Address()})
	}
	return u, nil
}

// WriteAll writes what is plugged in, and what is wrong with what a configuration uses of it; a nil configuration uses
// nothing.
func WriteAll(to io.Writer, s inventory.Source, file string, c *config.Config) error {
	m, err := inventory.Read(s, s.Current(), false)
	if err != nil {
		return err
	}
	if c == nil {
		return Write(to, m, inventory.Check(s, m, inventory.Uses{}), Options{})
	}
	uses, err := UsesOf(*c)
	if err != nil {
		return err
	}
	return Write(to, m, inventory.Check(s, m, uses), Options{Config: file})
}
