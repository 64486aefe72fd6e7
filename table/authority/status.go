package authority

import (
	"slices"
	"time"
)

// Status is who may currently put an irregularity right, for the screens.
type Status struct {
	Proof Proof `json:"proof"`
	// Names are the supervisors whose PINs are accepted.
	Names []string `json:"names,omitempty"`
	// Key says that the key switch is turned.
	Key bool `json:"key,omitempty"`
	// Present is the supervisor who is proven, empty for nobody.
	Present string `json:"present,omitempty"`
	// Until is when the proof of an entered PIN expires.
	Until time.Time `json:"until,omitzero"`
	// Needs is the missing proof; absent if nothing is missing.
	Needs Proof `json:"needs,omitzero"`
	// Locked are the names that are locked out at the place, in the order of Names.
	Locked []Locked `json:"locked,omitempty"`
}

// Locked is a name that is locked out.
type Locked struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until"`
}

// Status returns the current status, for who is at a place.
func (a *Authority) Status(at time.Time, place Place) Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := Status{Proof: a.o.Proof, Names: slices.Clone(a.names), Key: a.turned}
	s.Present, s.Needs = a.present(at)
	if at.Before(a.entered.until) {
		s.Until = a.entered.until
	}
	for _, name := range a.names {
		if l := a.state.Supervisors.locked(place, name); at.Before(l.until) {
			s.Locked = append(s.Locked, Locked{name, l.until})
		}
	}
	return s
}

// Next returns the time after at when the status next changes on its own; zero if it does
// not.
func (a *Authority) Next(at time.Time) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	var next time.Time
	sooner := func(t time.Time) {
		if t.After(at) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(a.entered.until)
	a.state.Supervisors.untils(sooner)
	a.state.Dealers.untils(sooner)
	return next
}
