package authority

import (
	"context"
	"time"
)

// kind is whose tries are counted together, and what they are called.
type kind struct {
	of func(*State) *Ledger
	// wrong and locked are what a wrong try, and the lock-out of a name, are called in notices.
	wrong, locked What
	refused       func(name string, left int) *Refusal
	lockedOut     func(name string, of scope, wait time.Duration) *Refusal
}

var (
	supervisorsPIN = kind{ofSupervisors, WrongPIN, LockedOut, wrongPIN, lockedOut}
	dealersPIN     = kind{ofDealers, WrongDealerPIN, DealerLockedOut, wrongPIN, dealerLockedOut}
	dealersBadge   = kind{ofDealers, WrongBadge, BadgeLockedOut, unknownBadge, badgesLockedOut}
)

func ofSupervisors(s *State) *Ledger { return &s.Supervisors }

func ofDealers(s *State) *Ledger { return &s.Dealers }

// try is one try of a name at a place, from before it is counted.
type try struct {
	a     *Authority
	kind  kind
	at    time.Time
	place Place
	name  string
	// before is how things stood before it was counted.
	before Ledger
}

// ledger is the present one; mu is held.
func (t *try) ledger() *Ledger { return t.kind.of(&t.a.state) }

// admit refuses a try while its name is locked out at its place.
func (t *try) admit() (refused *Refusal) {
	t.a.do(t.at, func() {
		l := t.ledger().locked(t.place, t.name)
		if !t.at.Before(l.until) {
			return
		}
		refused = t.kind.lockedOut(t.name, l.scope, l.until.Sub(t.at))
		key := warning{t.kind.locked, t.place, t.name}
		if !t.a.warned[key].Equal(l.until) {
			t.a.warned[key] = l.until
			t.a.notify(Notice{At: t.at, What: TriedWhileLocked, Who: t.name, Place: t.place, Until: l.until})
		}
	})
	return refused
}

// warning is the lock-out of a name at a place; a try in it is told once.
type warning struct {
	locked What
	place  Place
	name   string
}

// count counts the try as a wrong one.
func (t *try) count(ctx context.Context) error {
	return t.a.durably(ctx, func(s *State) {
		g := t.kind.of(s)
		t.before = g.clone()
		g.noteWrong(t.a.o.Limits, t.at, t.place, t.name)
	})
}

// takeBack has the try, which was right, not count.
func (t *try) takeBack(ctx context.Context) error {
	return t.a.durably(ctx, func(s *State) { t.kind.of(s).right(t.a.o.Limits, t.before, t.place, t.name) })
}

// failed tells of a wrong try, and of what it locks.
func (t *try) failed() *Refusal {
	var now lock
	var left int
	t.a.do(t.at, func() {
		g := t.ledger()
		own := g.At[t.place][t.name]
		now, left = g.locked(t.place, t.name), max(0, t.a.o.Limits.Tries-own.Wrong)
		t.a.notify(Notice{At: t.at, What: t.kind.wrong, Who: t.name, Place: t.place, Left: left})
		tell := func(what What, until time.Time) {
			if until.After(t.at) {
				t.a.notify(Notice{At: t.at, What: what, Who: t.name, Place: t.place, Until: until})
			}
		}
		tell(t.kind.locked, own.Until)
		tell(ScreenLockedOut, g.Screens[t.place].Until)
		if t.place != Own {
			tell(NetworkLockedOut, g.Names[t.name].Until)
		}
	})
	if t.at.Before(now.until) {
		return t.kind.lockedOut(t.name, now.scope, now.until.Sub(t.at))
	}
	return t.kind.refused(t.name, left)
}
