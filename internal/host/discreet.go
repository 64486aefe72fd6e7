package host

import (
	"context"
	"log/slog"

	"github.com/sabot-table/sabot/shoe"
)

// discreet is a shoe's log. While hides says so, nothing is in it by which a card can be known: no bytes that came from
// the shoe, and no words of its own. A table says so as long as its house has a hole card: a driver does not know which
// card lies face down, and sums up what it has to say.
func discreet(log *slog.Logger, hides func() bool) *slog.Logger {
	return slog.New(discreetLog{log.Handler(), hides})
}

// hidesCards says whether the house has a hole card, or nobody knows yet.
func (d *Daemon) hidesCards() bool {
	v, _ := d.Board.Look()
	return v.Rules == nil || v.Rules.Bank.HasHole()
}

type discreetLog struct {
	slog.Handler
	hides func() bool
}

func (d discreetLog) Handle(ctx context.Context, r slog.Record) error {
	if !d.hides() {
		return d.Handler.Handle(ctx, r)
	}
	told, card := slog.NewRecord(r.Time, r.Level, r.Message, r.PC), false
	r.Attrs(func(a slog.Attr) bool {
		card = card || a.Key == "event" && a.Value.Any() == shoe.Drawn
		if a.Key != "last" && a.Key != "text" && (a.Key != "why" || !card) {
			told.AddAttrs(a)
		}
		return true
	})
	return d.Handler.Handle(ctx, told)
}

func (d discreetLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return discreetLog{d.Handler.WithAttrs(attrs), d.hides}
}

func (d discreetLog) WithGroup(name string) slog.Handler {
	return discreetLog{d.Handler.WithGroup(name), d.hides}
}
