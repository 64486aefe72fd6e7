//go:build !onetable

package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// floorTable is one table of the floor, with the people who come and go.
type floorTable struct {
	*simTable
	floor  *floor
	at     int
	chance *rand.Rand
	hand   *mishap.Hand
	// rounds are those that are left until the table closes for a while, and closed how long it stays so.
	rounds int
	closed time.Duration
}

// What happens on the floor, in movements of the dealer's hand: with --pace a quiet floor is quiet in everything.
const (
	mishapOneIn = 15  // rounds
	comes       = 24  // until a supervisor has come
	late        = 420 // until one has come who is late
	stint       = 480 // until a dealer is relieved
	pause       = 200 // for which a table is closed
	lateOpens   = 240 // for those that open last
)

// lateOneIn is how many times there are that a supervisor comes to one that is late: long enough that the pit calls the
// next role.
const lateOneIn = 15

// openRounds are the fewest rounds that a table deals until it closes, and mostLate how many tables open last.
const openRounds, mostLate = 60, 2

func newFloorTable(f *floor, at int) *floorTable {
	t := &floorTable{floor: f, at: at, chance: rand.New(rand.NewPCG(f.o.seed, uint64(at)))}
	t.rounds = openRounds + t.chance.IntN(3*openRounds)
	if n := len(f.plan.Tables); n > 3*mostLate && at >= n-mostLate {
		t.closed = f.span(lateOpens * (1 + n - 1 - at))
	}
	return t
}

// span is how long so many movements take.
func (f *floor) span(movements int) time.Duration {
	return time.Duration(movements) * max(f.o.pace, time.Millisecond)
}

// dealer is the simulated dealer, whoever it is at the moment.
func (t *floorTable) dealer(s *simTable) *keysim.Dealer {
	t.simTable = s
	return &keysim.Dealer{
		Display: s.daemon.Board, Rules: s.rules, Pace: t.floor.o.pace, Seed: t.floor.o.seed*1000 + uint64(t.at),
		Log:   t.o.log,
		Press: t.press,
		Prove: func(context.Context) (string, error) { return t.supervisor(), nil }, // press has the PIN
	}
}

// errs gives the dealer a hand that errs.
func (t *floorTable) errs(s *simTable, dealer *keysim.Dealer, shoe mishap.Shoe) {
	made, _ := makes.Named(string(s.o.shoe.Kind)) // openTable has asked for it
	t.hand = mishap.New(mishap.Options{
		Shoe: shoe, Display: s.daemon.Board, Press: t.press, Rand: t.chance,
		House:       mishap.House{Rules: s.rules, Keeps: made.Keeps},
		Supervisors: t.floor.plan.Staff.Supervisors, Comes: t.floor.span(comes), Wait: t.waits,
		Prove:   func(context.Context, string) error { return nil }, // press has the PIN
		OneIn:   func() int { return mishapOneIn },
		Between: t.between,
	})
	t.hand.Guide(dealer)
}

// press presses a key for whoever is simulated. What a person at one of the pages has put right before is refused: look
// again.
func (t *floorTable) press(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	refused, err := press(ctx, t.daemon, in)
	if refused != 0 && in.Kind == vocab.InResolve {
		return 0, keysim.ErrLookAgain
	}
	return refused, err
}

// waits lets time pass until somebody has come, who may be late.
func (t *floorTable) waits(ctx context.Context, long time.Duration) error {
	if long >= t.floor.span(comes)/2 && t.chance.IntN(lateOneIn) == 0 {
		long = t.floor.span(late)
	}
	return wait(ctx, long)
}

// wait lets time pass.
func wait(ctx context.Context, long time.Duration) error {
	select {
	case <-time.After(long):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *floorTable) supervisor() string {
	all := t.floor.plan.Staff.Supervisors
	return all[t.chance.IntN(len(all))]
}

// between is what happens before a round is opened: the table closes for a while, or opens; a dealer is relieved.
func (t *floorTable) between(ctx context.Context) error {
	v, _ := t.daemon.Board.Look()
	if t.rounds--; t.rounds < 0 && !v.Opening.Closed {
		if err := t.closes(ctx); err != nil {
			return err
		}
		v, _ = t.daemon.Board.Look()
	}
	if v.Opening.Closed {
		return t.opens(ctx)
	}
	return t.relieve(ctx)
}

// relieve has the dealer come whose turn it is.
func (t *floorTable) relieve(ctx context.Context) error {
	slot := uint64(time.Since(t.floor.began) / t.floor.span(stint))
	return t.daemon.SignIn(ctx, t.floor.plan.Dealer(t.at, slot))
}

// closes closes the table for a while.
func (t *floorTable) closes(ctx context.Context) error {
	t.rounds = openRounds + t.chance.IntN(3*openRounds)
	t.closed = t.floor.span(pause/2 + t.chance.IntN(pause))
	if err := t.tells(ctx, vocab.Input{
		Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableClosed},
	}); err != nil {
		return err
	}
	return t.daemon.SignOut(ctx)
}

// opens opens the table when it is time, unless a person does before. At times it then has other limits.
func (t *floorTable) opens(ctx context.Context) error {
	patient, enough := context.WithTimeout(ctx, t.closed)
	defer enough()
	_, err := t.daemon.Board.Await(patient, func(v display.View) bool { return !v.Opening.Closed })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		if err := t.limits(ctx); err != nil {
			return err
		}
		if err := t.relieve(ctx); err != nil {
			return err
		}
		if err := t.tells(ctx, vocab.Input{
			Kind: vocab.InTable, Table: vocab.TableChange{Event: vocab.TableOpened},
		}); err != nil {
			return err
		}
		return t.load(ctx)
	}
	return t.relieve(ctx)
}

// load loads the shoe afresh, before the supervisor who opens the table. A shuffler has all its cards.
func (t *floorTable) load(ctx context.Context) error {
	if t.rules.Cards.Source == rules.Shuffler {
		return nil
	}
	if err := t.hand.Reload(); err != nil {
		return err
	}
	return t.tells(ctx, vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}})
}

// limits announces other limits, or the usual ones again, one time in three.
func (t *floorTable) limits(ctx context.Context) error {
	if t.closed == 0 || t.chance.IntN(3) > 0 {
		return nil
	}
	times := int64(1 + t.chance.IntN(2))
	in := vocab.Input{Kind: vocab.InLimits}
	in.Limits = vocab.LimitsChange{Min: t.rules.Table.Min * times, BoxMax: t.rules.Table.BoxMax * times}
	return t.tells(ctx, in)
}

// tells has a supervisor put something in. A person may have been quicker.
func (t *floorTable) tells(ctx context.Context, in vocab.Input) error {
	in.By = t.supervisor()
	if _, err := t.press(ctx, in); !errors.Is(err, keysim.ErrLookAgain) {
		return err
	}
	return nil
}
