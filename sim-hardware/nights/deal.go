package nights

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dealt is what was dealt at a table.
type Dealt struct {
	Rounds, Records int
	// Mishaps counts what went wrong, by the names of package mishap.
	Mishaps map[string]int
	// Shoe is the last event of a shoe that numbers them: the same shoe continues after it.
	Shoe shoe.Position
}

// errOver ends the dealing when the last night is over.
var errOver = errors.New("the last night is over")

// Deal deals all nights of one table of the plan, by its place, into an empty journal, and leaves it closed.
func (p Plan) Deal(ctx context.Context, at int, into Journal) (Dealt, error) {
	t := p.Tables[at]
	set, err := p.Houses.Set(t.Setup)
	if err != nil {
		return Dealt{}, fmt.Errorf("setting up table %s: %w", t.Name, err)
	}
	f, err := newFelt(t, set, p.chance(uint64(at), 4), into)
	if err != nil {
		return Dealt{}, err
	}
	f.dealt.Mishaps = map[string]int{}
	d := &dealing{Plan: p, at: at, felt: f}
	d.hand = mishap.New(mishap.Options{
		Shoe: f, Display: f, Press: f.press, AtOnce: f.atOnce, Rand: p.chance(uint64(at), 5),
		House:       mishap.House{Rules: set, Keeps: f.keeps},
		Supervisors: p.Staff.Supervisors, Prove: d.prove, Wait: f.wait, Comes: 50 * time.Second,
		OneIn: d.oneIn, Between: d.between, Made: func(name string) { f.dealt.Mishaps[name]++ },
	})
	dealer := &keysim.Dealer{Rules: set, Seed: p.Seed<<8 + uint64(at), Log: slog.New(slog.DiscardHandler)}
	d.hand.Guide(dealer)
	f.clock = p.hours(at, 0).opens.Add(-10 * time.Minute)
	setup := t.Setup
	f.step(vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: set}, shoe.Position{})
	f.step(vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableClosed}}, shoe.Position{})
	if p.Nights > 0 {
		if err = dealer.Run(ctx); err == nil {
			err = ctx.Err() // the dealer ends quietly then
		}
	}
	if !errors.Is(err, errOver) && err != nil {
		return f.dealt, fmt.Errorf("dealing at %s, %s: %w", t.Name, f.clock.Format(time.DateTime), err)
	}
	f.flush()
	if f.keeps {
		f.dealt.Shoe = shoe.Position{Boot: f.boot, Seq: f.reports}
	}
	return f.dealt, f.failed
}

// dealing is the dealing of one table's nights.
type dealing struct {
	Plan
	at     int
	felt   *felt
	hand   *mishap.Hand
	nth    int
	open   bool
	dealer string
}

// oneIn is how many rounds there are to a mishap of the present dealer.
func (d *dealing) oneIn() int {
	usual := d.OneIn
	if usual == 0 {
		usual = UsualOneIn
	}
	return max(1, int(math.Round(float64(usual)*d.habits(d.dealer).care)))
}

// prove is a supervisor who enters a PIN.
func (d *dealing) prove(_ context.Context, supervisor string) error {
	d.felt.step(vocab.Input{Kind: vocab.InNote, Code: "proven", By: supervisor}, shoe.Position{})
	return nil
}

// between is what happens before a round is opened: the night ends, another begins, a dealer is relieved.
func (d *dealing) between(ctx context.Context) error {
	f := d.felt
	if err := errors.Join(ctx.Err(), f.failed); err != nil {
		return err
	}
	hours := d.hours(d.at, d.nth)
	if d.open && f.clock.After(hours.closes) {
		if err := d.close(ctx); err != nil {
			return err
		}
		if d.nth++; d.nth == d.Nights {
			return errOver
		}
		hours = d.hours(d.at, d.nth)
	}
	if !d.open {
		return d.opens(ctx, hours)
	}
	d.relieve()
	return nil
}

// opens opens the table for a night.
func (d *dealing) opens(ctx context.Context, hours night) error {
	f := d.felt
	f.clock = hours.opens
	if d.nth == 0 {
		f.online() // and stays so, day and night
	}
	d.relieve()
	if err := d.tells(ctx, vocab.TableOpened); err != nil || f.rules.Cards.Source == rules.Shuffler {
		return err
	}
	if err := d.hand.Reload(); err != nil {
		return err
	}
	_, err := f.press(ctx, vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}, By: d.dealer})
	return err
}

// close closes the table at the end of a night.
func (d *dealing) close(ctx context.Context) error {
	if err := d.tells(ctx, vocab.TableClosed); err != nil {
		return err
	}
	f := d.felt
	f.pass(openTakes)
	f.step(vocab.Input{Kind: vocab.InDealer}, shoe.Position{})
	d.dealer = ""
	f.flush()
	return nil
}

// tells has a supervisor open or close the table.
func (d *dealing) tells(ctx context.Context, event vocab.TableEvent) error {
	duty := d.onDuty(d.nth)
	by := duty[d.felt.rand.IntN(len(duty))]
	if err := d.prove(ctx, by); err != nil {
		return err
	}
	in := vocab.Input{Kind: vocab.InTable, Table: vocab.TableChange{Event: event}, By: by}
	in.Table.Dealer = d.dealer
	refused, err := d.felt.press(ctx, in)
	if err == nil && refused != 0 {
		err = fmt.Errorf("the table was not %s: %s", event, refused)
	}
	d.open = event == vocab.TableOpened
	return err
}

// relieve has the dealer come whose turn it is.
func (d *dealing) relieve() {
	f := d.felt
	next := d.Dealer(d.at, uint64(f.clock.Sub(d.First)/relief))
	if next == d.dealer {
		return
	}
	in := vocab.Input{Kind: vocab.InDealer, By: next}
	in.Dealer.Relieves = d.dealer
	f.step(in, shoe.Position{})
	d.dealer, f.pace = next, d.habits(next).pace
}
