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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/ops/settings/page"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// firstStart asks the questions on the table's own screen, until the configuration is written or ctx ends;
// text is what there is of it.
func (t *tables) firstStart(ctx context.Context, text []byte, log *slog.Logger) error {
	path, houses := t.path, t.houses
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		return unfit{fmt.Errorf("the configuration %s cannot be written at a first start: %w: make its folder, or "+
			"correct --config", path, err)}
	}
	settings.PutRight(path, text, log)
	listener, address, err := firstPage(text)
	if err != nil {
		return err
	}
	language, _ := display.Speak(words.English)
	written := make(chan struct{}, 1)
	pages := page.New(page.Options{
		First: true, Why: t.why, Houses: houses, Language: language, Log: log,
		Text:  func() ([]byte, error) { return settings.Begin(text), nil },
		Tried: t.tried.set, Last: t.tried.get,
		Save: func(_ context.Context, answers []settings.Answer) error {
			if open := settings.Open(answers); len(open) > 0 {
				return fmt.Errorf("%s is not answered yet", open[0])
			}
			if _, err := settings.Change(path, houses, answers); err != nil {
				return err
			}
			select {
			case written <- struct{}{}:
			default:
			}
			return nil
		},
	})
	fmt.Fprintf(t.out, "sabotd waits for its first start: answer the questions at %s\n", address)
	facts := health.Facts{Asks: address}
	if err := t.serveFirst(ctx, listener, pages, facts, written, "waits for its first start, at "+address,
		log); err != nil {
		return fmt.Errorf("serving the page of the first start: %w", err)
	}
	log.Info("the first start has written the configuration", "file", path)
	return nil
}

// firstPage listens where a table is served that has no configuration.
func firstPage(text []byte) (listener net.Listener, address string, err error) {
	listen := settings.FirstPage(text)
	if listener, err = net.Listen("tcp", listen); err != nil {
		return nil, "", fmt.Errorf("the page of the first start cannot be served on %s: end what listens there: %w",
			listen, err)
	}
	return listener, "http://" + listener.Addr().String() + "/", nil
}

// serveFirst serves the pages of a table that has no configuration, until it is told that there is one, or ctx ends.
func (t *tables) serveFirst(
	ctx context.Context, on net.Listener, pages []site.Row, facts health.Facts, enough <-chan struct{}, status string,
	log *slog.Logger,
) error {
	server := firstSite(pages, facts, log).Server(site.Bounds{Idle: time.Minute, Log: log})
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(on) }()
	if err := t.await(ctx, enough, failed, status); err != nil {
		return err
	}
	limit, done := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer done()
	if err := server.Shutdown(limit); errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(server.Close(), ctx.Err())
	}
	return ctx.Err()
}

// firstSite is all that a table answers that has no configuration: its page, and to programs what it waits for.
func firstSite(pages []site.Row, facts health.Facts, log *slog.Logger) *site.Site {
	ahead := site.Row{
		Method: http.MethodGet, Path: "/{$}", Least: site.Everybody,
		Serve: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, page.Prefix, http.StatusFound)
		},
	}
	return web.Bare(web.Options{Logger: log}, slices.Concat(pages, []site.Row{ahead}, saysWhatFor(facts, log))...)
}

// saysWhatFor answers /health and /metrics of a table that has no configuration.
func saysWhatFor(f health.Facts, log *slog.Logger) []site.Row {
	look := func() metrics.Snapshot {
		f := f
		f.Now = time.Now()
		return metrics.Snapshot{Version: terminal.Version(), Facts: f, Report: health.Judge(f)}
	}
	health := func(w http.ResponseWriter, _ *http.Request) {
		if err := look().Report.Serve(w); err != nil {
			log.Debug("whoever asked for the table's health left before it was there", "err", err)
		}
	}
	return []site.Row{
		{Method: http.MethodGet, Path: "/health", Least: web.View, Serve: health},
		{Method: http.MethodGet, Path: "/metrics", Least: web.View, Serve: metrics.New(look).Handler().ServeHTTP},
	}
}

// await tells the service manager that the process does its work, and waits until the configuration is written, ctx
// ends or serving has failed.
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

// settingsOf are the table's settings, for its own screen. again is told when a change waits for the table to begin
// anew.
func settingsOf(d *host.Daemon, path string, c config.Config, houses profile.Book, again chan<- struct{},
	log *slog.Logger,
) []site.Row {
	return page.New(page.Options{
		Boot: d.Boot(), Houses: houses, Language: c.Speaks(houses), Log: log,
		Text: settings.At(path).Read, Names: d.Supervisors, Prove: d.Proves,
		Change: func(ctx context.Context, change page.Change) (waits bool, err error) {
			by, also, err := mayChange(ctx, d, change)
			if err != nil {
				return false, err
			}
			for i := range change.Settings {
				change.Settings[i].Also = also
			}
			next, err := settings.Change(path, houses, change.Answers, func() error {
				return d.Changes(ctx, by, change.Settings)
			})
			if err != nil {
				return false, err
			}
			if err := d.Supervised(ctx, next.Supervisors.Names); err != nil {
				log.Warn("who supervises could not be kept: the next start tells it again", "err", err)
			}
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

// prover proves supervisors: the table's daemon.
type prover interface {
	AsksPINs() bool
	Proves(ctx context.Context, g authority.Given) (by string, err error)
}

// mayChange returns who makes a change, and the second supervisor where it takes two. What is wrong with it by itself
// is told before a PIN is tried. A PIN proves the very name that is given with it, so that the name says whether it
// takes two.
func mayChange(ctx context.Context, d prover, c page.Change) (by, also string, err error) {
	takes := d.AsksPINs() && settings.TakesTwo(c.Text, c.Settings, c.By.Name)
	second := c.Also.Name != "" && c.Also.PIN != ""
	switch {
	case takes && !second && c.By.PIN != "":
		return "", "", page.ErrSecond
	case takes && second && strings.EqualFold(c.By.Name, c.Also.Name):
		return "", "", page.ErrTwice
	}
	if by, err = d.Proves(ctx, c.By); err != nil {
		return "", "", err
	}
	switch {
	case settings.RemovesSelf(c.Answers, by):
		return "", "", settings.ErrSelf
	case !takes:
		return by, "", nil
	case !second: // whoever has turned the key
		return "", "", page.ErrSecond
	}
	if also, err = d.Proves(ctx, c.Also); err == nil && strings.EqualFold(by, also) {
		err = page.ErrTwice
	}
	return by, also, err
}

// tried is where a shoe is after the last card that was drawn from it to try it. The table's journal does not know the
// card.
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
