package makes_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// reasons runs a driver for a minute on the line of a shoe, from which a card is drawn every two seconds, and returns
// the reasons why the link was down.
func reasons(t *testing.T, m makes.Make, baud int, o shoesim.Options) (why []string) {
	synctest.Test(t, func(t *testing.T) {
		o.Memory, o.Continuous, o.Decks, o.Seed, o.Boot = true, true, 1, 1, 1
		sim, err := shoesim.New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		driver := m.Driver(shoe.Options{
			Open: sim.Open, Baud: baud,
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		})
		go func() {
			ended <- driver.Run(ctx, func(e shoe.Event) {
				if e.Kind == shoe.Down {
					why = append(why, e.Err.Error())
				}
			})
		}()
		for range 30 {
			if _, err := sim.Draw(); err != nil {
				t.Error(err)
			}
			bubble.Pass(2 * time.Second)
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return why
}

// eachPair runs a test for each make's shoe under each make's driver.
func eachPair(t *testing.T, test func(t *testing.T, is, driver makes.Make)) {
	for _, is := range makes.All {
		for _, driver := range makes.All {
			t.Run(fmt.Sprintf("%s under %s", is.Name, driver.Name), func(t *testing.T) { test(t, is, driver) })
		}
	}
}

// TestAnotherMake: the driver of one make names the other that is on its line, and sticks to it while that is silent.
func TestAnotherMake(t *testing.T) {
	eachPair(t, func(t *testing.T, is, driver makes.Make) {
		got := reasons(t, driver, 0, shoesim.Options{Kind: shoesim.Kind(is.Name)})
		if is.Name == driver.Name {
			if len(got) > 0 {
				t.Errorf("the link of the right shoe went down: %q", got)
			}
			return
		}
		named := slices.DeleteFunc(slices.Clone(got), func(why string) bool {
			return !strings.HasSuffix(why, ": this looks like another make of shoe: set shoe.driver: "+is.Name)
		})
		if len(named) == 0 || len(got) > 3 || got[len(got)-1] != named[0] {
			t.Errorf("the link went down for %q", got)
		}
	})
}

// TestWrongSpeed: a shoe that sends at another speed is not taken for another make. At the usual speeds of all makes
// the driver says what is wrong; at others it may see only that it cannot read what comes, as with the few bytes that
// are left of a sabot shoe's greetings at a much lower speed. make test tries every fifth of the others, and not the
// same with each pair of makes.
func TestWrongSpeed(t *testing.T) {
	speeds := []int{4800, 9600, 19200, 38400, 57600, 115200}
	others, every := 0, tier.Times(5, 1)
	eachPair(t, func(t *testing.T, is, driver makes.Make) {
		for _, sent := range speeds {
			for _, heard := range speeds {
				expected := sent == is.Baud && heard == driver.Baud
				others++
				if sent == heard || !expected && others%every != 0 {
					continue
				}
				line := shoesim.NewBadLine(1, nil)
				line.Speed(sent, heard)
				why := strings.Join(reasons(t, driver, heard,
					shoesim.Options{Kind: shoesim.Kind(is.Name), ToHost: func(p []byte) []byte {
						return line.Carry(0, p, nil)
					}}), "\n")
				named := strings.Contains(why, ": this looks like the wrong speed") &&
					strings.Contains(why, fmt.Sprintf("%s (%d baud)", is.Name, is.Baud))
				switch {
				case strings.Contains(why, "another make of shoe"), expected &&
					!strings.Contains(why, "what comes from the shoe is not a"),
					expected && !is.Keeps && !named:
					t.Errorf("sent at %d and heard at %d, the link went down for\n%s", sent, heard, why)
				}
			}
		}
	})
}

// TestMisframed: what the port counts shows the wrong speed where the bytes do not.
func TestMisframed(t *testing.T) {
	m, err := makes.Named("sabot")
	if err != nil {
		t.Fatal(err)
	}
	var options shoe.Options
	m.New = func(o shoe.Options) shoe.Driver {
		options = o
		return nil
	}
	m.Driver(shoe.Options{})
	var s shoe.Sample
	for i := range 60 {
		s.Add([]byte{byte(40 + 7*i)}, device.Losses{})
	}
	if got := options.LooksLike(&s); got != "" {
		t.Errorf("any bytes look like %q", got)
	}
	s.Add(nil, device.Losses{Framing: 10, Breaks: 5})
	if got := options.LooksLike(&s); !strings.Contains(got, "this looks like the wrong speed") {
		t.Errorf("bytes without stop bits look like %q", got)
	}
}
