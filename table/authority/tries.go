package authority

import (
	"errors"
	"maps"
	"time"
	"unicode/utf8"
)

// State is what must survive a restart.
type State struct {
	// Tries are the wrong PINs of each name since its last correct one.
	Tries map[string]Tries `json:"tries,omitempty"`
	// DealerTries are those of the dealers, and of badges under no name.
	DealerTries map[string]Tries `json:"dealer_tries,omitempty"`
	// Shift is who deals.
	Shift Shift `json:"shift,omitzero"`
}

// Tries counts the wrong PINs of one name.
type Tries struct {
	Wrong int `json:"wrong"`
	// Until is when its lock-out ends; zero or past if there is none.
	Until time.Time `json:"until,omitzero"`
}

// mostWrong is where counting ends; by then a lock-out has long reached its limit.
const mostWrong = 1 << 20

// Limits say how many wrong PINs are allowed, and how long a name is then locked out.
type Limits struct {
	// Tries is how many wrong PINs in a row lock a name out.
	Tries int
	// LockOut is how long the first lock-out lasts. Each further wrong PIN locks the name
	// out for twice as long as the one before, up to LockOutMost.
	LockOut, LockOutMost time.Duration
}

func (l Limits) check() error {
	const most = 24 * time.Hour
	if l.Tries < 1 || l.LockOut <= 0 || l.LockOutMost < l.LockOut || l.LockOutMost > most {
		return errors.New("authority: limits must allow a try, and lock-outs must last and grow, up to a day")
	}
	return nil
}

// lockOut returns how long a name is locked out after so many wrong PINs; 0 if it is not.
func (l Limits) lockOut(wrong int) time.Duration {
	if wrong < l.Tries {
		return 0
	}
	d := l.LockOut
	for i := l.Tries; i < wrong && d < l.LockOutMost; i++ {
		d *= 2
	}
	return min(d, l.LockOutMost)
}

// wrong returns the tries after one more wrong PIN.
func (l Limits) wrong(t Tries, at time.Time) Tries {
	t.Wrong = min(t.Wrong+1, mostWrong)
	if d := l.lockOut(t.Wrong); d > 0 {
		t.Until = at.Add(d)
	}
	return t
}

// restored returns the part of a kept state that still applies. The clock may have been set
// since it was kept, so no lock-out lasts longer than it did when it began. A name that is
// no longer a supervisor's, or a dealer's, is dropped.
func (l Limits) restored(s State, supervisor, dealer func(name string) bool, now time.Time) (State, error) {
	s = s.clone()
	if err := errors.Join(l.restore(s.Tries, supervisor, now), l.restore(s.DealerTries, dealer, now)); err != nil {
		return State{}, err
	}
	switch name := s.Shift.Dealer; {
	case s.Shift == (Shift{}) || CheckName(name) == nil:
	case name != "" && utf8.RuneCountInString(name) <= longestName:
		s.Shift = Shift{} // a version of before took such names: the dealer signs in with another
	default:
		return State{}, errors.New("the dealer's name is impossible")
	}
	return s, nil
}

// restore brings kept tries up to date.
func (l Limits) restore(tries map[string]Tries, known func(name string) bool, now time.Time) error {
	for name, t := range tries {
		switch {
		case t.Wrong < 1 || t.Wrong > mostWrong:
			return errors.New("the count of wrong PINs is impossible")
		case !known(name):
			delete(tries, name)
		case t.Until.Sub(now) > l.lockOut(t.Wrong):
			t.Until = now.Add(l.lockOut(t.Wrong))
			tries[name] = t
		}
	}
	return nil
}

func (s State) clone() State {
	s.Tries, s.DealerTries = cloned(s.Tries), cloned(s.DealerTries)
	return s
}

func cloned(tries map[string]Tries) map[string]Tries {
	if tries == nil {
		return map[string]Tries{}
	}
	return maps.Clone(tries)
}
