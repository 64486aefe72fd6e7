package people

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// Options are what People need to be told.
type Options struct {
	Store Store
	// Idle is how long a session lasts in which nothing is done; 0 is an hour. A viewer's
	// also lasts while its page is open.
	Idle time.Duration
	// Longest is how long a session lasts in any case; 0 is 16 hours, a double shift.
	Longest time.Duration
	// LongestViewer is that for viewers, of whom many are screens on a wall; 0 is 30 days.
	LongestViewer time.Duration
	// Pace is how many wrong passwords of one name from one place are free, and how long the pauses are that follow;
	// the zero Limits are five, and 5 seconds to 15 minutes.
	Pace authority.Limits
	// Log takes what goes wrong outside requests; nil is slog.Default.
	Log *slog.Logger
}

// People are those who may enter. Its methods may be called from any goroutine.
type People struct {
	o Options
	// checking has room for as many passwords as are checked at a time, and checkingKnown for
	// those from browsers that are known: strangers cannot keep them waiting.
	checking, checkingKnown chan struct{}

	live site.LiveRequests

	mu sync.Mutex
	// seen are the sessions as the store last had them.
	seen map[ID]Present
	// ends counts the sessions that were ended: of what was read before, nothing is remembered.
	ends uint64
}

// New returns the people of a store.
func New(o Options) (*People, error) {
	if o.Store == nil {
		return nil, errors.New("people: Store is required")
	}
	for _, d := range []struct {
		of    *time.Duration
		usual time.Duration
	}{{&o.Idle, time.Hour}, {&o.Longest, 16 * time.Hour}, {&o.LongestViewer, 30 * 24 * time.Hour}} {
		if *d.of == 0 {
			*d.of = d.usual
		}
		if *d.of < time.Minute {
			return nil, errors.New("people: a session must last at least a minute")
		}
	}
	if o.Pace == (authority.Limits{}) {
		o.Pace = pairPace
	}
	if err := o.Pace.Check(); err != nil {
		return nil, fmt.Errorf("people: %w", err)
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	const atATime = 2 // argon2id takes 19 MiB and tens of milliseconds each
	return &People{
		o: o, seen: map[ID]Present{},
		checking: make(chan struct{}, atATime), checkingKnown: make(chan struct{}, atATime),
	}, nil
}

// Run ends the requests of sessions that expired or that another program ended, and forgets
// what is over, until ctx ends.
func (p *People) Run(ctx context.Context) {
	const look, sweep = 2 * time.Second, 10 * time.Minute
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	var swept time.Time
	for {
		p.lookAtLive(ctx)
		if now := time.Now(); now.Sub(swept) >= sweep {
			swept = now
			if err := p.sweep(ctx, now); err != nil && ctx.Err() == nil {
				p.o.Log.Warn("people: expired sessions could not be deleted; they stay expired", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (p *People) sweep(ctx context.Context, now time.Time) error {
	p.forgetOver(now)
	idle, longest := p.o.Idle, max(p.o.Longest, p.o.LongestViewer)
	return p.o.Store.ChangePeople(ctx, func(tx Tx) error {
		return tx.Sweep(now.Add(-idle), now.Add(-longest), now.Add(-triesKept))
	})
}

// work is a change, and the sessions that end with it.
type work struct {
	Tx
	ended []ID
	// refused is why nobody was let in: what was changed stays all the same.
	refused *Refusal
}

// change makes a change, and then ends the requests of sessions that it ended. The error may be why it refused.
func (p *People) change(ctx context.Context, what func(*work) error) error {
	var w work
	err := p.o.Store.ChangePeople(ctx, func(tx Tx) error {
		w = work{Tx: tx}
		return what(&w)
	})
	if err != nil {
		return err
	}
	for _, id := range w.ended {
		p.endLive(id)
	}
	if w.refused != nil {
		return w.refused
	}
	return nil
}

// endSession ends a session.
func (w *work) endSession(id ID) error {
	w.ended = append(w.ended, id)
	return w.EndSession(id)
}

// endAll ends a person's sessions, but for one.
func (w *work) endAll(name string, but ID) error {
	sessions, err := w.Sessions(name)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		if s.ID == but {
			continue
		}
		if err := w.endSession(s.ID); err != nil {
			return err
		}
	}
	return nil
}
