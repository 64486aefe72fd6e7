package shoesim_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// kills is how often TestAngelEyeKills kills the table's process.
var kills = tier.Times(200, 2000)

// TestAngelEyeKills kills the table's process around the copies of cards, on a converter that keeps what nobody reads,
// and on a line that loses copies: what is on record are the cards in their order, and where one is missing a loss is
// told. None is there twice.
func TestAngelEyeKills(t *testing.T) {
	for name, o := range map[string]struct {
		mixed bool
		bad   shoesim.FaultRates
	}{
		"good line":  {},
		"mixed":      {mixed: true},
		"bad line":   {bad: shoesim.FaultRates{Lost: 0.2, Repeated: 0.05, Cut: 0.05}},
		"both":       {mixed: true, bad: shoesim.FaultRates{Lost: 0.2}},
		"worst line": {bad: shoesim.FaultRates{Lost: 0.5, Burst: 0.1, Run: 0.1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { killAndKill(t, o.mixed, o.bad) })
		})
	}
}

func killAndKill(t *testing.T, mixed bool, bad shoesim.FaultRates) {
	sim, err := shoesim.New(shoesim.Options{
		Kind: shoesim.AngelEye, Seed: 3, Decks: 400, Memory: true, AngelEye: shoesim.AngelEyeOptions{Mixed: mixed},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	chance := rand.New(rand.NewPCG(1, 13))
	line := &converter{sim: sim}
	record := &onRecord{t: t}
	stop := line.start(t, record)
	bubble.Pass(time.Second)
	if err := sim.Cable(func(to, _ *shoesim.BadLine, _ time.Duration) { to.Set(bad) }); err != nil {
		t.Fatal(err)
	}
	for range kills {
		for range chance.IntN(3) {
			record.draw(sim)
			bubble.Pass(time.Duration(500+chance.IntN(2000)) * time.Millisecond)
		}
		record.draw(sim)
		if chance.IntN(2) == 0 {
			record.draw(sim) // at once, so that copies wait for each other
		}
		bubble.Pass(time.Duration(chance.IntN(130)) * time.Millisecond)
		stop()
		bubble.Pass(time.Duration(chance.IntN(1500)) * time.Millisecond)
		stop = line.start(t, record)
		// The copies of four reports are mixed at most: of two cards that end a game, its result and the stand-by.
		if _, err := sim.Await(t.Context(), func(s shoesim.State) bool { return s.Sending == 0 }); err != nil {
			t.Fatal(err)
		}
	}
	bubble.Pass(10 * time.Second)
	stop()
	record.check()
}

// onRecord is a journal of which only cards, their reports and told losses matter.
type onRecord struct {
	t *testing.T

	mu      sync.Mutex
	drawn   []card.Card
	cards   []card.Card // card.None is a loss that was told
	reports []shoe.Report
}

func (r *onRecord) draw(sim *shoesim.Shoe) {
	c, err := sim.Draw()
	if errors.Is(err, shoesim.ErrEmpty) {
		if err = sim.Reload(); err == nil {
			c, err = sim.Draw()
		}
	}
	if err != nil {
		r.t.Error(err)
	}
	r.drawn = append(r.drawn, c)
}

func (r *onRecord) take(e shoe.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case shoe.Gap:
		r.cards = append(r.cards, card.None)
	case shoe.Drawn:
		r.cards = append(r.cards, e.Card)
		r.reports = append(r.reports, shoe.Report{Bytes: e.Report, At: time.Now()})
	}
}

// last returns the last reports.
func (r *onRecord) last() []shoe.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reports[max(0, len(r.reports)-20):])
}

// check wants the cards that were drawn, in their order; some may be missing where a loss was told. Since cards are
// alike, it follows every place at which the record may be.
func (r *onRecord) check() {
	recorded, told := 0, 0
	at, asked := map[int]bool{0: true}, false
	for i, c := range r.cards {
		if c == card.None {
			asked = true
			told++
			continue
		}
		recorded++
		next := map[int]bool{}
		for place := range at {
			for p := place; p < len(r.drawn) && p <= place+20; p++ {
				if r.drawn[p] == c {
					next[p+1] = true
				}
				if !asked {
					break
				}
			}
		}
		if len(next) == 0 {
			from := slices.Min(slices.Collect(maps.Keys(at)))
			r.t.Fatalf("%s is on record as %d, after %v; drawn were %v", c, i+1, r.cards[max(0, i-8):i],
				r.drawn[max(0, from-8):min(from+8, len(r.drawn))])
		}
		at, asked = next, false
	}
	r.t.Logf("%d cards drawn, %d on record; %d losses told", len(r.drawn), recorded, told)
	if !asked && !at[len(r.drawn)] || recorded < len(r.drawn)/2 {
		r.t.Error("the end, or most of the cards are missing")
	}
}

// converter keeps what comes while nobody listens.
type converter struct {
	sim  *shoesim.Shoe
	port device.Port
}

// keptPort stays open when its process is killed.
type keptPort struct {
	device.Port
	killed atomic.Bool
}

func (p *keptPort) Read(b []byte) (int, error) {
	if p.killed.Load() {
		return 0, device.ErrGone
	}
	return p.Port.Read(b)
}

func (p *keptPort) Close() error {
	p.killed.Store(true)
	return nil
}

// start starts the table's process; stop kills it.
func (c *converter) start(t *testing.T, record *onRecord) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	open := func(ctx context.Context) (device.Port, error) {
		if c.port == nil {
			port, err := c.sim.Open(ctx)
			if err != nil {
				return nil, err
			}
			c.port = port
		}
		return &keptPort{Port: c.port}, nil
	}
	o := shoe.Options{Open: open, Reports: record.last(), Log: slog.New(slog.DiscardHandler)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = angeleye.New(o).Run(ctx, func(e shoe.Event) {
			if ctx.Err() == nil {
				record.take(e)
			}
		})
	}()
	return func() {
		cancel()
		<-ended
	}
}
