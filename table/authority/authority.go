package authority

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// Supervisor is somebody whose PIN is taken.
type Supervisor struct {
	Name string
	PIN  Hash
}

// Options say what a table asks of a supervisor.
type Options struct {
	Proof       Proof
	Supervisors []Supervisor
	// Holder is in whose name the key switch is turned.
	Holder string
	// Present is how long a right PIN proves that its supervisor is at the table, if
	// what holds the round is not put right before.
	Present time.Duration
	Limits  Limits
	// Noted is told what happens, in the goroutine that made it happen; it may block,
	// and may call the Authority.
	Noted func(Notice)
	// Keep makes the state durable before anything follows from it.
	Keep func(State) error
}

// Authority is who stands at one table. Its methods may be called from any
// goroutine; the times that they are given should not run backwards.
type Authority struct {
	o      Options
	hashes map[string]Hash
	names  []string

	checking sync.Mutex // held while a PIN is checked: one at a time
	keeping  sync.Mutex // held while the state is made durable

	mu    sync.Mutex
	state State // written with keeping held too
	// entered is whose PIN was entered last.
	entered struct {
		name  string
		until time.Time
	}
	turned bool // the key
	// warned has the end of each lock-out for which it was told that somebody tried.
	warned map[string]time.Time
	told   []Notice // to be told once mu is free
}

// New returns the authority of a table, with what a former one has kept. Nobody is
// proven, and the key counts as not turned until Key says otherwise. A kept state
// that cannot be right is an error.
func New(o Options, kept State, now time.Time) (*Authority, error) {
	if err := o.Limits.check(); err != nil {
		return nil, err
	}
	if !proofNames.Has(o.Proof) || o.Present <= 0 || o.Noted == nil || o.Keep == nil {
		return nil, errors.New("authority: Proof, Present, Noted and Keep are required")
	}
	a := &Authority{o: o, hashes: map[string]Hash{}, warned: map[string]time.Time{}}
	for _, s := range o.Supervisors {
		a.hashes[s.Name] = s.PIN
		a.names = append(a.names, s.Name)
	}
	known := func(name string) bool { _, ok := a.hashes[name]; return ok }
	var err error
	a.state, err = o.Limits.restored(kept, known, now)
	return a, err
}

// Vouch returns in whose name a resolution goes into the record: the supervisor who
// is proven, or the dealer who is signed in. posted is the name that came with it. It
// is a *Refusal that no supervisor is proven, or another one than posted.
func (a *Authority) Vouch(at time.Time, role vocab.Role, posted string) (by string, err error) {
	a.do(at, func() {
		var refused *Refusal
		if role == vocab.Dealer {
			by = posted
			if dealer := a.state.Shift.Dealer; dealer != "" {
				by = dealer
			}
		} else if by, refused = a.supervisor(at, posted); refused != nil {
			a.tell(Notice{At: at, What: Refused, Who: posted, Why: refused.Why})
			err = refused
		}
	})
	return by, err
}

func (a *Authority) supervisor(at time.Time, posted string) (string, *Refusal) {
	name, lacking := a.present(at)
	switch {
	case a.o.Proof == None:
		return posted, nil
	case lacking != 0:
		return "", needs(lacking)
	case posted != "" && posted != name:
		return "", anotherName(posted, name)
	}
	return name, nil
}

// present returns the supervisor who is proven, or what is lacking. Without a proof
// nobody is, and nothing is.
func (a *Authority) present(at time.Time) (name string, lacking Proof) {
	pin, key := at.Before(a.entered.until), a.turned
	lacking = a.o.Proof
	switch {
	case a.o.Proof == None:
		return "", 0
	case a.o.Proof == PINAndKey && pin && key, a.o.Proof != PINAndKey && pin:
		return a.entered.name, 0
	case a.o.Proof != PINAndKey && key:
		return a.o.Holder, 0
	case a.o.Proof == PINAndKey && pin:
		lacking = Key
	case a.o.Proof == PINAndKey && key:
		lacking = PIN
	}
	return "", lacking
}

// Key says whether the key switch is turned. Where it proves nothing, it is nothing.
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
		a.tell(Notice{At: at, What: what, Who: a.o.Holder})
		if a.o.Proof == PINAndKey && !on {
			a.leave(at, WhyKeyOff)
		}
	})
}

// Leave ends what a PIN proves, since its supervisor goes. A turned key proves on.
func (a *Authority) Leave(at time.Time) { a.do(at, func() { a.leave(at, WhyAsked) }) }

// Resolved ends what a PIN proves, since nothing holds the round any more.
func (a *Authority) Resolved(at time.Time) { a.do(at, func() { a.leave(at, WhyResolved) }) }

// Tick lets go what has come to its end by at. It is told late, and never missed,
// without: all that asks for a time looks at it.
func (a *Authority) Tick(at time.Time) { a.do(at, func() {}) }

func (a *Authority) leave(at time.Time, why Why) {
	if name := a.entered.name; name != "" {
		a.entered.name, a.entered.until = "", time.Time{}
		a.tell(Notice{At: at, What: Left, Who: name, Why: why})
	}
}

// do changes something, and tells what happened once others may look again.
func (a *Authority) do(at time.Time, change func()) {
	a.mu.Lock()
	if !at.Before(a.entered.until) {
		a.leave(a.entered.until, WhyTime)
	}
	change()
	told := a.told
	a.told = nil
	a.mu.Unlock()
	for _, n := range told {
		a.o.Noted(n)
	}
}

// tell keeps a notice for the end of do.
func (a *Authority) tell(n Notice) { a.told = append(a.told, n) }

// durably changes the state, first where it is kept and then here.
func (a *Authority) durably(change func(*State)) error {
	a.keeping.Lock()
	defer a.keeping.Unlock()
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
