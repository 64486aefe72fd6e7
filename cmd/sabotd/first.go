package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/cmd/internal/health"
	"github.com/sabot-table/sabot/cmd/internal/metrics"
	"github.com/sabot-table/sabot/cmd/internal/settings"
	"github.com/sabot-table/sabot/cmd/internal/settings/page"
	"github.com/sabot-table/sabot/cmd/internal/version"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/bounds"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// fresh reports whether there is no configuration yet, or one that does not say which table it is of.
func fresh(path string) bool {
	text, err := settings.At(path).Read()
	return err == nil && settings.Fresh(text)
}

// firstStart asks the questions on the table's own screen, until the configuration is written or ctx ends.
func (t *tables) firstStart(ctx context.Context, log *slog.Logger) error {
	path, houses := t.path, t.houses
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return unfit{fmt.Errorf("the configuration %s cannot be written at a first start: %w: make its folder, or correct --config", path, err)}
	}
	store := settings.At(path)
	text, err := store.Read()
	if err != nil {
		return err
	}
	listen := settings.FirstPage(text)
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("the page of the first start cannot be served on %s: end what listens there: %w", listen, err)
	}
	address := "http://" + listener.Addr().String() + "/"
	language, _ := display.Speak(words.English)
	written := make(chan struct{}, 1)
	pages := page.New(page.Options{
		First: true, Why: t.why, Houses: houses, Language: language, Log: log,
		Text:  func() ([]byte, error) { return settings.Begin(text), nil },
		Tried: t.tried.set, Last: t.tried.get, Beside: saysThatItAsks(address, log),
		Save: func(_ context.Context, answers []settings.Answer) (bool, error) {
			if open := settings.Open(answers); len(open) > 0 {
				return false, fmt.Errorf("%s is not answered yet", open[0])
			}
			if _, err := settings.Change(path, houses, answers); err != nil {
				return false, err
			}
			select {
			case written <- struct{}{}:
			default:
			}
			return false, nil
		},
	})
	server := &http.Server{Handler: pages, ReadHeaderTimeout: bounds.HeaderTime, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	fmt.Fprintf(t.out, "sabotd waits for its first start: answer the questions at %s\n", address)
	if err := t.await(ctx, written, failed, "waits for its first start, at "+address); err != nil {
		return fmt.Errorf("serving the page of the first start: %w", err)
	}
	if ctx.Err() == nil {
		log.Info("the first start has written the configuration", "file", path)
	}
	limit, done := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer done()
	if err := server.Shutdown(limit); errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(server.Close(), ctx.Err())
	}
	return ctx.Err()
}

// saysThatItAsks answers /health and /metrics of a table that is none yet.
func saysThatItAsks(address string, log *slog.Logger) map[string]http.Handler {
	look := func() metrics.Snapshot {
		f := health.Facts{Now: time.Now(), Asks: address}
		return metrics.Snapshot{Version: version.String(), Facts: f, Report: health.Judge(f)}
	}
	return map[string]http.Handler{
		"GET /health": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if err := look().Report.Serve(w); err != nil {
				log.Debug("whoever asked for the table's health left before it was there", "err", err)
			}
		}),
		"GET /metrics": metrics.New(look).Handler(),
	}
}

// await tells the service manager that the process does its work, and waits until the configuration is written, ctx ends
// or serving has failed.
func (t *tables) await(ctx context.Context, written <-chan struct{}, failed <-chan error, status string) error {
	t.service.Ready(status)
	var alive <-chan time.Time
	if every := t.service.AliveEvery(); every > 0 {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		alive = ticker.C
	}
	for {
		select {
		case <-alive:
			t.service.Alive()
		case err := <-failed:
			return err
		case <-ctx.Done():
			t.service.Stopping()
			return nil
		case <-written:
			t.service.Reloading()
			return nil
		}
	}
}

// settingsOf serves the table's settings at its own screen. again is told when a change waits for the table to begin anew.
func settingsOf(d *daemon.Daemon, path string, c config.Config, houses profile.Book, again chan<- struct{}, log *slog.Logger) http.Handler {
	return page.New(page.Options{
		Boot: d.Boot(), Houses: houses, Language: c.Speaks(houses), Log: log,
		Text:  settings.At(path).Read,
		Names: d.Supervisors(),
		Prove: func(ctx context.Context, name, pin string) error { return d.Enter(ctx, authority.Own, name, pin) },
		Proven: func(ctx context.Context) bool {
			_, err := d.MayChange(ctx)
			return err == nil
		},
		Save: func(ctx context.Context, answers []settings.Answer) (waits bool, err error) {
			by, err := d.MayChange(ctx)
			if err != nil {
				return false, page.ErrNotProven
			}
			if settings.RemovesSelf(answers, by) {
				return false, settings.ErrSelf
			}
			next, err := settings.Change(path, houses, answers)
			if err != nil {
				return false, err
			}
			var keys []string
			for _, a := range answers {
				keys = append(keys, a.Key)
			}
			d.Changed(by, keys)
			if c.Effect(next) != config.Between {
				return false, nil
			}
			select {
			case again <- struct{}{}:
			default:
			}
			return d.Dealing(), nil
		},
	})
}

// tried is where a shoe is after the last card that was drawn from it to try it. The table's journal does not know the card.
type tried struct {
	mu   sync.Mutex
	last shoe.Position
}

func (t *tried) set(p shoe.Position) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = p
}

func (t *tried) get() shoe.Position {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
