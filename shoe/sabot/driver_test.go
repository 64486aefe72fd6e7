package sabot

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// patience is the deadline for what must happen eventually.
const patience = 30 * time.Second

// notes is a log that tests can read while it is written.
type notes struct{ system.Text }

// count says how many lines hold the text.
func (n *notes) count(text string) int { return strings.Count(n.String(), text) }

func (n *notes) logger() *slog.Logger { return slog.New(slog.NewTextHandler(n, nil)) }

// bench is a driver running on a simulated shoe.
type bench struct {
	t      *testing.T
	ctx    context.Context
	sim    *shoesim.Shoe
	driver *Driver
	events chan shoe.Event
	stop   func()
	key    *wire.Secret // that the driver has
}

// newBench has its shoe on a line in memory. Call it in a bubble of synctest.
func newBench(t *testing.T, o shoesim.Options) *bench {
	t.Helper()
	o.Memory = true
	return benchOf(t, o)
}

// inTime runs a test in a bubble with a shoe without a key and with one that has it.
func inTime(t *testing.T, test func(t *testing.T, key *wire.Secret)) {
	bothWays(t, func(t *testing.T, key *wire.Secret) {
		synctest.Test(t, func(t *testing.T) { test(t, key) })
	})
}

func benchOf(t *testing.T, o shoesim.Options) *bench {
	t.Helper()
	sim, err := shoesim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	b := &bench{t: t, ctx: ctx, sim: sim, stop: func() {}, key: o.Key}
	t.Cleanup(func() {
		b.stop()
		cancel()
		if err := sim.Close(); err != nil {
			t.Errorf("the simulated shoe: %v", err)
		}
	})
	return b
}

// start runs a new driver, as after a restart of the host with these positions.
func (b *bench) start(stored ...shoe.Position) {
	b.t.Helper()
	b.stop()
	b.driver = New(shoe.Options{
		Open: b.opener(), Stored: stored, Key: b.key, Commands: true, Log: slog.New(slog.DiscardHandler),
	})
	b.events = make(chan shoe.Event, 1024)
	ctx, cancel := context.WithCancel(b.ctx)
	ended := make(chan error, 1)
	events := b.events
	go func() { ended <- b.driver.Run(ctx, func(e shoe.Event) { events <- e }) }()
	b.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			b.t.Errorf("Run returned %v", err)
		}
	})
}

// opener opens the shoe's port as a table would.
func (b *bench) opener() device.Opener {
	b.t.Helper()
	if !b.sim.OnTerminal() {
		return b.sim.Open
	}
	address, err := device.ParseAddress(b.sim.Path())
	b.must(err)
	open, err := device.NewOpener(address, device.Settings{Baud: 115200})
	b.must(err)
	return open
}

func (b *bench) setLock(locked bool) {
	b.t.Helper()
	b.must(b.driver.SetLock(b.ctx, locked))
}

// await returns the next event of one of the kinds, and skips others.
func (b *bench) await(kinds ...shoe.Kind) shoe.Event {
	b.t.Helper()
	for {
		select {
		case e := <-b.events:
			for _, k := range kinds {
				if e.Kind == k {
					return e
				}
			}
		case <-b.ctx.Done():
			b.t.Fatalf("%v never came; the shoe is %+v; %+v", kinds, b.sim.State(), b.driver.Stats())
		}
	}
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) draw() card.Card {
	b.t.Helper()
	c, err := b.sim.Draw()
	b.must(err)
	return c
}

// cards expects the cards next, in this order, with no loss reported between them.
func (b *bench) cards(want ...card.Card) (last shoe.Position) {
	b.t.Helper()
	for _, c := range want {
		e := b.await(shoe.Drawn, shoe.Gap)
		if e.Kind != shoe.Drawn || e.Card != c {
			b.t.Fatalf("got %v %v at %v, want %v", e.Kind, e.Card, e.Position, c)
		}
		last = e.Position
	}
	return last
}

