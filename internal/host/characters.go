package host

import (
	"context"
	"log/slog"

	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/hd44780"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/ops/config"
)

// characters is the character display, which follows the board at its own pace. It is nil
// for a table without one.
type characters struct {
	board  *Board
	screen lcd.Screen
	panel  *hd44780.Panel
}

// BusOpener opens the I2C bus at a path.
type BusOpener func(path string) (i2c.BusCloser, error)

// WithBus makes the daemon take the character display's bus from open instead of the
// kernel's device files, such as from a simulation.
func WithBus(open BusOpener) Option { return func(d *Daemon) { d.given.bus = open } }

func openI2C(path string) (i2c.BusCloser, error) {
	bus, err := device.OpenBus(path)
	if err != nil {
		return nil, err
	}
	return bus, nil
}

func openCharacters(c config.Config, language display.Language, open BusOpener, board *Board, later func(error),
	log *slog.Logger,
) *characters {
	if c.LCD.Bus == "" {
		return nil
	}
	screen := lcd.Screen{Language: lcd.Speaking(language)}
	return &characters{board, screen, hd44780.NewPanel(hd44780.Options{
		Open:    func() (i2c.BusCloser, error) { return open(c.LCD.Bus) },
		Address: uint16(c.LCD.Address), Backlight: c.LCD.Backlight, Log: log,
		Farewell: hd44780.Lines(screen.Stopped()), Changed: later,
	})}
}

// run shows the newest view until ctx ends. A missing display stops nothing.
func (c *characters) run(ctx context.Context) error {
	if c == nil {
		return nil
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.follow(ctx)
	}()
	c.panel.Run(ctx) // ends only with ctx
	<-ended
	return nil
}

func (c *characters) follow(ctx context.Context) {
	for {
		view, changed := c.board.Look()
		if view.Table != "" { // the board is empty until the table has been set up
			c.panel.Show(hd44780.Lines(c.screen.Lines(view)))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
