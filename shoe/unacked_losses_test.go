package shoe_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// losing is a port that loses what it reads while it is told to, and counts it as the kernel does.
type losing struct {
	device.Port
	loses *atomic.Bool
	lost  *atomic.Uint64
}

func (p losing) Read(buf []byte) (int, error) {
	n, err := p.Port.Read(buf)
	if n > 0 && p.loses.Load() {
		p.lost.Add(uint64(n))
		return 0, device.ErrTimeout
	}
	return n, err
}

func (p losing) Losses() (device.Losses, bool) {
	return device.Losses{Overruns: p.lost.Load()}, true
}

// TestLossAtThePort: a card of a shoe that numbers nothing is lost completely. Only the port knows, and the table is
// asked, even if no other card follows.
func TestLossAtThePort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := shoesim.New(shoesim.Options{Kind: shoesim.BeeTek, Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		var loses atomic.Bool
		var lost atomic.Uint64
		driver := beetek.New(shoe.Options{
			Log: slog.New(slog.DiscardHandler),
			Open: func(ctx context.Context) (device.Port, error) {
				port, err := sim.Open(ctx)
				return losing{port, &loses, &lost}, err
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		var told []shoe.Event
		ended := background(func() error {
			return driver.Run(ctx, func(e shoe.Event) { told = append(told, e) })
		})
		bubble.Settle(time.Minute)
		told = nil
		loses.Store(true)
		shoetest.Draw(t, sim, 1)
		bubble.Settle(time.Minute)
		if len(told) != 1 || told[0].Kind != shoe.Gap || !told[0].Unsure {
			t.Errorf("a card was lost at the port, and the table heard %v", told)
		}
		if got := driver.Counters()["overruns"]; got == 0 || got != lost.Load() {
			t.Errorf("%d lost bytes are counted, not %d", got, lost.Load())
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
