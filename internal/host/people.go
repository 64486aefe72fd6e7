package host

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// openPeople restores who was at the table, as far as that survives a restart.
func (d *Daemon) openPeople() error {
	o, err := d.config.Authority()
	if err != nil {
		return err
	}
	const without = "lock-outs are then forgotten"
	file := keptFile[authority.State]{
		path:   d.config.Journal.Path + ".people",
		unread: ", which keeps lock-outs and the dealer's name, cannot be read", without: without,
	}
	kept, err := file.restore(d)
	if err != nil {
		return err
	}
	o.Noted, o.Keep = d.noted, file.keep
	if d.people.authority, err = authority.New(o, kept, time.Now()); err != nil {
		if err = file.putAside(d, err); err == nil {
			d.people.authority, err = authority.New(o, authority.State{}, time.Now())
		}
	}
	if err != nil {
		return err
	}
	d.warnOfProof(o.Proof)
	d.showPeople()
	return nil
}

// warnOfProof warns of settings that a house would not want.
func (d *Daemon) warnOfProof(p authority.Proof) {
	if p == authority.None {
		d.log.Warn("ANYBODY MAY PUT A ROUND RIGHT: supervisors.proof is none, and names are recorded as they are " +
			"given; this is only for a bench")
	}
	if p.UsesKey() && d.config.Keys.Supervisor == "" {
		d.log.Warn("supervisors.proof requires a key switch, but keys.supervisor names no line: nobody can be " +
			"proven by it")
	}
}

// resolve puts something right in the name of a person who may.
func (d *Daemon) resolve(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if err := d.vouch(ctx, &in, in.Role); err != nil {
		return runner.Answer{}, err
	}
	return d.runner.SubmitIf(ctx, in, still)
}

// acknowledge records that a supervisor has seen an alert.
func (d *Daemon) acknowledge(ctx context.Context, in vocab.Input) (runner.Answer, error) {
	if err := d.vouch(ctx, &in, vocab.Supervisor); err != nil {
		return runner.Answer{}, err
	}
	return d.runner.Submit(ctx, in)
}

// supervised puts in what a proven supervisor changes at the table itself: that it is open or
// closed, and its limits.
func (d *Daemon) supervised(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if err := d.vouch(ctx, &in, vocab.Supervisor); err != nil {
		return runner.Answer{}, err
	}
	in.By = cmp.Or(in.By, vocab.Supervisor.String()) // nobody is the configuration
	if in.Kind == vocab.InTable {
		in.Table.Dealer = d.Shift().Dealer
	}
	var wrong rules.Complaints
	answer, err := d.runner.SubmitIf(ctx, in, func(t *table.Table) bool {
		if in.Kind == vocab.InLimits && t.Rules() != nil {
			_, wrong = t.Rules().WithLimits(in.Limits.Min, in.Limits.BoxMax)
		}
		return still == nil || still(t)
	})
	if err == nil && answer.Rejected == vocab.BadLimits && len(wrong) > 0 {
		err = fmt.Errorf("%s cannot be played with these limits: %w", d.config.House, wrong)
	}
	return answer, err
}

// Enter checks a PIN that was entered as a supervisor's, who may then look at that place; see authority.Authority.
func (d *Daemon) Enter(ctx context.Context, at authority.Place, name, pin string) error {
	return d.people.authority.Enter(atScreen(ctx), time.Now(), at, name, pin)
}

// Once proves a supervisor for what is put in with the context that it returns, and for nothing else.
func (d *Daemon) Once(ctx context.Context, at authority.Place, g authority.Given) (context.Context, error) {
	v, err := d.people.authority.Once(atScreen(ctx), time.Now(), at, g)
	return authority.Vouched(ctx, v), err
}

// Leave ends what Enter began.
func (d *Daemon) Leave(ctx context.Context) error {
	return d.people.authority.Leave(atScreen(ctx), time.Now())
}

// Key reports that the supervisors' key switch was turned on or off at a time.
func (d *Daemon) Key(on bool, at time.Time) { d.people.authority.Key(at, on) }

// Status is who may put an irregularity right, for who asks at a place.
func (d *Daemon) Status(at authority.Place) authority.Status {
	return d.people.authority.Status(time.Now(), at)
}

// present is who does what is done with ctx: the supervisor who is proven for it, or the dealer, "" for nobody.
func (d *Daemon) present(ctx context.Context) string {
	return cmp.Or(d.people.authority.Supervises(ctx, time.Now()), d.Shift().Dealer)
}

