package daemon

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// WithTried tells the daemon up to where a shoe's cards were drawn to try it, before there was a table: they are no cards of
// this one. What the journal knows of the same shoe goes before.
func WithTried(last shoe.Position) Option { return func(d *Daemon) { d.tried = last } }

// WithSettings has the table's own screens lead to its settings, which are served beside its page.
func WithSettings() Option { return func(d *Daemon) { d.settings = true } }

// positions are those of the journal, the latest first, and that of a shoe that was only tried.
func (d *Daemon) positions() []journal.Position {
	all := d.journal.Positions()
	known := func(p journal.Position) bool { return p.Boot == d.tried.Boot }
	if d.tried == (shoe.Position{}) || slices.ContainsFunc(all, known) {
		return all
	}
	return append(slices.Clone(all), journal.Position(d.tried))
}

// MayChange returns the name of the supervisor who is proven at the table's own screen, and may change its settings; the
// error is an *authority.Refusal otherwise.
func (d *Daemon) MayChange(ctx context.Context) (by string, err error) {
	in := from(vocab.FromScreen, vocab.OwnScreen, vocab.Input{Kind: vocab.InNote})
	err = d.vouch(ctx, &in, vocab.Supervisor)
	return in.By, err
}

// Changed puts on record who has changed which settings, by their keys in the file. A PIN's proof ends with it.
func (d *Daemon) Changed(by string, keys []string) {
	d.log.Info("the table's settings were changed at its screen", "by", by, "keys", strings.Join(keys, " "))
	d.record(from(vocab.FromScreen, vocab.OwnScreen, vocab.Input{Kind: vocab.InNote, Code: "settings " + strings.Join(keys, " "), By: by}))
	if !d.alerted() {
		d.authority.Resolved(time.Now())
	}
}

// Supervisors are the names of those who have a PIN.
func (d *Daemon) Supervisors() []string { return d.Status(authority.Own).Names }

// Dealing reports whether a round is under way.
func (d *Daemon) Dealing() bool { return d.dealing() }

// BetweenRounds returns once no round is under way, or when ctx ends.
func (d *Daemon) BetweenRounds(ctx context.Context) error {
	for {
		v, changed := d.Board.Look()
		if v.Phase == vocab.Idle {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		}
	}
}
