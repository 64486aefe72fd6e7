package authority

import (
	"crypto/subtle"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/enum"
	"github.com/sabot-table/sabot/table/vocab"
)

// DealerProof is how dealers are proven. The zero value requires no proof.
type DealerProof uint8

// The proofs of a dealer.
const (
	// AtTheirWord accepts names as they are given.
	AtTheirWord DealerProof = iota + 1
	DealerPIN
	// Badge is the number that a reader types.
	Badge
	// PINOrBadge needs either.
	PINOrBadge
)

var dealerProofNames = enum.Names[DealerProof]{AtTheirWord: "none", DealerPIN: "pin", Badge: "badge", PINOrBadge: "pin-or-badge"}

// String returns the proof's name in the configuration; the zero value's is empty.
func (p DealerProof) String() string { return dealerProofNames.Name(p) }

// MarshalText writes the proof's name.
func (p DealerProof) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a proof's name.
func (p *DealerProof) UnmarshalText(text []byte) error {
	return dealerProofNames.Read(p, text, "proof of a dealer")
}

// Required reports whether a dealer must be proven.
func (p DealerProof) Required() bool { return p.UsesPIN() || p.UsesBadge() }

// UsesPIN reports whether PINs are used.
func (p DealerProof) UsesPIN() bool { return p == DealerPIN || p == PINOrBadge }

// UsesBadge reports whether badges are used.
func (p DealerProof) UsesBadge() bool { return p == Badge || p == PINOrBadge }

// Dealer is a person who may deal, with what proves them.
type Dealer struct {
	Name       string
	PIN, Badge Hash
}

// nobodysBadge is where wrong badges are counted: they say no name.
const nobodysBadge = ""

// Prove signs a dealer in by their PIN. What holds for a supervisor's holds here: a try is
// counted, durably, before the PIN is checked, and too many of them lock the name out.
func (a *Authority) Prove(at time.Time, name, pin string) error {
	who, known := a.dealers[name]
	switch {
	case !a.o.Dealers.UsesPIN():
		return refuse(WhyNoPINAsked, "dealers enter no PIN at this table: %s", dealerTodo[a.o.Dealers])
	case !known || who.PIN == (Hash{}):
		return refuse(WhyUnknownName, "no dealer of this table has this name and a PIN: choose %s", strings.Join(a.withPIN(), ", "))
	}
	return a.tryDealer(at, name, vocab.ByPIN, func() (string, bool) { return name, who.PIN.Matches(pin) })
}

// ReadBadge signs in the dealer whose badge has this number.
func (a *Authority) ReadBadge(at time.Time, number string) error {
	if !a.o.Dealers.UsesBadge() {
		return refuse(WhyNoBadgeAsked, "badges are not used at this table: %s", dealerTodo[a.o.Dealers])
	}
	number, err := Badged(number)
	if err != nil {
		return unknownBadge(0)
	}
	return a.tryDealer(at, nobodysBadge, vocab.ByBadge, func() (string, bool) { return a.owner(number) })
}

// tryDealer counts a try, checks it, and signs the dealer in whom it proves.
func (a *Authority) tryDealer(at time.Time, counted string, by vocab.Proof, check func() (string, bool)) error {
	if !a.checking.TryLock() {
		return busy()
	}
	defer a.checking.Unlock()
	if refused := a.admitDealer(at, counted); refused != nil {
		return refused
	}
	var tries Tries
	err := a.durably(func(s *State) {
		tries = a.o.Limits.wrong(s.DealerTries[counted], at)
		s.DealerTries[counted] = tries
	})
	if err != nil {
		return err
	}
	name, right := check()
	if !right {
		return a.wrongDealer(at, counted, tries)
	}
	if err := a.durably(func(s *State) { delete(s.DealerTries, counted) }); err != nil {
		return err
	}
	return a.changeDealer(at, Shift{Dealer: name, Since: at.Round(0), Proof: by})
}

// admitDealer refuses a try while its count is locked out.
func (a *Authority) admitDealer(at time.Time, counted string) (refused *Refusal) {
	a.do(at, func() {
		until := a.state.DealerTries[counted].Until
		if !at.Before(until) {
			return
		}
		refused = dealerLockedOut(counted, until.Sub(at))
		if key := "dealer " + counted; !a.warned[key].Equal(until) {
			a.warned[key] = until
			a.notify(Notice{At: at, What: TriedWhileLocked, Who: counted, Until: until})
		}
	})
	return refused
}