func (b *bench) shoeIs(what string, wanted func(shoesim.State) bool) {
	b.t.Helper()
	if _, err := b.sim.Await(b.ctx, wanted); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

func TestCardsAreKeptUntilStored(t *testing.T) { synctest.Test(t, cardsAreKeptUntilStored) }

func cardsAreKeptUntilStored(t *testing.T) {
	b := newBench(t, shoesim.Options{})
	b.start()
	b.await(shoe.Up)
	last := b.cards(b.draw(), b.draw(), b.draw())
	if s := b.sim.State(); s.Queued != 3 || s.Counts.Acked != 0 {
		t.Errorf("before anything was stored the shoe kept %d events of 3 and had %d of them acknowledged", s.Queued,
			s.Counts.Acked)
	}
	b.driver.Stored(last)
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 0 })
}

func TestCablePulled(t *testing.T) {
	inTime(t, func(t *testing.T, key *wire.Secret) { cablePulled(t, newBench(t, shoesim.Options{Key: key})) })
	t.Run("on a terminal", func(t *testing.T) { cablePulled(t, benchOf(t, shoesim.Options{})) })
}

func cablePulled(t *testing.T, b *bench) {
	b.start()
	b.await(shoe.Up)
	first := b.draw()
	b.cards(first)
	b.must(b.sim.Unplug())
	if e := b.await(shoe.Down); !errors.Is(e.Err, device.ErrGone) {
		t.Errorf("the link is down because %v; want a port that is gone", e.Err)
	}
	meanwhile := []card.Card{b.draw(), b.draw()}
	b.must(b.sim.Replug())
	b.await(shoe.Up)
	b.driver.Stored(b.cards(meanwhile...))
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 0 })
	if s := b.driver.Stats(); s.Ports < 2 || s.Gaps != 0 {
		t.Errorf("stats %+v; want the port opened again and no gap", s)
	}
}

func TestShoeRestarts(t *testing.T) { inTime(t, shoeRestarts) }

func shoeRestarts(t *testing.T, key *wire.Secret) {
	b := newBench(t, shoesim.Options{Key: key})
	b.start()
	b.await(shoe.Up)
	b.cards(b.draw())
	b.must(b.sim.Reboot())
	if e := b.await(shoe.Gap); e.Missing != 0 || e.Position.Boot != b.sim.State().Boot || e.Position.Seq != 0 {
		t.Errorf("gap %+v; want an unknown number before the first event of the new boot", e)
	}
	b.driver.Stored(b.cards(b.draw()))
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 0 })
}

func TestHostRestarts(t *testing.T) { inTime(t, hostRestarts) }

func hostRestarts(t *testing.T, key *wire.Secret) {
	b := newBench(t, shoesim.Options{Key: key})
	b.start()
	drawn := []card.Card{b.draw(), b.draw(), b.draw()}
	last := b.cards(drawn...)
	stored := shoe.Position{Boot: last.Boot, Seq: 1}
	b.driver.Stored(stored)
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 2 })
	b.start(stored)
	drawn = append(drawn, b.draw())
	b.driver.Stored(b.cards(drawn[1:]...))
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 0 })
}

func TestNoise(t *testing.T) { inTime(t, noise) }

func noise(t *testing.T, key *wire.Secret) {
	random := rand.New(rand.NewPCG(1, 2))
	b := newBench(t, shoesim.Options{Key: key, Boot: 1, ToHost: damaging(random), FromHost: damaging(random)})
	b.start()
	for range 25 {
		b.driver.Stored(b.cards(b.draw()))
	}
	if s := b.driver.Stats(); s.BadFrames == 0 || s.Events < 25 || s.Gaps != 0 {
		t.Errorf("stats %+v; want damaged frames, all events and no gap", s)
	}
}

// damaging changes, loses or repeats a byte of every fifth chunk or so.
func damaging(random *rand.Rand) func([]byte) []byte {
	return func(p []byte) []byte {
		if len(p) == 0 || random.IntN(5) != 0 {
			return p
		}
		p = bytes.Clone(p)
		i := random.IntN(len(p))
		switch random.IntN(3) {
		case 0:
			p[i] ^= byte(1 + random.IntN(255))
		case 1:
			p = append(p[:i], p[i+1:]...)
		case 2:
			p = append(p[:i+1], p[i:]...)
		}
		return p
	}
}

// A shoe with the right key replaces one with another key.
func TestOtherKey(t *testing.T) { synctest.Test(t, otherKey) }

