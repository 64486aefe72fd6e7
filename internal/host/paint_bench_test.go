package host_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// paintPace leaves the browser several frames for each card.
const paintPace = 60 * time.Millisecond

// BenchmarkPaint times single cards from the moment before the shoe writes on its line
// until Chromium has painted them on the dealer's page. One operation is one card. A
// card that is followed by another before it was painted is missed, and counted.
func BenchmarkPaint(b *testing.B) {
	w := &painting{}
	watched(b, paintPace, 0, func(page *watchedPage, dealer *keysim.Dealer, done func()) {
		w.wanted, w.done = b.N, done
		dealer.Shoe = paintedShoe{dealer.Shoe.(*shoesim.Shoe), w}
		go page.each(w.painted)
		b.ResetTimer()
	})
	b.StopTimer()
	w.report(b)
}

// BenchmarkPage deals rounds as fast as they go before a page that follows them, and
// says how large it is after 500 and after 10,000.
func BenchmarkPage(b *testing.B) {
	for range b.N {
		for _, rounds := range []uint64{500, 10000} {
			watched(b, 0, rounds, func(page *watchedPage, _ *keysim.Dealer, _ func()) {
				page.closing = func() {
					heap, nodes := page.grown()
					b.ReportMetric(heap/1024, fmt.Sprintf("KiB-after-%d", rounds))
					b.ReportMetric(nodes, fmt.Sprintf("nodes-after-%d", rounds))
				}
			})
		}
	}
	b.ReportMetric(0, "ns/op")
}

// watched runs a table with a simulated dealer before a browser. prepare is called before
// he deals; done stops him.
func watched(b *testing.B, pace time.Duration, rounds uint64,
	prepare func(page *watchedPage, dealer *keysim.Dealer, done func()),
) {
	b.Helper()
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 11, Continuous: true})
	if err != nil {
		b.Fatal(err)
	}
	defer shoe.Close()
	c := config.Default()
	c.KeysApart = -1 // the simulated dealer calls faster than a person could
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path, c.Web.Listen = shoe.Path(), filepath.Join(processes.FastDir(b), "journal"),
		"127.0.0.1:0"
	log := slog.New(slog.DiscardHandler)
	d, err := host.Open(c, profile.Built(), "test", log)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	dealing, done := context.WithCancel(ctx)
	defer done()
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	page := openWatched(b, d.URL())
	dealer := &keysim.Dealer{
		Shoe: shoe, Display: d.Board, Pace: pace, Rounds: rounds, Seed: 5, Log: log,
		Press: func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			answer, err := d.Submit(ctx, in)
			return answer.Rejected, err
		},
	}
	prepare(page, dealer, done)
	if err := dealer.Run(dealing); err != nil {
		b.Error(err)
	}
	page.close()
	stop()
	if err := parts.Wait(); err != nil {
		b.Error(err)
	}
	if err := d.Close(); err != nil {
		b.Error(err)
	}
}

// watchedPage is the dealer's page in a browser, watched by display/web/e2e/painted.mjs.
type watchedPage struct {
	b       testing.TB
	process *exec.Cmd
	in      io.WriteCloser
	lines   *bufio.Scanner
	closing func()
}

func openWatched(b testing.TB, url string) *watchedPage {
	b.Helper()
	process := exec.Command("node", "painted.mjs", url)
	process.Dir, process.Stderr = filepath.Join("..", "..", "..", "display", "web", "e2e"), os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := process.Start(); err != nil {
		b.Fatalf("the page cannot be watched: make test installs what it needs: %v", err)
	}
	p := &watchedPage{b: b, process: process, in: in, lines: bufio.NewScanner(out)}
	if !p.lines.Scan() || p.lines.Text() != "ready" {
		b.Fatalf("the page cannot be watched; it says %q: run npm ci in display/web/e2e", p.lines.Text())
	}
	return p
}

// each calls painted with the time of each card that is painted, until the page is closed.
func (p *watchedPage) each(painted func(time.Time)) {
	for p.lines.Scan() {
		ms, err := strconv.ParseFloat(p.lines.Text(), 64)
		if err == nil {
			painted(time.UnixMicro(int64(ms * 1000)))
		}
	}
}

// grown is how large the page's script and its document are.
func (p *watchedPage) grown() (heap, nodes float64) {
	if _, err := fmt.Fprintln(p.in, "heap"); err != nil {
		p.b.Fatal(err)
	}
	for p.lines.Scan() {
		if n, _ := fmt.Sscanf(p.lines.Text(), "heap %g nodes %g", &heap, &nodes); n == 2 {
			return heap, nodes
		}
	}
	p.b.Fatal("the page ended")
	return 0, 0
}

func (p *watchedPage) close() {
	if p.closing != nil {
		p.closing()
	}
	if err := p.in.Close(); err != nil {
		p.b.Error(err)
	}
	if err := p.process.Wait(); err != nil {
		p.b.Error(err)
	}
}

// painting has when each card was drawn, and how long it took until it was painted.
type painting struct {
	wanted int
	done   func()

	mu     sync.Mutex
	drawn  time.Time // zero once it is painted
	times  []time.Duration
	missed int
}

func (w *painting) draws() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.drawn.IsZero() {
		w.missed++
	}
	w.drawn = time.Now()
}

func (w *painting) painted(at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.drawn.IsZero() || at.Before(w.drawn) {
		return
	}
	w.times = append(w.times, at.Sub(w.drawn))
	w.drawn = time.Time{}
	if len(w.times) == w.wanted {
		w.done()
	}
}

func (w *painting) report(b *testing.B) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.times) < w.wanted {
		b.Fatalf("%d of %d cards were seen", len(w.times), w.wanted)
	}
	slices.Sort(w.times)
	for name, at := range map[string]int{
		"p50": len(w.times) / 2, "p99": len(w.times) * 99 / 100,
		"max": len(w.times) - 1,
	} {
		b.ReportMetric(float64(w.times[at].Microseconds()), "painted-"+name+"-µs")
	}
	b.ReportMetric(float64(w.missed), "missed")
	b.ReportMetric(0, "ns/op") // the pace of the hand
}

// paintedShoe starts the watch before the shoe writes.
type paintedShoe struct {
	*shoesim.Shoe
	watch *painting
}

func (s paintedShoe) Draw() (card.Card, error) {
	s.watch.draws()
	return s.Shoe.Draw()
}
