package authority

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/alike"
	"github.com/sabot-table/sabot/table/vocab"
)

// Supervisor is a person whose PIN is accepted.
type Supervisor struct {
	Name string
	PIN  Hash
}

// Options say what a table requires of a supervisor.
type Options struct {
	Proof       Proof
	Supervisors []Supervisor
	// Dealers is how dealers are proven, and People are those who may deal then.
	Dealers DealerProof
	People  []Dealer
	// Holder is the name in which the key switch is turned.
	Holder string
	// Present is how long who has entered a PIN may look at what only supervisors see.
	Present time.Duration
	Limits  Limits
	// Noted is called with what happens, in the goroutine that caused it; it may block, and
	// may call the Authority.
	Noted func(Notice)
	// Keep makes the state durable before it takes effect.
	Keep func(State) error
}

// Authority knows who is at one table. Its methods may be called from any goroutine; the
// times passed to them should not run backwards.
type Authority struct {
	o      Options
	hashes map[string]Hash
	names  []string
	// dealers are those of People, by their names.
	dealers map[string]Dealer
	// known are the names of all who are known here.
	known alike.Names

	checking sync.Mutex // held while a PIN is checked: one at a time
	keeping  sync.Mutex // held while the state is made durable

	mu    sync.Mutex
	state State // written with keeping held too
	// entered is the supervisor whose PIN was entered last, to look at what only supervisors see, and where.
	entered struct {
		name  string
		place Place
		until time.Time
	}
	turned bool // the key
	// warned has the end of each lock-out for which a try was reported.
	warned  map[warning]time.Time
	notices []Notice // to report once mu is free
}

// New returns the authority of a table, with the state that an earlier one kept. Nobody is
// proven, and the key counts as not turned until Key reports it. An impossible state is an
// error.
func New(o Options, kept State, now time.Time) (*Authority, error) {
	if err := o.Limits.Check(); err != nil {
		return nil, err
	}
	if !proofNames.Has(o.Proof) || o.Present <= 0 || o.Noted == nil || o.Keep == nil {
		return nil, errors.New("authority: Proof, Present, Noted and Keep are required")
	}
	a := &Authority{o: o, hashes: map[string]Hash{}, warned: map[warning]time.Time{}}
	for _, s := range o.Supervisors {
		a.hashes[s.Name] = s.PIN
		a.names = append(a.names, s.Name)
		a.known.Add(s.Name)
	}
	a.known.Add(o.Holder)
	a.dealers = map[string]Dealer{}
	for _, one := range o.People {
		a.dealers[one.Name] = one
		a.known.Add(one.Name)
	}
	supervisor := func(name string) bool { _, ok := a.hashes[name]; return ok }
	dealer := func(name string) bool { _, ok := a.dealers[name]; return ok || name == nobodysBadge }
	var err error
	a.state, err = o.Limits.restored(kept, supervisor, dealer, now)
	return a, err
}

// Vouch returns the name under which a resolution is recorded: the supervisor whom Once has proven for it, or who has
// turned the key, or the dealer who is signed in. posted is the name that came with it. The error is a *Refusal if no
// supervisor is proven for this, or one other than posted.
func (a *Authority) Vouch(ctx context.Context, at time.Time, role vocab.Role, posted string) (v Voucher, err error) {
	a.do(at, func() {
		var refused *Refusal
		if role == vocab.Dealer {
			v.By = posted
			if dealer := a.state.Shift.Dealer; dealer != "" {
				v.By = dealer
			}
		} else if v, refused = a.supervisor(ctx, posted); refused != nil {
			a.notify(Notice{At: at, What: Refused, Who: posted, Screen: screenOf(ctx), Why: refused.Why})
			err = refused
		}
	})
	return v, err
}

func (a *Authority) supervisor(ctx context.Context, posted string) (Voucher, *Refusal) {
	v, once := ctx.Value(voucherKey{}).(Voucher)
	if !once {
		var lacking Proof
		if v.By, lacking = a.keyed(placeOf(ctx)); lacking != 0 {
			return Voucher{}, a.needs(lacking)
		}
	}
	switch {
	case a.o.Proof == None:
		return Voucher{By: posted}, nil
	case posted != "" && posted != v.By:
		return Voucher{}, anotherName(posted, v.By)
	}
	return v, nil
}

// looks returns the supervisor who may look at a place, or the proof that is missing. Without a
// proof there is neither.
func (a *Authority) looks(at time.Time, place Place) (name string, lacking Proof) {
	pin := at.Before(a.entered.until) && a.entered.place == place
	name, lacking = a.keyed(place)
	switch {
	case a.o.Proof == PINAndKey && pin && a.turned, pin && a.o.Proof != PINAndKey:
		return a.entered.name, 0
	case a.o.Proof == PINAndKey && pin:
		return "", Key
	}
	return name, lacking
}

// Key reports whether the key switch is turned. It is ignored if it proves nothing.
func (a *Authority) Key(at time.Time, on bool) {
	a.do(at, func() {
		if on == a.turned || !a.o.Proof.UsesKey() {
			return
		}
		a.turned = on
		what := KeyOff
		if on {
			what = KeyOn
		}
		a.notify(Notice{At: at, What: what, Who: a.o.Holder})
		if a.o.Proof == PINAndKey && !on {
			a.leave(at, WhyKeyOff)
		}
	})
}

// Leave ends what a PIN that was entered lets see, since its supervisor leaves. A turned key still proves.
func (a *Authority) Leave(ctx context.Context, at time.Time) (err error) {
	a.do(at, func() {
		if err = gone(ctx); err == nil {
			a.leaveAt(at, screenOf(ctx), WhyAsked)
		}
	})
	return err
}

// Tick ends what has expired by at. Without it, expiry is reported late, but never missed:
// every method that takes a time checks it.
func (a *Authority) Tick(at time.Time) { a.do(at, func() {}) }

func (a *Authority) leave(at time.Time, why Why) { a.leaveAt(at, "", why) }

func (a *Authority) leaveAt(at time.Time, screen string, why Why) {
	if name := a.entered.name; name != "" {
		a.entered.name, a.entered.place, a.entered.until = "", Own, time.Time{}
		a.notify(Notice{At: at, What: Left, Who: name, Screen: screen, Why: why})
	}
}

// do makes a change, and reports what happened after releasing the lock.
func (a *Authority) do(at time.Time, change func()) {
	a.mu.Lock()
	if !at.Before(a.entered.until) {
		a.leave(a.entered.until, WhyTime)
	}
	change()
	notices := a.notices
	a.notices = nil
	a.mu.Unlock()
	for _, n := range notices {
		a.o.Noted(n)
	}
}

// notify keeps a notice for the end of do.
func (a *Authority) notify(n Notice) { a.notices = append(a.notices, n) }

// durably changes the state, first where it is kept and then here, unless ctx has ended when its turn comes.
func (a *Authority) durably(ctx context.Context, change func(*State)) error {
	a.keeping.Lock()
	defer a.keeping.Unlock()
	if err := gone(ctx); err != nil {
		return err
	}
	next := a.state.clone()
	change(&next)
	if err := a.o.Keep(next); err != nil {
		return fmt.Errorf("this could not be recorded, so nothing was done: %w", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.state = next
	return nil
}
