package devices

import (
	"context"
	"fmt"
	"sync"

	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/hd44780"
	"github.com/sabot-table/sabot/internal/ops/config"
)

// show shows the newest events on the table's character display, if it has one: this tests
// the wiring of the display, too.
type show struct {
	config config.LCD
	open   func() (i2c.BusCloser, error)

	mu    sync.Mutex
	panel *hd44780.Panel // nil until it runs
	lines hd44780.Lines
	count int
}

func newShow(c config.LCD) *show {
	return &show{config: c, open: func() (i2c.BusCloser, error) { return device.OpenBus(c.Bus) }}
}

// title shows everything that wrong wiring spoils: the ends of rows and the characters
// that we define.
const title = "SABOT WATCH ♠♥♦♣äöü…"

// run keeps the display. It is one of the watched parts.
func (s *show) run(ctx context.Context, tell teller) error {
	if s.config.Bus == "" {
		<-ctx.Done()
		return nil
	}
	panel := hd44780.NewPanel(hd44780.Options{
		Open: s.open, Address: uint16(s.config.Address), Backlight: s.config.Backlight,
		Farewell: hd44780.Lines{"WATCH ENDED"}, Log: saying(tell, "lcd"),
	})
	s.mu.Lock()
	s.panel = panel
	s.lines[0] = title
	panel.Show(s.lines)
	s.mu.Unlock()
	return panel.Run(ctx)
}

// tell adds an event, in place of the oldest of three.
func (s *show) tell(what kind, text string) {
	if what != event {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	copy(s.lines[1:], s.lines[2:])
	s.lines[hd44780.Rows-1] = fmt.Sprintf("%d %s", s.count, text)
	if s.panel != nil {
		s.panel.Show(s.lines)
	}
}
