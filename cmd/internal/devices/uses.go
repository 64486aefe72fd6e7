package devices

import (
	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/inventory"
)

// UsesOf returns what a table uses according to its configuration.
func UsesOf(c config.Config) (inventory.Uses, error) {
	port, err := device.ParseAddress(c.Shoe.Port)
	if err != nil {
		return inventory.Uses{}, err
	}
	u := inventory.Uses{Ports: []inventory.PortUse{{Key: "shoe.port", Address: port}}}
	if c.LCD.Bus != "" {
		u.I2C = append(u.I2C, inventory.I2CUse{Key: "lcd.bus", Bus: c.LCD.Bus, Address: inventory.Address(c.LCD.Address)})
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