func otherKey(t *testing.T) {
	b := newBench(t, shoesim.Options{Key: &wire.Secret{1}})
	drawn := b.draw()
	b.key = &wire.Secret{2}
	b.start()
	if e := b.await(shoe.Up, shoe.Down, shoe.Drawn); e.Kind != shoe.Down || !errors.Is(e.Err, ErrWrongKey) {
		t.Errorf("got %v, %v; want down for the key", e.Kind, e.Err)
	}
	b.key = &wire.Secret{1}
	b.start()
	b.driver.Stored(b.cards(drawn))
	b.shoeIs("acknowledged", func(s shoesim.State) bool { return s.Queued == 0 })
}

func TestLockAndLamp(t *testing.T) { synctest.Test(t, lockAndLamp) }

func lockAndLamp(t *testing.T) {
	b := newBench(t, shoesim.Options{})
	b.start()
	b.setLock(true)
	b.driver.SetLamp(3)
	if e := b.await(shoe.Locked); e.Code != "host" {
		t.Errorf("locked by %q, want by the host", e.Code)
	}
	b.shoeIs("red", func(s shoesim.State) bool { return s.Light == 3 })
	b.must(b.sim.Reboot())
	b.shoeIs("locked and red again", func(s shoesim.State) bool { return s.Light == 3 && s.Locks == 1 })
	b.setLock(false)
	b.await(shoe.Unlocked)
}

// A table that ends leaves the exit unlocked and the lamp off, even when the line is sealed; the port is not reopened
// for that. One without a shoe ends all the same.
func TestFarewell(t *testing.T) { synctest.Test(t, farewell) }

func farewell(t *testing.T) {
	for _, key := range []*wire.Secret{nil, {1}} {
		b := newBench(t, shoesim.Options{Key: key})
		b.key = key
		b.start()
		b.setLock(true)
		b.driver.SetLamp(wire.LightRed)
		b.shoeIs("locked and red", func(s shoesim.State) bool {
			return s.Light == wire.LightRed && s.Locks == wire.LockedByHost
		})
		b.stop()
		b.shoeIs("free and dark", func(s shoesim.State) bool { return s.Light == wire.LightOff && s.Locks == 0 })
		if ports := b.driver.Stats().Ports; ports != 1 {
			t.Errorf("the port was opened %d times", ports)
		}
		b.start()
		b.setLock(true)
		b.await(shoe.Locked)
		b.must(b.sim.Unplug())
		b.await(shoe.Down)
		b.stop()
	}
}

func TestPortThatIsNotThere(t *testing.T) { synctest.Test(t, portThatIsNotThere) }

func portThatIsNotThere(t *testing.T) {
	b := newBench(t, shoesim.Options{})
	b.must(b.sim.Unplug())
	b.start()
	if e := b.await(shoe.Up, shoe.Down); e.Kind != shoe.Down || !errors.Is(e.Err, device.ErrNotFound) {
		t.Errorf("got %v, %v; want down because there is no port", e.Kind, e.Err)
	}
	b.must(b.sim.Replug())
	b.await(shoe.Up)
}

// TestAfterTheLastNumber: a shoe that has used up the numbers of its boot starts anew once all
// are stored.
func TestAfterTheLastNumber(t *testing.T) { inTime(t, afterTheLastNumber) }

func afterTheLastNumber(t *testing.T, key *wire.Secret) {
	b := newBench(t, shoesim.Options{Key: key, Boot: 7, Last: math.MaxUint32 - 2})
	b.start()
	for range 2 {
		drawn := b.draw()
		e := b.await(shoe.Drawn)
		if e.Card != drawn || e.Position.Boot != 7 {
			t.Errorf("%v came as %v of %v", drawn, e.Card, e.Position)
		}
		b.driver.Stored(e.Position)
	}
	b.shoeIs("started anew", func(s shoesim.State) bool { return s.Boot == 8 && s.InSession })
	drawn := b.draw()
	if e := b.await(shoe.Drawn); e.Card != drawn || e.Position != (shoe.Position{Boot: 8, Seq: 1}) {
		t.Errorf("%v came as %v of %v", drawn, e.Card, e.Position)
	}
}
