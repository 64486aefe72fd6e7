package authority

import (
	"errors"
	"time"
	"unicode/utf8"
)

// State is what must survive a restart.
type State struct {
	// Supervisors are the wrong PINs, and Dealers those of dealers, with badges under no name.
	Supervisors Ledger `json:"supervisors,omitzero"`
	Dealers     Ledger `json:"dealers,omitzero"`
	// Shift is who deals.
	Shift Shift `json:"shift,omitzero"`
	// Known are the supervisors of whom the record knows, each with what tells one PIN from another; nil before any was
	// told.
	Known map[string]string `json:"known,omitempty"`
	// Tries and DealerTries are only read: they had one count for each name, wherever it was tried. They count as tries
	// at the table's own screen.
	Tries       map[string]Tries `json:"tries,omitempty"`
	DealerTries map[string]Tries `json:"dealer_tries,omitempty"`
}

// Tries counts wrong tries.
type Tries struct {
	Wrong int `json:"wrong"`
	// Until is when its lock-out ends; zero or past if there is none.
	Until time.Time `json:"until,omitzero"`
	// Last is when the last one was.
	Last time.Time `json:"last,omitzero"`
}

// mostWrong is where counting ends; by then a lock-out has long reached its limit.
const mostWrong = 1 << 20

// Limits say how many wrong PINs are allowed, and how long a name is then locked out.
type Limits struct {
	// Tries is how many wrong PINs in a row lock a name out, at the screen where they were entered.
	Tries int
	// LockOut is how long the first lock-out lasts. Each further wrong PIN locks the name
	// out for twice as long as the one before, up to LockOutMost.
	LockOut, LockOutMost time.Duration
}

// Check says whether lock-outs can come, last and grow.
func (l Limits) Check() error {
	const most = 24 * time.Hour
	if l.Tries < 1 || l.LockOut <= 0 || l.LockOutMost < l.LockOut || l.LockOutMost > most {
		return errors.New("authority: limits must allow a try, and lock-outs must last and grow, up to a day")
	}
	return nil
}

// Pause is how long the lock-out lasts after so many wrong PINs; 0 if there is none.
func (l Limits) Pause(wrong int) time.Duration {
	if wrong < l.Tries {
		return 0
	}
	d := l.LockOut
	for i := l.Tries; i < wrong && d < l.LockOutMost; i++ {
		d *= 2
	}
	return min(d, l.LockOutMost)
}

// afterWrong returns the tries after one more wrong PIN; earlier ones, which were counted elsewhere, count too.
func (l Limits) afterWrong(t Tries, at time.Time, earlier int) Tries {
	t.Wrong, t.Last = min(t.Wrong+1, mostWrong), at.Round(0)
	if d := l.Pause(t.Wrong + earlier); d > 0 {
		t.Until = at.Add(d)
	}
	return t
}

// restored returns the part of a kept state that still applies. The clock may have been set
// since it was kept, so no lock-out lasts longer than it did when it began. A name that is
// no longer a supervisor's, or a dealer's, is dropped.
func (l Limits) restored(s State, supervisor, dealer func(name string) bool, now time.Time) (State, error) {
	s.Supervisors.adopt(s.Tries)
	s.Dealers.adopt(s.DealerTries)
	s.Tries, s.DealerTries = nil, nil
	s = s.clone()
	if err := errors.Join(l.restore(&s.Supervisors, supervisor, now), l.restore(&s.Dealers, dealer, now)); err != nil {
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

// adopt takes what was kept without places. A state has them in one way or the other.
func (g *Ledger) adopt(tries map[string]Tries) {
	if len(tries) > 0 {
		g.At = map[Place]map[string]Tries{Own: tries}
	}
}

// restore brings a kept ledger up to date, in a clone.
func (l Limits) restore(g *Ledger, known func(name string) bool, now time.Time) error {
	var errs []error
	for _, names := range g.At {
		errs = append(errs, restore(l, names, known, now, 0))
	}
	everywhere := func(Place) bool { return true }
	errs = append(errs, restore(l, g.Screens, everywhere, now, l.Tries-1), restore(l, g.Names, known, now, l.Tries-1))
	g.forget(now)
	return errors.Join(errs...)
}

func restore[K comparable](l Limits, tries map[K]Tries, known func(K) bool, now time.Time, earlier int) error {
	for key, t := range tries {
		if t.Wrong < 1 || t.Wrong > mostWrong {
			return errors.New("the count of wrong PINs is impossible")
		}
		if !known(key) {
			delete(tries, key)
			continue
		}
		if longest := l.Pause(t.Wrong + earlier); t.Until.Sub(now) > longest {
			t.Until = now.Add(longest)
		}
		if t.Last.IsZero() || t.Last.After(now) {
			t.Last = now.Round(0)
		}
		tries[key] = t
	}
	return nil
}

func (s State) clone() State {
	s.Supervisors, s.Dealers = s.Supervisors.clone(), s.Dealers.clone()
	return s
}
