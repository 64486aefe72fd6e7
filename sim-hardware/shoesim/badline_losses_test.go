package shoesim_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// cardsPerRound and betweenCards are those of a fast table. Each card has settled before the next one is drawn.
const (
	cardsPerRound = 8
	betweenCards  = 3 * time.Second
)

// happening is something that happened on a line.
type happening struct {
	at      time.Time
	opened  bool   // the host opened the port
	sent    []byte // the shoe sent this, before any fault
	arrived []byte // the host read this
	event   *shoe.Event
}

// witness records what happens.
type witness struct {
	mu  sync.Mutex
	all []happening
}

func (w *witness) note(h happening) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.at = time.Now()
	h.sent, h.arrived = slices.Clone(h.sent), slices.Clone(h.arrived)
	w.all = append(w.all, h)
}

// watchedPort is a port whose reads are recorded.
type watchedPort struct {
	device.Port
	w *witness
}

func (p watchedPort) Read(b []byte) (int, error) {
	n, err := p.Port.Read(b)
	if n > 0 {
		p.w.note(happening{arrived: b[:n]})
	}
	return n, err
}

// watch deals rounds over a bad line to a driver, with the cable pulled in mid-message now and then, and returns what
// happened. Call it in a synctest bubble.
func watch(
	t *testing.T, kind shoesim.Kind, bad shoesim.FaultRates, newDriver func(shoe.Options) shoe.Shoe,
) []happening {
	w := &witness{}
	sim, err := shoesim.New(shoesim.Options{
		Kind: kind, Seed: 7, Decks: 400, Memory: true,
		ToHost: func(p []byte) []byte {
			w.note(happening{sent: p})
			return p
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	open := func(ctx context.Context) (device.Port, error) {
		port, err := sim.Open(ctx)
		if err == nil {
			w.note(happening{opened: true})
		}
		return watchedPort{port, w}, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- newDriver(shoe.Options{Open: open, Log: slog.New(slog.DiscardHandler)}).Run(ctx, func(e shoe.Event) {
			w.note(happening{event: &e})
		})
	}()
	bubble.Pass(time.Second)
	dealBadly(t, sim, bad)
	bubble.Pass(5 * time.Second)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v", err)
	}
	if err := sim.Close(); err != nil {
		t.Error(err)
	}
	return w.all
}

func dealBadly(t *testing.T, sim *shoesim.Shoe, bad shoesim.FaultRates) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(sim.Cable(func(to, _ *shoesim.BadLine, _ time.Duration) { to.Set(bad) }))
	chance := rand.New(rand.NewPCG(3, 4))
	for round := range rounds / 4 {
		if round%replugEvery == replugEvery-1 {
			must(sim.PullAfter(1 + chance.IntN(20)))
		}
		for range cardsPerRound {
			draw := sim.Draw
			if chance.IntN(20) == 0 {
				draw = sim.DrawUnread
			}
			_, err := draw()
			if errors.Is(err, shoesim.ErrEmpty) {
				err = sim.Reload()
			}
			must(err)
			bubble.Pass(betweenCards)
		}
		must(sim.Replug())
	}
}

// tell adds what an event says about cards and losses. A link that is down is reported again for each reason, and an
// unknown loss may be reported more than once.
func tell(all []string, e *shoe.Event) []string {
	switch e.Kind {
	case shoe.Up, shoe.Drawn, shoe.Gap, shoe.AlarmRaised, shoe.CutCard:
		plain := *e
		plain.Err = nil
		return show(all, shoetest.Describe(plain))
	case shoe.Down:
		return show(all, "down")
	}
	return all
}

// show adds what is reported, unless it only repeats the last report.
func show(all []string, what string) []string {
	n := len(all)
	if n > 0 && all[n-1] == what && (what == "down" || what == "gap unsure") {
		return all
	}
	return append(all, what)
}

// differ finds where two lists differ, and shows both there.
func differ(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if i < len(got) && i < len(want) && got[i] == want[i] {
			continue
		}
		near := func(l []string) string { return strings.Join(l[min(max(i-3, 0), len(l)):min(i+4, len(l))], ", ") }
		t.Fatalf("%s: of %d and %d, number %d differs:\ntold      … %s\nthe wire  … %s", what, len(got), len(want), i+1,
			near(got), near(want))
	}
}
