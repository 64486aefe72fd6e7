package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// WithTried tells the daemon up to where a shoe's cards were drawn to try it, before there was a table: they are no
// cards of this one. What the journal knows of the same shoe goes before.
func WithTried(last shoe.Position) Option { return func(d *Daemon) { d.given.tried = last } }

// WithSettings has the table's own screens lead to its settings, which are among its Pages. Its configuration is a
// file, then, in which somebody may change who supervises.
func WithSettings() Option { return func(d *Daemon) { d.given.settings = true } }

// positions are those of the journal, the latest first, and that of a shoe that was only tried.
func (d *Daemon) positions() []journal.Position {
	all := d.kept.journal.Positions()
	known := func(p journal.Position) bool { return p.Boot == d.given.tried.Boot }
	if d.given.tried == (shoe.Position{}) || slices.ContainsFunc(all, known) {
		return all
	}
	return append(slices.Clone(all), journal.Position(d.given.tried))
}

// Proves returns the supervisor who is proven for one thing at the screen whose request it is; the error is an
// *authority.Refusal otherwise, or why a try could not be kept.
func (d *Daemon) Proves(ctx context.Context, g authority.Given) (by string, err error) {
	v, err := d.people.authority.Once(atScreen(ctx), time.Now(), web.PlaceOf(ctx), g)
	return v.By, err
}

// AsksPINs reports whether PINs say who supervises.
func (d *Daemon) AsksPINs() bool { return d.Status(authority.Own).Proof.UsesPIN() }

// Changes puts on record, and so tells the pit, which settings a supervisor is about to change. What cannot be recorded
// is not to be done.
func (d *Daemon) Changes(ctx context.Context, by string, settings []vocab.Setting) error {
	recorded, done := context.WithTimeout(ctx, recordedWithin)
	defer done()
	screen := web.ScreenOf(ctx)
	var keys []string
	for _, s := range settings {
		in := vocab.Input{Kind: vocab.InSettings, By: cmp.Or(by, vocab.Supervisor.String()), Setting: &s}
		in.Come(d.origin(vocab.FromScreen, screen))
		in.ShowTexts()
		if _, err := d.runner.Submit(recorded, in); err != nil {
			return fmt.Errorf("it could not be recorded, and nothing was changed: %w", err)
		}
		keys = append(keys, strings.TrimSpace(s.Key+" "+s.Of))
	}
	d.log.Info("the table's settings are changed at its screen", "by", by, "screen", screen, "keys",
		strings.Join(keys, ", "))
	return nil
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
