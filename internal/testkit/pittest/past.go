package pittest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// Past has the same night for every table. Away says that nothing of it can be read.
type Past struct {
	mu   sync.Mutex
	away bool
	// Unlaid is until when it is not known what lay on the boxes of rounds.
	Unlaid time.Time
}

var errAway = errors.New("the database is away")

// Away takes the database away, or brings it back.
func (p *Past) Away(is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = is
}

func (p *Past) there() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		return errAway
	}
	return nil
}

// Recall reads the night.
func (p *Past) Recall(context.Context, topic.Table, string) (web.Recall, error) {
	if err := p.there(); err != nil {
		return nil, err
	}
	return displaytest.Rounds(), nil
}

// Rounds finds rounds of the night.
func (p *Past) Rounds(_ context.Context, s store.RoundQuery) ([]store.Round, error) {
	if err := p.there(); err != nil {
		return nil, err
	}
	all, err := displaytest.Rounds().Last(1000)
	if err != nil {
		return nil, err
	}
	var found []store.Round
	for i := range all {
		one := roundOf(&all[i])
		if one.Table = Table(3); len(s.Tables) > 0 {
			one.Table = s.Tables[0]
		}
		if fits(one, s) {
			found = append(found, one)
		}
	}
	found = found[min(len(found), s.Skip):]
	return found[:min(len(found), s.Limit)], nil
}

func fits(r store.Round, s store.RoundQuery) bool {
	code := func(w tally.Irregularity) bool { return w.Code.String() == s.Code }
	return (s.Number == 0 || r.Number == s.Number) &&
		(s.From.IsZero() || !r.Opened.Before(s.From)) && (s.To.IsZero() || !r.Opened.After(s.To)) &&
		r.Staked >= s.LeastStaked && r.Returned >= s.LeastReturned &&
		(len(s.Dealers) == 0 || strings.EqualFold(r.Dealer, s.Dealers[0])) &&
		(!s.AsksLays() || slices.ContainsFunc(r.Lays, func(on tally.Lay) bool { return s.Shows(&on) })) &&
		(!s.Irregular || r.Irregular > 0) && (s.Code == "" || slices.ContainsFunc(r.Irregularities, code))
}

func roundOf(one *history.Round) store.Round {
	r := store.Round{Round: tally.Round{
		Number: one.Number, Opened: one.Began, Ended: one.Ended, Dealer: one.Dealer,
		Boxes: len(one.Boxes), Void: one.Void,
	}}
	if one.Result != nil {
		r.Staked, r.Returned = one.Result.Out.Sums.Staked, one.Result.Out.Sums.Returned+one.Result.Out.Sums.Won
		r.Due = r.Returned
	}
	for i := range one.Steps {
		step := &one.Steps[i]
		for j := range step.Outputs {
			switch out := &step.Outputs[j].Out; out.Kind {
			case vocab.Dealt, vocab.Settled:
				r.Lays = lay(r.Lays, out)
			case vocab.Irregular:
				r.Irregularities = append(r.Irregularities, tally.Irregularity{Code: out.Code, Raised: step.At})
				r.Irregular++
			case vocab.Resolved:
				for k := range r.Irregularities {
					if w := &r.Irregularities[k]; w.Code == out.Code && w.With == 0 {
						w.With, w.By, w.Righted = out.With, out.By, step.At
					}
				}
			}
		}
	}
	return r
}

// lay adds what an output has laid on a box, or decided there.
func lay(lays []tally.Lay, out *vocab.Output) []tally.Lay {
	box := out.Box
	if out.Kind == vocab.Dealt && out.To == vocab.ToAside && box == 0 {
		box = tally.Aside
	}
	lays, on := tally.On(lays, box)
	if out.Kind == vocab.Dealt {
		on.Cards = append(on.Cards, out.Card)
	}
	on.Staked, on.Returned = on.Staked+out.Stake, on.Returned+out.Returned+out.Won
	return lays
}

// UnlaidUntil is what Unlaid says.
func (p *Past) UnlaidUntil(context.Context) (time.Time, error) { return p.Unlaid, p.there() }

// Rooms keeps a room in memory.
type Rooms struct {
	mu   sync.Mutex
	kept map[string]store.Spot
	// Fails says that nothing can be kept.
	Fails bool
}

// Room is what was kept last.
func (r *Rooms) Room(context.Context) (map[string]store.Spot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.kept, nil
}

// PutRoom keeps it.
func (r *Rooms) PutRoom(_ context.Context, room map[string]store.Spot) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Fails {
		return errAway
	}
	r.kept = room
	return nil
}
