package authority

import (
	"context"
	"fmt"
	"time"
)

// Enter checks a PIN that was entered as a supervisor's, at a place. An empty name means the only
// supervisor. The error is a *Refusal, what Keep returned if the try could not be recorded, or
// why ctx ended: a PIN that was entered for somebody who has gone proves nobody.
//
// Who has entered may look at that place for a while, at what only supervisors see. It vouches for nothing that is put
// in: see Once.
func (a *Authority) Enter(ctx context.Context, at time.Time, place Place, name, pin string) error {
	name, err := a.check(ctx, at, place, name, pin)
	if err != nil {
		return err
	}
	return a.proven(ctx, at, place, name)
}

// check finds out whether a PIN is its supervisor's, and whose it is.
//
// A try is counted, durably, before the PIN is checked: cutting the power or the connection does not give a
// free try. PINs are checked one at a time, which limits what they cost the machine.
func (a *Authority) check(ctx context.Context, at time.Time, place Place, name, pin string) (whose string, err error) {
	if !a.checking.TryLock() {
		return "", busy()
	}
	defer a.checking.Unlock()
	name, refused := a.whose(name)
	if refused != nil {
		return "", refused
	}
	t := try{a: a, kind: supervisorsPIN, at: at, place: place, name: name}
	if refused := t.admit(); refused != nil {
		return "", refused
	}
	if err := t.count(ctx); err != nil {
		return "", err
	}
	if !a.hashes[name].Matches(pin) {
		return "", t.failed()
	}
	return name, t.takeBack(ctx)
}

// whose returns the name of the supervisor whose PIN is meant.
func (a *Authority) whose(name string) (string, *Refusal) {
	if !a.o.Proof.UsesPIN() {
		return "", noPINAsked(a.o.Proof)
	}
	if name == "" && len(a.names) == 1 {
		name = a.names[0]
	}
	if _, known := a.hashes[name]; !known {
		return "", unknownName(name, a.names)
	}
	return name, nil
}

func (a *Authority) proven(ctx context.Context, at time.Time, place Place, name string) (err error) {
	a.do(at, func() {
		if err = gone(ctx); err != nil {
			return
		}
		if a.entered.name != name {
			a.leaveAt(at, screenOf(ctx), WhyAnother)
		}
		a.entered.name, a.entered.place, a.entered.until = name, place, at.Add(a.o.Present)
		a.notify(Notice{At: at, What: Proven, Who: name, Screen: screenOf(ctx), Until: a.entered.until})
	})
	return err
}

// gone is why whoever asked for something is not there any more, nil while they are.
func gone(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("nothing was done: whoever asked for it has gone: %w", context.Cause(ctx))
}
