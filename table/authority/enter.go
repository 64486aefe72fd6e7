package authority

import "time"

// Enter checks a PIN that was entered as a supervisor's. An empty name means the only
// supervisor. The error is a *Refusal or, if the try could not be recorded, what Keep
// returned.
//
// A try is counted, durably, before the PIN is checked: cutting the power does not give a
// free try. PINs are checked one at a time, which limits what they cost the machine.
func (a *Authority) Enter(at time.Time, name, pin string) error {
	if !a.checking.TryLock() {
		return busy()
	}
	defer a.checking.Unlock()
	name, refused := a.admit(at, name)
	if refused != nil {
		return refused
	}
	var tries Tries
	err := a.durably(func(s *State) {
		tries = a.o.Limits.wrong(s.Tries[name], at)
		s.Tries[name] = tries
	})
	if err != nil {
		return err
	}
	if !a.hashes[name].Matches(pin) {
		return a.wrong(at, name, tries)
	}
	if err := a.durably(func(s *State) { delete(s.Tries, name) }); err != nil {
		return err
	}
	a.proven(at, name)
	return nil
}

// admit returns the name of the supervisor whose PIN may be checked.
func (a *Authority) admit(at time.Time, name string) (string, *Refusal) {
	if !a.o.Proof.UsesPIN() {
		return "", noPINAsked(a.o.Proof)
	}
	if name == "" && len(a.names) == 1 {
		name = a.names[0]
	}
	if _, known := a.hashes[name]; !known {
		return "", unknownName(name, a.names)
	}
	var refused *Refusal
	a.do(at, func() {
		until := a.state.Tries[name].Until
		if !at.Before(until) {
			return
		}
		refused = lockedOut(name, until.Sub(at))
		if !a.warned[name].Equal(until) {
			a.warned[name] = until
			a.notify(Notice{At: at, What: TriedWhileLocked, Who: name, Until: until})
		}
	})
	return name, refused
}

func (a *Authority) wrong(at time.Time, name string, t Tries) *Refusal {
	left := max(0, a.o.Limits.Tries-t.Wrong)
	a.do(at, func() {
		a.notify(Notice{At: at, What: WrongPIN, Who: name, Left: left})
		if left == 0 {
			a.notify(Notice{At: at, What: LockedOut, Who: name, Until: t.Until})
		}
	})
	if left == 0 {
		return lockedOut(name, t.Until.Sub(at))
	}
	return wrongPIN(name, left)
}

func (a *Authority) proven(at time.Time, name string) {
	a.do(at, func() {
		if a.entered.name != name {
			a.leave(at, WhyAnother)
		}
		a.entered.name, a.entered.until = name, at.Add(a.o.Present)
		a.notify(Notice{At: at, What: Proven, Who: name, Until: a.entered.until})
	})
}
