package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/ops/settings/page"
)

// lost says on the table's own screen, and to whatever asks, that the configuration is gone of a table whose record is
// here, until it is put back or ctx ends; text is what there is of one. Nobody is asked: whoever answered would take
// that table over.
func (t *tables) lost(ctx context.Context, text []byte, left *settings.Left, log *slog.Logger) (again bool, err error) {
	listener, address, err := firstPage(text)
	if err != nil {
		return false, err
	}
	mend := left.Mend(t.path)
	log.Error("the configuration is gone, and this computer has the record of a table: nothing is asked, and no "+
		"card is dealt",
		"file", t.path, "left", left, "mend", mend)
	fmt.Fprintf(t.out, "sabotd waits for its configuration, which is gone: see %s\n", address)
	back := make(chan struct{}, 1)
	watched, done := context.WithCancel(ctx)
	defer done()
	go t.watchLost(watched, back, log)
	facts := health.Facts{Left: left.String() + "; put it back with " + mend}
	language, _ := display.Speak(words.English)
	pages := page.Lost(page.Options{Language: language, Log: log}, left.String(), mend)
	if err := t.serveFirst(ctx, listener, pages, facts, back, "its configuration is gone, see "+address,
		log); err != nil {
		return false, fmt.Errorf("serving the page that says that the configuration is gone: %w", err)
	}
	return ctx.Err() == nil, ctx.Err()
}

// looksAgain is how often a table whose configuration is gone looks whether it was put back.
const looksAgain = time.Second

// watchLost tells back as soon as there is a configuration again, or nothing is left that forbids a first start.
func (t *tables) watchLost(ctx context.Context, back chan<- struct{}, log *slog.Logger) {
	ticker := time.NewTicker(looksAgain)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		text, err := settings.At(t.path).Read()
		if err == nil && settings.Fresh(text) {
			var left *settings.Left
			if left, err = settings.LeftOf(t.path, text); left != nil {
				continue
			}
		}
		if err != nil {
			log.Debug("whether the configuration was put back cannot be seen", "err", err)
			continue
		}
		back <- struct{}{}
		return
	}
}
