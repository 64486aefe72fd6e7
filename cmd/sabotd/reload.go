package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/profile"
)

// hangups catches SIGHUP, which would otherwise end the program.
func hangups() (heard <-chan os.Signal, enough func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	return hangup, func() { signal.Stop(hangup) }
}

// reloadOn reads the configuration again at every signal, until ctx ends, and adopts its
// list of screens that may enter. A file with faults changes nothing. What the broker denies
// is tried again.
func reloadOn(ctx context.Context, hangup <-chan os.Signal, path string, houses profile.Book, d *host.Daemon,
	log *slog.Logger,
) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangup:
			done := d.Reloading()
			d.RetryPit()
			reload(path, houses, d, log)
			done()
		}
	}
}

func reload(path string, houses profile.Book, d *host.Daemon, log *slog.Logger) {
	c, err := config.Load(path, houses)
	differs := false
	if err == nil {
		differs, err = d.Reload(c)
	}
	switch {
	case err != nil:
		log.Error("the configuration was not reloaded: the table keeps the one that it has", "err", err)
	case differs:
		log.Warn("the list of screens that may enter was reloaded; other changes in the configuration wait for the " +
			"next start")
	default:
		log.Info("the list of screens that may enter was reloaded")
	}
}
