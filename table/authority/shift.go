package authority

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shift is one dealer's time at the table, from signing in to signing out.
type Shift struct {
	// Dealer is a name or number; empty while nobody is signed in.
	Dealer string    `json:"dealer,omitempty"`
	Since  time.Time `json:"since,omitzero"`
	// Proof is how the dealer was proven, 0 for one who was taken at their word.
	Proof vocab.Proof `json:"proof,omitzero"`
}

const longestName = 32

// CheckName refuses text that cannot be a person's name or number in a record.
func CheckName(name string) error {
	if n := utf8.RuneCountInString(name); n < 1 || n > longestName || strings.TrimSpace(name) != name {
		return errors.New("write a name or number of 1 to 32 characters, without spaces around it")
	}
	if wrong := plaintext.WrongName(name); wrong != "" {
		return errors.New(wrong)
	}
	return nil
}

// SignIn makes dealer the dealer in place of the current one. A dealer who is already
// signed in remains so. A table at which dealers are proven refuses it: see Prove and
// ReadBadge.
func (a *Authority) SignIn(ctx context.Context, at time.Time, dealer string) error {
	if a.o.Dealers.Required() {
		return needsDealer(a.o.Dealers)
	}
	if err := CheckName(dealer); err != nil {
		return refuse(WhyBadName, "this cannot be a dealer's name: %v", err)
	}
	if like := a.known.Like(dealer); like != "" {
		if _, deals := a.dealers[like]; !deals {
			return refuse(WhyBadName,
				"this cannot be a dealer's name: %q looks like %q, who is known here: write another one", dealer, like)
		}
		dealer = like // as it is known: the pad of the screen has capitals alone
	}
	return a.changeDealer(ctx, at, Shift{Dealer: dealer, Since: at.Round(0)})
}

// SignOut signs the dealer out.
func (a *Authority) SignOut(ctx context.Context, at time.Time) error {
	return a.changeDealer(ctx, at, Shift{})
}

func (a *Authority) changeDealer(ctx context.Context, at time.Time, next Shift) error {
	before := Shift{}
	same := func() bool { return before.Dealer == next.Dealer && (before.Proof != 0 || next.Proof == 0) }
	err := a.durably(ctx, func(s *State) {
		if before = s.Shift; !same() {
			s.Shift = next
		}
	})
	if err != nil || same() {
		return err
	}
	a.do(at, func() {
		if next.Dealer == "" {
			a.notify(Notice{At: at, What: DealerOut, Who: before.Dealer, Screen: screenOf(ctx)})
			return
		}
		n := Notice{At: at, What: DealerIn, Who: next.Dealer, Screen: screenOf(ctx), Proof: next.Proof}
		if before.Dealer != next.Dealer {
			n.Relieves = before.Dealer
		}
		a.notify(n)
	})
	return nil
}

// Shift returns who deals, and since when.
func (a *Authority) Shift() Shift {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state.Shift
}