func (a *Authority) wrongDealer(at time.Time, counted string, t Tries) *Refusal {
	left := max(0, a.o.Limits.Tries-t.Wrong)
	what, locked := WrongDealerPIN, DealerLockedOut
	if counted == nobodysBadge {
		what, locked = WrongBadge, BadgeLockedOut
	}
	a.do(at, func() {
		a.notify(Notice{At: at, What: what, Who: counted, Left: left})
		if left == 0 {
			a.notify(Notice{At: at, What: locked, Who: counted, Until: t.Until})
		}
	})
	switch {
	case left == 0:
		return dealerLockedOut(counted, t.Until.Sub(at))
	case counted == nobodysBadge:
		return unknownBadge(left)
	}
	return wrongPIN(counted, left)
}

// owner finds whose badge has a number, always with the same work: badges that share their
// salt share one hash.
func (a *Authority) owner(number string) (name string, found bool) {
	var done []Hash
	for _, one := range a.o.People {
		if one.Badge == (Hash{}) || slices.ContainsFunc(done, one.Badge.Alike) {
			continue
		}
		done = append(done, one.Badge)
		sum := one.Badge.of(number, len(one.Badge.sum))
		for _, other := range a.o.People {
			if one.Badge.Alike(other.Badge) && subtle.ConstantTimeCompare(sum, []byte(other.Badge.sum)) == 1 {
				name, found = other.Name, true
			}
		}
	}
	return name, found
}

// MayDeal refuses a new round while no dealer is proven at a table that requires it.
func (a *Authority) MayDeal() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.lacksDealer() {
		return nil
	}
	return refuse(WhyNeeds+"dealer", "no round is opened before a dealer is proven: %s", dealerTodo[a.o.Dealers])
}

// lacksDealer reports whether a dealer must be proven. One who is no longer in the
// configuration is not.
func (a *Authority) lacksDealer() bool {
	_, known := a.dealers[a.state.Shift.Dealer]
	return a.o.Dealers.Required() && (!known || a.state.Shift.Proof == 0)
}

// withPIN are the dealers who have a PIN.
func (a *Authority) withPIN() (names []string) {
	for _, one := range a.o.People {
		if one.PIN != (Hash{}) {
			names = append(names, one.Name)
		}
	}
	return names
}

// DealerStatus is how dealers are proven, for the screens.
type DealerStatus struct {
	Proof DealerProof `json:"proof"`
	// Names are the dealers who have a PIN.
	Names []string `json:"names,omitempty"`
	// Needs says that no round is opened before a dealer is proven.
	Needs bool `json:"needs,omitempty"`
	// Locked are the names that are locked out, and Badges when a lock-out of all badges ends.
	Locked []Locked  `json:"locked,omitempty"`
	Badges time.Time `json:"badges_locked,omitzero"`
}

// Dealers returns the status of the dealers' proof.
func (a *Authority) Dealers(at time.Time) DealerStatus {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := DealerStatus{Proof: a.o.Dealers, Needs: a.lacksDealer()}
	if s.Proof.UsesPIN() {
		s.Names = a.withPIN()
	}
	for name, t := range maps.All(a.state.DealerTries) {
		switch {
		case !at.Before(t.Until):
		case name == nobodysBadge:
			s.Badges = t.Until
		default:
			s.Locked = append(s.Locked, Locked{name, t.Until})
		}
	}
	slices.SortFunc(s.Locked, func(a, b Locked) int { return strings.Compare(a.Name, b.Name) })
	return s
}

const leastBadge, mostBadge = 6, 32

// Badged is a badge's number as it is hashed: letters are capitals. The error does not
// repeat it.
func Badged(number string) (string, error) {
	number = strings.ToUpper(strings.TrimSpace(number))
	if len(number) < leastBadge || len(number) > mostBadge || strings.Trim(number, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", errors.New("a badge's number has 6 to 32 digits or letters: read the badge with its reader")
	}
	return number, nil
}