// SignIn makes dealer the dealer in place of the current one.
func (d *Daemon) SignIn(ctx context.Context, dealer string) error {
	return d.people.authority.SignIn(atScreen(ctx), time.Now(), dealer)
}

// Prove makes a dealer the dealer by their PIN, between two rounds.
func (d *Daemon) Prove(ctx context.Context, at authority.Place, dealer, pin string) error {
	if d.dealing() {
		return authority.RoundRunning()
	}
	return d.people.authority.Prove(atScreen(ctx), time.Now(), at, dealer, pin)
}

// ReadBadge makes a dealer the dealer by the number of their badge, between two rounds.
func (d *Daemon) ReadBadge(ctx context.Context, at authority.Place, number string) error {
	if d.dealing() {
		return authority.RoundRunning()
	}
	return d.people.authority.ReadBadge(atScreen(ctx), time.Now(), at, number)
}

// SignOut signs the dealer out. One who had to be proven finishes the round first.
func (d *Daemon) SignOut(ctx context.Context) error {
	if d.Dealers().Proof.Required() && d.dealing() {
		return authority.RoundRunning()
	}
	return d.people.authority.SignOut(atScreen(ctx), time.Now())
}

// Dealers is how dealers are proven, and whether one must be, for the table's own screens.
func (d *Daemon) Dealers() authority.DealerStatus {
	return d.people.authority.Dealers(time.Now(), authority.Own)
}

// dealing reports whether a round is under way.
func (d *Daemon) dealing() bool {
	v, _ := d.Board.Look()
	return v.Phase != vocab.Idle
}

// Shift is who deals.
func (d *Daemon) Shift() authority.Shift { return d.people.authority.Shift() }

// noted logs and records every change in who is at the table, in the order in which it
// happened to each person.
func (d *Daemon) noted(n authority.Notice) {
	level := slog.LevelInfo
	switch n.What {
	case authority.WrongPIN, authority.LockedOut, authority.TriedWhileLocked, authority.Refused,
		authority.WrongDealerPIN, authority.WrongBadge, authority.DealerLockedOut, authority.BadgeLockedOut,
		authority.ScreenLockedOut, authority.NetworkLockedOut:
		level = slog.LevelWarn
	}
	about := []slog.Attr{slog.String("what", string(n.What)), slog.String("who", n.Who), slog.Time("at", n.At)}
	if n.Place != authority.Own {
		about = append(about, slog.String("screen", string(n.Place)))
	}
	if n.Why != "" {
		about = append(about, slog.String("why", string(n.Why)))
	}
	switch n.What {
	case authority.WrongPIN, authority.WrongDealerPIN, authority.WrongBadge:
		about = append(about, slog.Int("left", n.Left))
	case authority.DealerIn:
		about = append(about, slog.String("proof", n.Proof.String()), slog.String("relieves", n.Relieves))
	}
	if !n.Until.IsZero() {
		about = append(about, slog.Time("until", n.Until))
	}
	if n.What == authority.Refused { // anybody at a screen can try that as often as they like
		if d.noteOften(noticed(n)) {
			d.log.LogAttrs(context.Background(), level, "people at the table", about...)
		}
		return
	}
	d.log.LogAttrs(context.Background(), level, "people at the table", about...)
	d.record(noticed(n))
	d.showPeople()
	select {
	case d.people.changed <- struct{}{}:
	default: // keepTime has yet to handle the last change, and will see this one too
	}
}

// showPeople shows who is at the table now. All screens have one view: its lock-outs are those at the table's own.
func (d *Daemon) showPeople() {
	d.shows.screen.change(func() {
		status, dealers := d.people.authority.Shown(time.Now()), d.Dealers()
		d.shows.screen.view.Supervisor, d.shows.screen.view.Dealers = &status, &dealers
	})
}

// keepTime ends what expires, on time, and then calls over, until ctx ends. changed says
// that something else may expire next.
func keepTime(ctx context.Context, a *authority.Authority, changed <-chan struct{}, over func()) {
	// seen is up to when all that ended was handled: what ended before this began, or ends meanwhile, is found next.
	var seen time.Time
	for {
		var end <-chan time.Time
		if next := a.Next(seen); !next.IsZero() {
			end = time.After(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-end:
			seen = time.Now()
			a.Tick(seen)
			over()
		}
	}
}
