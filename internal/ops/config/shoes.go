package config

import (
	"cmp"
	"fmt"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/shoe/makes"
)

// Open returns the shoe's make, and what opens its port.
func (s Shoe) Open() (makes.Make, device.Opener, error) {
	m, err := makes.Named(s.Driver)
	if err != nil {
		return m, nil, fmt.Errorf("shoe.driver in the configuration: %w", err)
	}
	address, err := device.ParseAddress(s.Port)
	if err != nil {
		return m, nil, err
	}
	open, err := device.NewOpener(address, device.Settings{Baud: cmp.Or(s.Baud, m.Baud), ReadTimeout: m.ReadTimeout})
	return m, open, err
}
