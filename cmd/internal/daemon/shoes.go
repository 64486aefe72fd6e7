package daemon

import (
	"log/slog"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/shoe"
)

// openShoe returns the driver of the table's shoe; the journal has its events up to stored.
func openShoe(c config.Shoe, stored shoe.Position, log *slog.Logger) (shoe.Driver, error) {
	m, open, err := c.Open()
	if err != nil {
		return nil, err
	}
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if m.Key && key == nil {
		log.Info("the shoe's line is not secured: anybody with access to the cable can forge cards until shoe.key_file is set")
	}
	return m.Driver(shoe.Options{Open: open, Stored: stored, Key: key, Commands: c.Commands, Baud: c.Baud, Log: log}), nil
}
