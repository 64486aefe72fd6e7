package sabot

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// losing is a port that loses the frames of one read when it is told to, and may count the lost bytes as the kernel
// does.
type losing struct {
	device.Port
	lose   *atomic.Bool
	counts bool
	lost   atomic.Uint64
}

func (p *losing) Read(buf []byte) (int, error) {
	for {
		n, err := p.Port.Read(buf)
		if err != nil || buf[n-1] != 0 || !p.lose.CompareAndSwap(true, false) {
			return n, err
		}
		p.lost.Add(uint64(n))
	}
}

func (p *losing) Losses() (device.Losses, bool) {
	return device.Losses{Overruns: p.lost.Load()}, p.counts
}

// TestLossesAtThePort: frames that vanish are tampering, unless the port counts lost bytes. Either way the cards in
// them come again.
func TestLossesAtThePort(t *testing.T) {
	for name, counts := range map[string]bool{"counted": true, "not counted": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { lossesAtThePort(t, counts) })
		})
	}
}

func lossesAtThePort(t *testing.T, counts bool) {
	b := newBench(t, shoesim.Options{Key: &tableKey})
	var lose atomic.Bool
	var log notes
	b.driver = New(shoe.Options{Key: b.key, Log: log.logger(), Open: func(ctx context.Context) (device.Port, error) {
		port, err := b.sim.Open(ctx)
		return &losing{Port: port, lose: &lose, counts: counts}, err
	}})
	b.events = make(chan shoe.Event, 1024)
	ctx, stop := context.WithCancel(b.ctx)
	ended := make(chan error, 1)
	go func() { ended <- b.driver.Run(ctx, func(e shoe.Event) { b.events <- e }) }()
	b.await(shoe.Up)
	lose.Store(true)
	drawn := b.draw()
	alarm := false
	for e := b.await(shoe.Drawn, shoe.Gap, shoe.AlarmRaised); ; e = b.await(shoe.Drawn, shoe.Gap, shoe.AlarmRaised) {
		if e.Kind == shoe.Drawn && e.Card == drawn {
			break
		}
		if e.Kind != shoe.AlarmRaised || e.Code != "tampering-vanished" {
			t.Fatalf("%+v came", e)
		}
		alarm = true
	}
	bubble.Settle(time.Second) // the log is told what was lost
	stop()
	<-ended
	s, counters := b.driver.Stats(), b.driver.Counters()
	if _, told := counters["overruns"]; alarm == counts || s.Missing == 0 || told != counts ||
		(s.Tampered[wire.Vanished] == 0) != counts || (log.count("the port lost bytes from the shoe") == 1) != counts {
		t.Errorf("alarm %t, %v\n%s", alarm, counters, log.String())
	}
	if counts && counters["overruns"] == 0 {
		t.Error("no lost bytes are counted")
	}
}
