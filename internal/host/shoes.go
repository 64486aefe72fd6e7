package host

import (
	"log/slog"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/journal"
)

// openShoe returns the driver of the table's shoe, whose port simulated opens if it is not nil; the journal has the
// shoes' events up to these positions, the latest first, and these last reports.
func openShoe(c config.Shoe, simulated device.Opener, positions []journal.Position, reports []shoe.Report,
	log *slog.Logger,
) (shoe.Driver, error) {
	m, open, err := c.Open()
	if err != nil {
		return nil, err
	}
	if simulated != nil {
		open = simulated
	}
	key, err := c.Key()
	if err != nil {
		return nil, err
	}
	if m.Key && key == nil {
		log.Info("the shoe's line is not secured: anybody with access to the cable can forge cards until " +
			"shoe.key_file is set")
	}
	var stored []shoe.Position
	for _, p := range positions {
		stored = append(stored, shoe.Position(p))
	}
	return m.Driver(shoe.Options{
		Open: open, Stored: stored, Reports: reports, Key: key, Commands: c.Commands, Baud: c.Baud, Log: log,
	}), nil
}
