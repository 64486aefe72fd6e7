package shoetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// unackedPatience is the deadline for what must happen eventually.
const unackedPatience = 30 * time.Second

// NewUnacked starts a simulated shoe until the test ends.
func NewUnacked(t *testing.T, o shoesim.Options) *shoesim.Shoe {
	t.Helper()
	sim, err := shoesim.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Errorf("the simulated shoe: %v", err)
		}
	})
	return sim
}

// Opener opens a simulated shoe's port as a table would.
func Opener(t *testing.T, sim *shoesim.Shoe) device.Opener {
	t.Helper()
	if sim.Path() == "memory" {
		return sim.Open
	}
	address, err := device.ParseAddress(sim.Path())
	if err != nil {
		t.Fatal(err)
	}
	open, err := device.NewOpener(address, device.Settings{Baud: 9600})
	if err != nil {
		t.Fatal(err)
	}
	return open
}

// UnackedLine is a running driver.
type UnackedLine struct {
	t      *testing.T
	sim    *shoesim.Shoe
	events chan shoe.Event
	// Stop ends the driver, and returns when the shoe has noticed, if it can notice.
	Stop func()
}

// RunUnacked runs a driver on a simulated shoe's line until the test ends.
func RunUnacked(t *testing.T, sim *shoesim.Shoe, driver shoe.Shoe) *UnackedLine {
	l := &UnackedLine{t: t, sim: sim, events: make(chan shoe.Event, 4096)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- driver.Run(ctx, func(e shoe.Event) { l.events <- e }) }()
	l.Stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
		await(t, sim, func(s shoesim.State) bool { return !s.Hosted || sim.OnTerminal() })
	})
	t.Cleanup(l.Stop)
	return l
}

// Next returns the next event.
func (l *UnackedLine) Next() shoe.Event {
	l.t.Helper()
	select {
	case e := <-l.events:
		return e
	case <-time.After(unackedPatience):
		l.t.Fatal("nothing more came")
		return shoe.Event{}
	}
}

// Await returns the next event of one of the kinds, and skips others.
func (l *UnackedLine) Await(kinds ...shoe.Kind) shoe.Event {
	l.t.Helper()
	for {
		if e := l.Next(); slices.Contains(kinds, e.Kind) {
			return e
		}
	}
}

// Up waits until the link is up, and for the gap that must follow.
func (l *UnackedLine) Up() {
	l.t.Helper()
	l.Await(shoe.Up)
	if e := l.Next(); e.Kind != shoe.Gap || !e.Unsure || e.Missing != 0 || e.Position != (shoe.Position{}) {
		l.t.Errorf("%s came after the link came up", Describe(e))
	}
	await(l.t, l.sim, func(s shoesim.State) bool { return s.Hosted })
}

func await(t *testing.T, sim *shoesim.Shoe, wanted func(shoesim.State) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), unackedPatience)
	defer cancel()
	if _, err := sim.Await(ctx, wanted); err != nil {
		t.Error(err)
	}
}

// Cards expects these cards next, and no loss between them.
func (l *UnackedLine) Cards(want ...card.Card) {
	l.t.Helper()
	for _, c := range want {
		if e := l.Await(shoe.Drawn, shoe.Gap, shoe.Down); e.Kind != shoe.Drawn || e.Card != c {
			l.t.Fatalf("got %s, want card %s", Describe(e), c)
		}
	}
}

// Draw takes cards out of a shoe.
func Draw(t *testing.T, sim *shoesim.Shoe, n int) (drawn []card.Card) {
	t.Helper()
	for range n {
		c, err := sim.Draw()
		if err != nil {
			t.Fatal(err)
		}
		drawn = append(drawn, c)
	}
	return drawn
}
