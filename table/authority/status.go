package authority

import (
	"slices"
	"time"
)

// Status is who supervises, and what proves it, for the screens.
type Status struct {
	Proof Proof `json:"proof"`
	// Names are the supervisors whose PINs are accepted.
	Names []string `json:"names,omitempty"`
	// Key says that the key switch is turned.
	Key bool `json:"key,omitempty"`
	// Present is the supervisor who is proven, by the key or to look there, empty for nobody.
	Present string `json:"present,omitempty"`
	// Until is until when a PIN that was entered lets look.
	Until time.Time `json:"until,omitzero"`
	// Needs is the missing proof; absent if nothing is missing.
	Needs Proof `json:"needs,omitzero"`
	// Asks is the proof that is missing for something that is done, whoever may look.
	Asks Proof `json:"-"`
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
	s := a.shown(at, place)
	s.Present, s.Needs = a.looks(at, place)
	if at.Before(a.entered.until) && a.entered.place == place {
		s.Until = a.entered.until
	}
	return s
}

// Shown is the status for a view that all screens have: with lock-outs at the table's own, and with nobody who may only
// look.
func (a *Authority) Shown(at time.Time) Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shown(at, Own)
}

func (a *Authority) shown(at time.Time, place Place) Status {
	s := Status{Proof: a.o.Proof, Names: slices.Clone(a.names), Key: a.turned}
	s.Present, s.Needs = a.keyed(place)
	s.Asks = s.Needs
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
