package host

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/device/hd44780"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// TestCharacters: the display shows what is on the board, also after it was
// unplugged, and at the end that nobody stands behind it any more.
func TestCharacters(t *testing.T) { synctest.Test(t, characterDisplay) }

func characterDisplay(t *testing.T) {
	c := config.Default()
	c.LCD.Bus, c.Language = "/dev/i2c-1", "de-CH"
	language := c.Speaks(nil)
	screen := lcd.Screen{Language: lcd.Speaking(language)}
	display, board := devicetest.NewDisplay(uint16(c.LCD.Address), 5), newBoard()
	chars := openCharacters(c, language, func(string) (i2c.BusCloser, error) { return display, nil }, board, nil,
		slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- chars.run(ctx) }()

	for _, name := range []string{"play", "held", "payment"} {
		board.Show(displaytest.Named(name))
		wantShown(t, display, screen.Lines(displaytest.Named(name)))
		display.Unplug()
		board.Show(displaytest.Named("idle"))
		display.Plug()
		wantShown(t, display, screen.Lines(displaytest.Named("idle")))
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the display ended with %v", err)
	}
	wantShown(t, display, screen.Stopped())
}

func wantShown(t *testing.T, display *devicetest.Display, want [lcd.Rows]string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processes.Deadline)
	defer cancel()
	if err := display.Await(ctx, func(rows [4]string, lit bool) bool { return lit && rows == want }); err != nil {
		t.Errorf("waiting for %q: %v", want, err)
	}
}

// TestNoCharacters: a table without a display has no part for it.
func TestNoCharacters(t *testing.T) {
	if c := openCharacters(config.Default(), config.Default().Speaks(nil), openI2C, newBoard(), nil, nil); c != nil ||
		c.run(t.Context()) != nil {
		t.Errorf("a part that nobody asked for: %+v", c)
	}
}

// TestDisplayHasEverySign: what is drawn can be shown, on a display of the same size.
func TestDisplayHasEverySign(t *testing.T) {
	if lcd.Columns != hd44780.Columns || lcd.Rows != hd44780.Rows {
		t.Errorf("drawn for %d by %d, shown on %d by %d", lcd.Columns, lcd.Rows, hd44780.Columns, hd44780.Rows)
	}
	for sign := range rune(0x3000) {
		if lcd.Has(sign) != hd44780.Shows(sign) {
			t.Errorf("drawing knows %q: %t, the display: %t", sign, lcd.Has(sign), hd44780.Shows(sign))
		}
	}
}
