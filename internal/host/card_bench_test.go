package host_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// handPace is faster than any dealer, and leaves the table time to come to rest: it
// is the time of one card that is measured, not how many there can be in a second.
const handPace = 5 * time.Millisecond

// BenchmarkCard times single cards through the whole table, from the moment before
// the shoe writes on its line: until the display's view shows the card, and until a
// subscriber of the pit's broker has its event. The journal's wait for the disk lies
// on the way to the pit, not on the way to the display. One operation is one card.
//
// Beside it, in the same run, stands what no table can do without: the bare way of as
// many bytes from a pseudo-terminal into a file, durably, and over the same broker to a
// subscriber.
func BenchmarkCard(b *testing.B) {
	b.Run("disk", func(b *testing.B) { compareCards(b, b.TempDir()) })
	b.Run("memory", func(b *testing.B) { compareCards(b, processes.FastDir(b)) })
}

func compareCards(b *testing.B, dir string) {
	bare := timeBareCards(b, dir)
	told := timeCards(b, dir)
	for name, at := range map[string]float64{"p50": 0.5, "p99": 0.99} {
		least, all := quantile(bare, at), quantile(told, at)
		b.ReportMetric(float64(least.Microseconds()), "bare-"+name+"-µs")
		b.ReportMetric(float64(all)/float64(least), "pit-"+name+"/bare")
	}
}

func quantile(sorted []time.Duration, at float64) time.Duration {
	return sorted[min(int(float64(len(sorted))*at), len(sorted)-1)]
}

func timeCards(b *testing.B, dir string) (told []time.Duration) {
	mqtt, err := broker.Listen("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer mqtt.Close()
	return timeCardsAt(b, dir, mqtt.Addr(), timing{})
}

// timing says what is different from a plain table.
type timing struct {
	// change changes the configuration, nil for nothing.
	change func(*config.Config)
	// beside runs while the cards are timed, until its context ends; nil for nothing.
	beside func(context.Context, *host.Daemon) error
	// views is given how long each card took to the display, sorted; nil for nobody.
	views func([]time.Duration)
}

// timeCardsAt times cards at a table whose broker is at an address.
func timeCardsAt(b *testing.B, dir, address string, with timing) (told []time.Duration) {
	log := slog.New(slog.DiscardHandler)
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	watch := &stopwatch{wanted: b.N, done: stop}
	processes.Listen(b, address, demoTable(b), watch.heard)
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 11, Continuous: true})
	if err != nil {
		b.Fatal(err)
	}
	defer shoe.Close()
	c := config.Default()
	c.KeysApart = -1 // the simulated dealer calls faster than a person could
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path = shoe.Path(), filepath.Join(dir, "journal")
	c.Web.Listen, c.MQTT.Broker = "127.0.0.1:0", "tcp://"+address
	if with.change != nil {
		with.change(&c)
	}
	d, err := host.Open(c, profile.Built(), "test", log)
	if err != nil {
		b.Fatal(err)
	}
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	if with.beside != nil {
		parts.Go(func() error { return with.beside(ctx, d) })
	}
	dealer := &keysim.Dealer{
		Shoe: timedShoe{shoe, watch}, Display: timedBoard{d.Board, watch}, Pace: handPace, Seed: 5, Log: log,
		Press: func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			answer, err := d.Submit(ctx, in)
			return answer.Rejected, err
		},
	}
	b.ResetTimer()
	if err := dealer.Run(ctx); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	if err := parts.Wait(); err != nil {
		b.Fatal(err)
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
	told = watch.report(b)
	if with.views != nil {
		with.views(watch.view)
	}
	return told
}

// stopwatch has when each card was drawn, and how long it took until it was shown
// and until the pit had heard of it.
type stopwatch struct {
	wanted int
	done   func()

	mu         sync.Mutex
	cards      []card.Card
	drawn      []time.Time
	view, told []time.Duration
	wrong      []byte // an event that does not belong to the card that is next
}

func (w *stopwatch) draws() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drawn = append(w.drawn, time.Now())
}

func (w *stopwatch) is(c card.Card) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cards = append(w.cards, c)
}

// sees is called when the display shows what the dealer has waited for: after a
// draw, that is the card.
func (w *stopwatch) sees() {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.view); n < len(w.drawn) {
		w.view = append(w.view, now.Sub(w.drawn[n]))
	}
}

// heard takes an event of the pit. Each card that is drawn is dealt, in its turn.
func (w *stopwatch) heard(line []byte) {
	now := time.Now()
	if !bytes.HasPrefix(line, []byte(`{"out":"dealt"`)) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.told)
	if n >= len(w.drawn) || n < len(w.cards) && !bytes.Contains(line, []byte(`"card":"`+w.cards[n].String()+`"`)) {
		w.wrong = append(w.wrong, line...)
		return
	}
	w.told = append(w.told, now.Sub(w.drawn[n]))
	if len(w.told) == w.wanted {
		w.done()
	}
}

func (w *stopwatch) report(b *testing.B) []time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wrong != nil {
		b.Fatalf("these events belong to no card: %s", w.wrong)
	}
	for name, times := range map[string][]time.Duration{"view": w.view, "pit": w.told} {
		if len(times) < w.wanted {
			b.Fatalf("%d of %d cards were timed to the %s", len(times), w.wanted, name)
		}
		slices.Sort(times)
		for suffix, at := range map[string]int{
			"p50": len(times) / 2, "p99": len(times) * 99 / 100,
			"max": len(times) - 1,
		} {
			b.ReportMetric(float64(times[at].Microseconds()), name+"-"+suffix+"-µs")
		}
	}
	b.ReportMetric(0, "ns/op") // the pace of the hand
	return w.told
}

// timedShoe starts the watch before the shoe writes.
type timedShoe struct {
	*shoesim.Shoe
	watch *stopwatch
}

func (s timedShoe) Draw() (card.Card, error) {
	s.watch.draws()
	c, err := s.Shoe.Draw()
	s.watch.is(c)
	return c, err
}

// timedBoard stops the watch when the dealer sees the card.
type timedBoard struct {
	*host.Board
	watch *stopwatch
}

func (t timedBoard) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	v, err := t.Board.Await(ctx, wanted)
	if err == nil {
		t.watch.sees()
	}
	return v, err
}
