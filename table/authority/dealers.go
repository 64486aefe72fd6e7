package authority

import (
	"context"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/plaintext"
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

var dealerProofNames = plaintext.Enum[DealerProof]{
	AtTheirWord: "none", DealerPIN: "pin", Badge: "badge",
	PINOrBadge: "pin-or-badge",
}

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
// counted, durably, before the PIN is checked, too many of them lock the name out, and nobody is
// signed in after ctx has ended.
func (a *Authority) Prove(ctx context.Context, at time.Time, place Place, name, pin string) error {
	who, known := a.dealers[name]
	switch {
	case !a.o.Dealers.UsesPIN():
		return refuse(WhyNoPINAsked, "dealers enter no PIN at this table: %s", dealerTodo[a.o.Dealers])
	case !known || who.PIN == (Hash{}):
		return refuse(WhyUnknownName, "no dealer of this table has this name and a PIN: choose %s",
			strings.Join(a.withPIN(), ", "))
	}
	t := try{a: a, kind: dealersPIN, at: at, place: place, name: name}
	return t.signIn(ctx, vocab.ByPIN, func() (string, bool) { return name, who.PIN.Matches(pin) })
}

// ReadBadge signs in the dealer whose badge has this number.
func (a *Authority) ReadBadge(ctx context.Context, at time.Time, place Place, number string) error {
	if !a.o.Dealers.UsesBadge() {
		return refuse(WhyNoBadgeAsked, "badges are not used at this table: %s", dealerTodo[a.o.Dealers])
	}
	number, err := Badged(number)
	if err != nil {
		return unknownBadge(nobodysBadge, 0)
	}
	t := try{a: a, kind: dealersBadge, at: at, place: place, name: nobodysBadge}
	return t.signIn(ctx, vocab.ByBadge, func() (string, bool) { return a.owner(number) })
}

// signIn counts a try, checks it, and signs the dealer in whom it proves.
func (t *try) signIn(ctx context.Context, by vocab.Proof, check func() (string, bool)) error {
	if !t.a.checking.TryLock() {
		return busy()
	}
	defer t.a.checking.Unlock()
	if refused := t.admit(); refused != nil {
		return refused
	}
	if err := t.count(ctx); err != nil {
		return err
	}
	name, right := check()
	if !right {
		return t.failed()
	}
	if err := t.takeBack(ctx); err != nil {
		return err
	}
	return t.a.changeDealer(ctx, t.at, Shift{Dealer: name, Since: t.at.Round(0), Proof: by})
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
	// Locked are the names that are locked out at the place, and Badges when a lock-out of all badges ends there.
	Locked []Locked  `json:"locked,omitempty"`
	Badges time.Time `json:"badges_locked,omitzero"`
}

// Dealers returns the status of the dealers' proof, for who is at a place.
func (a *Authority) Dealers(at time.Time, place Place) DealerStatus {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := DealerStatus{Proof: a.o.Dealers, Needs: a.lacksDealer()}
	if s.Proof.UsesPIN() {
		s.Names = a.withPIN()
	}
	for _, name := range s.Names {
		if l := a.state.Dealers.locked(place, name); at.Before(l.until) {
			s.Locked = append(s.Locked, Locked{name, l.until})
		}
	}
	if l := a.state.Dealers.locked(place, nobodysBadge); at.Before(l.until) {
		s.Badges = l.until
	}
	return s
}

const leastBadge, mostBadge = 6, 32

// Badged is a badge's number as it is hashed: letters are capitals. The error does not
// repeat it.
func Badged(number string) (string, error) {
	number = strings.ToUpper(strings.TrimSpace(number))
	if len(number) < leastBadge || len(number) > mostBadge ||
		strings.Trim(number, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", errors.New("a badge's number has 6 to 32 digits or letters: read the badge with its reader")
	}
	return number, nil
}
