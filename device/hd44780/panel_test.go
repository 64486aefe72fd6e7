package hd44780_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/i2c"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/hd44780"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
)

// settled is long enough for a panel to find its display again and to rewrite it.
const settled = 15 * time.Second

var farewell = hd44780.Lines{"closed"}

// bench is a panel running on a display, in a synctest bubble.
type bench struct {
	t       rapid.TB
	display *devicetest.Display
	panel   *hd44780.Panel
	log     journal
	noBus   atomic.Bool // the bus cannot be opened
	stop    context.CancelFunc
	ended   chan error
}

// journal is what was logged.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// taken returns what was logged since the last call.
func (j *journal) taken() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.text.Reset()
	return j.text.String()
}

func newBench(t rapid.TB, display *devicetest.Display) *bench {
	b := &bench{t: t, display: display, ended: make(chan error, 1)}
	b.panel = hd44780.NewPanel(hd44780.Options{
		Open: func() (i2c.BusCloser, error) {
			if b.noBus.Load() {
				return nil, device.ErrNotFound
			}
			return display, nil
		},
		Address: address, Backlight: true, Farewell: farewell,
		Log: slog.New(slog.NewTextHandler(&b.log, nil)),
	})
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	go func() { b.ended <- b.panel.Run(ctx) }()
	return b
}

// end ends the panel.
func (b *bench) end() {
	b.stop()
	if err := <-b.ended; !errors.Is(err, context.Canceled) {
		b.t.Errorf("the panel ended with %v", err)
	}
}

func (b *bench) wantShown(want hd44780.Lines) {
	b.t.Helper()
	if got, lit := b.display.Screen(); got != padded(want) || !lit {
		b.t.Errorf("shows %q, light %t; want %q", got, lit, padded(want))
	}
}

// said returns the log's messages since the last call.
func (b *bench) said() (messages []string) {
	for line := range strings.Lines(b.log.taken()) {
		_, message, _ := strings.Cut(line, "level=")
		messages = append(messages, strings.TrimSpace(message))
	}
	return messages
}

func (b *bench) wantSaid(want ...string) {
	b.t.Helper()
	got := b.said()
	if len(got) != len(want) {
		b.t.Fatalf("the log says %q, want %q", got, want)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			b.t.Errorf("the log says %q, want %q", got[i], want[i])
		}
	}
}

const (
	ready = `INFO msg="the character display is ready" starts=`
	gone  = `WARN msg="no character display: the table continues without it" err=`
)

// TestUnpluggedAndBack: the log says once that the display is gone and once that it is back, and the display then shows
// what was to be shown meanwhile.
func TestUnpluggedAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, devicetest.NewDisplay(address, 1))
		b.panel.Show(hd44780.Lines{"one"})
		bubble.Pass(settled)
		b.wantShown(hd44780.Lines{"one"})
		b.wantSaid(ready + "1")
		b.display.Unplug()
		b.panel.Show(hd44780.Lines{"two"})
		bubble.Pass(time.Hour)
		b.wantSaid(gone)
		b.panel.Show(hd44780.Lines{"three"})
		b.display.Plug()
		bubble.Pass(settled)
		b.wantShown(hd44780.Lines{"three"})
		b.wantSaid(ready + "2")
		b.end()
		b.wantShown(farewell)
		wantNoFaults(t, b.display)
	})
}

// TestPowerCut: a display that lost power between two writes answers as if nothing had happened. Its expander's lines
// reveal it.
func TestPowerCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, devicetest.NewDisplay(address, 1))
		b.panel.Show(hd44780.Lines{"BANK DRAWS"})
		bubble.Pass(settled)
		b.said()
		b.display.Plug()
		bubble.Pass(settled)
		b.wantShown(hd44780.Lines{"BANK DRAWS"})
		b.wantSaid(gone+`"the display was without power for a moment"`, ready+"2")
		b.display.Plug()
		b.panel.Show(hd44780.Lines{"PAY 20.00"})
		bubble.Pass(2 * time.Second) // the next refresh is further away
		b.wantShown(hd44780.Lines{"PAY 20.00"})
		b.end()
		wantNoFaults(t, b.display)
	})
}

// TestNoDisplayAtAll: the table starts without one, and each cause is logged once.
func TestNoDisplayAtAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		display := devicetest.NewDisplay(address, 1)
		display.Unplug()
		b := newBench(t, display)
		bubble.Pass(time.Hour)
		b.wantSaid(gone)
		b.noBus.Store(true)
		bubble.Pass(time.Hour)
		b.wantSaid(gone + `"no such port" losses=0`)
		b.end()
		b.wantSaid()
	})
}

// TestNewestWins: lines that come faster than the bus can carry them are skipped.
func TestNewestWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, devicetest.NewDisplay(address, 1))
		bubble.Pass(settled)
		b.display.Traffic()
		for i := range 10_000 {
			b.panel.Show(hd44780.Lines{fmt.Sprintf("card %d", i), "", "", strings.Repeat("x", i%20)})
			bubble.Pass(10 * time.Microsecond)
		}
		bubble.Pass(time.Second)
		b.wantShown(hd44780.Lines{"card 9999", "", "", strings.Repeat("x", 19)})
		if transfers, bytes := b.display.Traffic(); transfers > 200 || bytes > 5000 {
			t.Errorf("%d transfers with %d bytes in a tenth of a second", transfers, bytes)
		}
		b.end()
	})
}

// TestFarewellFails: a display that vanishes at the very end is logged.
func TestFarewellFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, devicetest.NewDisplay(address, 1))
		bubble.Pass(settled)
		b.said()
		b.display.Unplug()
		b.end()
		b.wantSaid(`WARN msg="the character display still shows its last lines`)
	})
}

// TestAnythingHappens: whatever happens to the display, in the end it shows the newest lines. (A display powered on in
// the middle of a row cannot understand the rest of it.)
func TestAnythingHappens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(bubbled{t}, func(t *rapid.T) {
			b := newBench(t, devicetest.NewDisplay(address, rapid.Uint64().Draw(t, "seed")))
			var want hd44780.Lines
			t.Repeat(map[string]func(*rapid.T){
				"show": func(t *rapid.T) {
					want = drawLines(t)
					b.panel.Show(want)
				},
				"wait": func(t *rapid.T) {
					bubble.Pass(time.Duration(rapid.IntRange(0, 3_000_000).Draw(t, "µs")) * time.Microsecond)
				},
				"unplug":  func(*rapid.T) { b.display.Unplug() },
				"plug":    func(*rapid.T) { b.display.Plug() },
				"disturb": func(t *rapid.T) { b.display.Disturb(rapid.Byte().Draw(t, "spark")) },
			})
			b.display.Plug()
			bubble.Pass(settled)
			b.wantShown(want)
			b.end()
			b.wantShown(farewell)
		})
	})
}
