package devices

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/internal/ops/config"
)

// kind is what a line of the watch is about.
type kind string

// What a technician sees, from the wire up to what it means for the table.
const (
	bytesRead    kind = "<"
	bytesWritten kind = ">"
	frame        kind = "frame" // of a key, an edge
	event        kind = "EVENT"
	remark       kind = "says"
)

// teller takes what a part reports. It may be called from any goroutine.
type teller func(part string, what kind, text string)

// watched is a part of the table that reports what happens in it until ctx ends.
type watched func(ctx context.Context, tell teller) error

// parts returns the parts of a configuration that can be watched.
func parts(c config.Config) ([]watched, error) {
	shoe, err := watchShoe(c.Shoe)
	if err != nil {
		return nil, err
	}
	all := []watched{shoe}
	panel, err := watchKeys(c)
	if err != nil {
		return nil, err
	}
	if panel != nil {
		all = append(all, panel)
	}
	return all, nil
}

// Watch shows what comes from the table's devices until ctx ends: with bytes everything on
// the wires, otherwise only what it means.
func Watch(ctx context.Context, c config.Config, out io.Writer, bytes bool) error {
	all, err := parts(c)
	if err != nil {
		return err
	}
	show := newShow(c.LCD)
	return watch(ctx, append(all, show.run), &printer{out: out, bytes: bytes, now: time.Now}, show)
}

func watch(ctx context.Context, all []watched, p *printer, show *show) error {
	if _, err := io.WriteString(p.out, welcome); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tell := func(part string, what kind, text string) {
		if p.tell(part, what, text) != nil {
			stop() // nobody is reading
		}
		show.tell(what, text)
	}
	running, ctx := errgroup.WithContext(ctx)
	for _, part := range all {
		running.Go(func() error { return part(ctx, tell) })
	}
	err := running.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil // an interruption is not an error
	}
	return errors.Join(err, p.failed())
}

const welcome = `What comes from the table's devices; Ctrl-C ends. < was read, > was written.
Cards are not acknowledged: a sabot shoe keeps them, and gives them to the table when
sabotd starts. To discard them, switch the shoe off and on.

`

// printer prints each report on a line, with the time.
type printer struct {
	out   io.Writer
	bytes bool // print bytes and frames, too
	now   func() time.Time

	mu  sync.Mutex
	err error
}

func (p *printer) tell(part string, what kind, text string) error {
	if !p.bytes && what != event && what != remark {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.now().Format("15:04:05.000")
	for line := range strings.Lines(text) {
		if _, err := fmt.Fprintf(p.out, "%s  %-4s  %-5s  %s\n", at, part, what,
			strings.TrimRight(line, "\n")); err != nil && p.err == nil {
			p.err = err
		}
	}
	return p.err
}

func (p *printer) failed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// saying returns a logger whose lines a part reports.
func saying(tell teller, part string) *slog.Logger {
	return slog.New(slog.NewTextHandler(sayer(func(line string) { tell(part, remark, line) }), &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{} // each line of the watch has its own
			}
			return a
		},
	}))
}

type sayer func(line string)

func (s sayer) Write(p []byte) (int, error) {
	s(string(p))
	return len(p), nil
}
