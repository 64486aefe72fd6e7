package daemon

import (
	"context"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

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
