package host

import (
	"cmp"
	"context"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// origin is where an input comes from, with the dealer who is signed in.
func (d *Daemon) origin(from vocab.Source, at string) vocab.Origin {
	return vocab.Origin{From: from, At: at, Who: d.Shift().Dealer}.Shown()
}

// from is an input that came from there; nobody says who was signed in.
func from(source vocab.Source, at string, in vocab.Input) vocab.Input {
	in.Come(vocab.Origin{From: source, At: at}.Shown())
	return in
}

// atScreen is ctx of whoever is at the screen whose request it is.
func atScreen(ctx context.Context) context.Context {
	return authority.AtScreen(ctx, web.ScreenOf(ctx), web.PlaceOf(ctx))
}

// noticedAt is where a change in who is at the table came from. What runs out ends by itself.
func noticedAt(n authority.Notice) (source vocab.Source, at string) {
	switch {
	case n.What == authority.KeyOn, n.What == authority.KeyOff, n.Why == authority.WhyKeyOff:
		return vocab.FromPanel, ""
	case n.Why == authority.WhyTime:
		return vocab.FromProgram, ""
	case n.What == authority.Refused && n.Screen == "":
		return vocab.FromPanel, ""
	}
	return vocab.FromScreen, cmp.Or(n.Screen, string(n.Place), vocab.OwnScreen)
}

// noticed is a change in who is at the table as it goes on record.
func noticed(n authority.Notice) vocab.Input {
	source, at := noticedAt(n)
	return from(source, at, inputOf(n))
}

// vouch has an input stand in the name of a person who may put it in, and says at which screen
// a supervisor had been proven, where that is another than the input's.
func (d *Daemon) vouch(ctx context.Context, in *vocab.Input, as vocab.Role) error {
	v, err := d.people.authority.Vouch(ctx, time.Now(), as, in.By)
	if err != nil {
		return err
	}
	in.By = v.By
	if o := in.Came(); o.From != vocab.FromScreen || o.At != v.Screen {
		o.ProvenAt = v.Screen
		in.Come(o.Shown())
	}
	return nil
}

// load puts in that somebody has loaded the shoe: a proven supervisor, where the house asks for
// one, and otherwise whoever is at the table. The rules look again when its turn comes.
func (d *Daemon) load(ctx context.Context, in vocab.Input, still func(*table.Table) bool) (runner.Answer, error) {
	if v, _ := d.Board.Look(); v.Shoe.LoadSupervised {
		in.Role = vocab.Supervisor
		return d.supervised(ctx, in, still)
	}
	in.Role, in.By = vocab.Dealer, d.Shift().Dealer
	if present := d.people.authority.Supervises(ctx, time.Now()); present != "" {
		in.Role, in.By = vocab.Supervisor, present
	}
	return d.runner.SubmitIf(ctx, in, still)
}
