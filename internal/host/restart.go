package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// ErrRound is that a round is open, in which the table is not restarted.
var ErrRound = errors.New("a round is open")

// recordedWithin is how long a restart waits to be on record. A table whose disk hangs is restarted by its service
// manager.
const recordedWithin = 5 * time.Second

// Restart puts on record that a supervisor who is proven for it has the table begin anew, if no round is open; the
// caller then ends Run. A round is looked for before a PIN is tried. The error is ErrRound, an *authority.Refusal, or
// why it could not be recorded.
func (d *Daemon) Restart(ctx context.Context, g authority.Given) error {
	if d.dealing() {
		return ErrRound
	}
	by, err := d.Proves(ctx, g)
	if err != nil {
		return err
	}
	ctx, done := context.WithTimeout(ctx, recordedWithin)
	defer done()
	// nobody is the configuration
	in := vocab.Input{Kind: vocab.InNote, Code: "restart", By: cmp.Or(by, vocab.Supervisor.String())}
	in.Come(d.origin(vocab.FromScreen, web.ScreenOf(ctx)))
	_, err = d.runner.SubmitIf(ctx, in, func(t *table.Table) bool { return t.Phase() == vocab.Idle })
	switch {
	case errors.Is(err, runner.ErrMovedOn):
		return ErrRound
	case err != nil:
		return fmt.Errorf("it could not be recorded: %w", err)
	}
	d.log.Info("a supervisor has the table begin anew", "by", in.By, "screen", web.ScreenOf(ctx))
	return nil
}

// Took puts on record that somebody takes a copy of what the table says to technicians: of a bundle, the configuration,
// the log.
func (d *Daemon) Took(ctx context.Context, what string) {
	ctx = atScreen(ctx)
	in := vocab.Input{
		Kind: vocab.InNote, Code: "took " + what,
		By: cmp.Or(d.Status(web.PlaceOf(ctx)).Present, vocab.Supervisor.String()),
	}
	in.Come(d.origin(vocab.FromScreen, web.ScreenOf(ctx)))
	if d.noteOften(in) {
		d.log.Info("a copy was taken at the page of devices", "what", what, "by", in.By, "screen", web.ScreenOf(ctx))
	}
}
