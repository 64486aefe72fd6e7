package shoe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

var silent = slog.New(slog.DiscardHandler)

// keepNothing lists the makes that keep no card.
func keepNothing() []makes.Make {
	return slices.DeleteFunc(slices.Clone(makes.All), func(m makes.Make) bool { return m.Keeps })
}

// lineTest is a test on a line; run starts a driver there.
type lineTest func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine)

// onEachLine runs a test with each make, on a line in memory, and in make soak on real ones.
func onEachLine(t *testing.T, test lineTest) {
	for _, m := range keepNothing() {
		t.Run(m.Name+" memory", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { onLine(t, m, shoesim.Options{Memory: true}, test) })
		})
		t.Run(m.Name, func(t *testing.T) {
			tier.Soak(t, "a real line takes the shoe's own time")
			onRealLines(t, m, test)
		})
	}
}

func onRealLines(t *testing.T, m makes.Make, test lineTest) {
	for name, o := range map[string]shoesim.Options{"terminal": {}, "network": {Listen: "127.0.0.1:0"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onLine(t, m, o, test)
		})
	}
}

func onLine(t *testing.T, m makes.Make, o shoesim.Options, test lineTest) {
	o.Kind = shoesim.Kind(m.Name)
	sim := shoetest.NewUnacked(t, o)
	test(t, sim, func() *shoetest.UnackedLine {
		return shoetest.RunUnacked(t, sim, m.New(shoe.Options{Open: shoetest.Opener(t, sim), Log: silent}))
	})
}

// TestOnRealLines: on a terminal and on the network the cards come that come from memory, also to a host that is new.
func TestOnRealLines(t *testing.T) {
	for _, m := range keepNothing() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			onRealLines(t, m, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
				for range 2 {
					l := run()
					l.Up()
					l.Cards(shoetest.Draw(t, sim, 2)...)
					sent(t, sim)
					l.Stop()
				}
			})
		})
	}
}

func TestCardsCome(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		l := run()
		l.Up()
		l.Cards(shoetest.Draw(t, sim, 20)...)
		if _, err := sim.DrawUnread(); err != nil {
			t.Fatal(err)
		}
		l.Cards(card.Unread)
	})
}

// What was drawn while the cable was out is lost; the table is told to ask.
func TestCablePulled(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		l := run()
		l.Up()
		l.Cards(shoetest.Draw(t, sim, 3)...)
		for range 3 {
			if err := sim.Unplug(); err != nil {
				t.Fatal(err)
			}
			if e := l.Await(shoe.Down, shoe.Drawn); e.Kind != shoe.Down || !errors.Is(e.Err, device.ErrGone) {
				t.Errorf("got %s, want down because the port is gone", shoetest.Describe(e))
			}
			lost(t, sim)
			if err := sim.Replug(); err != nil {
				t.Fatal(err)
			}
			l.Up()
			l.Cards(shoetest.Draw(t, sim, 2)...)
		}
	})
}

// lost draws a card that the shoe reports while nothing listens.
func lost(t *testing.T, sim *shoesim.Shoe) {
	t.Helper()
	shoetest.Draw(t, sim, 1)
	sent(t, sim)
}

// sent waits until the shoe has sent everything, to the last copy.
func sent(t *testing.T, sim *shoesim.Shoe) {
	t.Helper()
	if _, err := sim.Await(t.Context(), func(s shoesim.State) bool { return s.Quiet }); err != nil {
		t.Fatal(err)
	}
}

// A new host hears nothing of what was drawn before it came.
func TestHostRestarts(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		first := run()
		first.Up()
		first.Cards(shoetest.Draw(t, sim, 2)...)
		first.Stop()
		lost(t, sim)
		second := run()
		second.Up()
		second.Cards(shoetest.Draw(t, sim, 2)...)
	})
}

