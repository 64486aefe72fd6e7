package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/internal/systemd"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/profile"
)

// tables are the tables that one process runs, one after the other: the same, with other settings.
type tables struct {
	path        string
	houses      profile.Book
	hangup      <-chan os.Signal
	out, errOut io.Writer
	// options are more of each table's, for tests.
	options []host.Option
	// good is the configuration's text with which a table has begun, before a change at its screen.
	good  []byte
	tried tried
	// service is what runs the process. It waits through the first start, and while a table begins anew.
	service *systemd.Manager
	// restart is told when a supervisor has the table begin anew; it holds one.
	restart chan struct{}
	// said keeps the end of the log, over all tables of the process.
	said doctor.LogRing
	// why is why the questions of the first start are asked again.
	why string
}

// run runs the table once; again says that its settings were changed.
func (t *tables) run(ctx context.Context) (again bool, err error) {
	// What cannot be read, open says.
	before, err := settings.At(t.path).Read()
	asked := err == nil && settings.Fresh(before)
	if asked {
		log := t.logger(config.Default().Log)
		left, err := settings.LeftOf(t.path, before)
		if left != nil {
			return t.lost(ctx, before, left, log)
		}
		if err == nil {
			err = t.firstStart(ctx, before, log)
		}
		if err != nil {
			if ctx.Err() != nil {
				err = nil // asked to end
			}
			return false, err
		}
		t.good = before
	}
	c, d, log, err := t.open()
	if err != nil {
		return t.undo(asked, err)
	}
	t.why = ""
	if t.good, err = settings.At(t.path).Read(); err != nil {
		return false, errors.Join(err, d.Close())
	}
	return t.deal(ctx, c, d, log)
}

// open opens the table as it is configured.
func (t *tables) open() (c config.Config, d *host.Daemon, log *slog.Logger, err error) {
	if c, err = config.Load(t.path, t.houses); err != nil {
		return c, nil, nil, unfit{fmt.Errorf("the configuration cannot be used:\n%w", err)}
	}
	log = t.logger(c.Log)
	slog.SetDefault(log) // what libraries log has the same form
	options := append([]host.Option{
		host.WithService(t.service), host.WithUpdates(update.Folder), host.WithClockNoted(), host.WithAuditKeyNoted(),
		host.WithTried(t.tried.get()), host.WithSettings(),
		host.WithDevices(t.devicesOf(c, log)),
	}, t.options...)
	d, err = host.Open(c, c.Houses(t.houses), terminal.Version(), log, options...)
	return c, d, log, err
}

// undo puts back what a change at the screen has replaced, since the table cannot begin with it.
func (t *tables) undo(asked bool, why error) (again bool, err error) {
	store, log := settings.At(t.path), t.logger(config.Default().Log)
	switch {
	case asked && t.good == nil:
		err = store.Withdraw()
	case t.good == nil:
		return false, why
	default:
		err = store.Replace(t.good)
	}
	t.good = nil
	if err != nil {
		return false, errors.Join(why, err)
	}
	t.why = why.Error()
	log.Error("the table cannot begin with its new settings: those before are put back", "err", why)
	return true, nil
}

// deal runs an opened table until ctx ends or, between two rounds, until its settings were changed.
func (t *tables) deal(ctx context.Context, c config.Config, d *host.Daemon, log *slog.Logger) (again bool, err error) {
	changed := make(chan struct{}, 1)
	select {
	case <-t.restart: // of a table that has ended
	default:
	}
	d.Pages(settingsOf(d, t.path, c, t.houses, changed, log)...)
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	go reloadOn(running, t.hangup, t.path, t.houses, d, log)
	go func() {
		why := "the table begins anew with its new settings"
		select {
		case <-running.Done():
			return
		case <-t.restart:
			why = "the table begins anew"
		case <-changed:
		}
		if d.BetweenRounds(running) == nil {
			log.Info(why)
			end(host.ErrAnew)
		}
	}()
	fmt.Fprintf(t.out, "sabotd ready: table %s, boot %d, page %s\n", c.Table, d.Boot(), d.URL())
	err = errors.Join(d.Run(running), d.Close())
	return err == nil && ctx.Err() == nil, err
}