// A cable pulled in mid-message: the table is told to ask, and no card comes from the pieces.
func TestPulledInMidMessage(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		l := run()
		l.Up()
		if err := sim.PullAfter(5); err != nil {
			t.Fatal(err)
		}
		shoetest.Draw(t, sim, 1)
		if e := l.Await(shoe.Down, shoe.Drawn); e.Kind != shoe.Down {
			t.Errorf("of half a message came %s", shoetest.Describe(e))
		}
		sent(t, sim)
		if err := sim.Replug(); err != nil {
			t.Fatal(err)
		}
		l.Up()
		l.Cards(shoetest.Draw(t, sim, 1)...)
	})
}

func TestPortThatIsNotThere(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		if err := sim.Unplug(); err != nil {
			t.Fatal(err)
		}
		l := run()
		if e := l.Next(); e.Kind != shoe.Down || e.Err == nil {
			t.Errorf("got %s, want down", shoetest.Describe(e))
		}
		if err := sim.Replug(); err != nil {
			t.Fatal(err)
		}
		l.Up()
	})
}

// What comes at the wrong speed is not a message, and the log says what to check.
func TestWrongSpeed(t *testing.T) {
	onEachLine(t, func(t *testing.T, sim *shoesim.Shoe, run func() *shoetest.UnackedLine) {
		l := run()
		l.Up()
		set := func(sent, heard int) {
			if err := sim.Cable(func(to, _ *shoesim.BadLine, _ time.Duration) { to.Speed(sent, heard) }); err != nil {
				t.Fatal(err)
			}
		}
		set(9600, 4800)
		shoetest.Draw(t, sim, 40)
		sent(t, sim)
		e := l.Await(shoe.Down, shoe.Drawn)
		if e.Kind != shoe.Down || !strings.Contains(e.Err.Error(), "the baud rate") {
			t.Errorf("at the wrong speed: %s", shoetest.Describe(e))
		}
		set(0, 0)
		drawn := shoetest.Draw(t, sim, 1)
		l.Up()
		if e := l.Await(shoe.Drawn); e.Card != drawn[0] {
			t.Errorf("got %s, want %s", e.Card, drawn[0])
		}
	})
}

// A table that takes no events for a while gets them all.
func TestSlowTable(t *testing.T) {
	for _, m := range keepNothing() {
		synctest.Test(t, func(t *testing.T) {
			sim, err := shoesim.New(shoesim.Options{Kind: shoesim.Kind(m.Name), Memory: true})
			if err != nil {
				t.Fatal(err)
			}
			defer sim.Close()
			ctx, cancel := context.WithCancel(t.Context())
			var told []card.Card
			busy := true
			ended := background(func() error {
				return m.New(shoe.Options{Open: sim.Open, Log: silent}).Run(ctx, func(e shoe.Event) {
					if busy {
						busy = false
						bubble.Pass(time.Hour)
					}
					if e.Kind == shoe.Drawn {
						told = append(told, e.Card)
					}
				})
			})
			synctest.Wait()
			drawn := shoetest.Draw(t, sim, 300)
			bubble.Pass(2 * time.Hour)
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) || !slices.Equal(told, drawn) {
				t.Errorf("%s: %v; of %d cards came %d", m.Name, err, len(drawn), len(told))
			}
		})
	}
}

func background(f func() error) <-chan error {
	ended := make(chan error, 1)
	go func() { ended <- f() }()
	return ended
}

// What the line can repeat at will is logged once at once, and then as sums.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := shoesim.New(shoesim.Options{Kind: shoesim.BeeTek, Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		ctx, cancel := context.WithCancel(t.Context())
		var log bytes.Buffer
		ended := background(func() error {
			return beetek.New(shoe.Options{Open: sim.Open, Log: slog.New(slog.NewTextHandler(&log, nil))}).Run(ctx,
				func(shoe.Event) {})
		})
		synctest.Wait()
		for range 300 {
			if err := sim.Garbage(3); err != nil {
				t.Fatal(err)
			}
			shoetest.Draw(t, sim, 1)
			bubble.Pass(200 * time.Millisecond)
		}
		cancel()
		<-ended
		if n := strings.Count(log.String(), "damaged text"); n < 2 || n > 7 {
			t.Errorf("a minute of garbage makes %d lines in the log, want one at once and one every ten seconds", n)
		}
	})
}
