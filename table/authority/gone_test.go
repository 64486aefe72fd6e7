package authority

import (
	"context"
	"errors"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

var errRevoked = errors.New("the screen's session is over")

// TestAttackPINOfARevokedScreen: a right PIN or badge proves nobody once the session is over from which it came, at
// whichever write to the disk it ends. The try counts, as for any who is not there for the answer.
func TestAttackPINOfARevokedScreen(t *testing.T) {
	tries, through := 0, 0
	for name, act := range map[string]func(context.Context, *Authority) error{
		"enter": func(ctx context.Context, a *Authority) error { return a.Enter(ctx, start, "bar", "anna", "2580") },
		"once": func(ctx context.Context, a *Authority) error {
			_, err := a.Once(ctx, start, "bar", Given{"anna", "2580"})
			return err
		},
		"prove":   func(ctx context.Context, a *Authority) error { return a.Prove(ctx, start, "bar", "d7", "4711") },
		"badge":   func(ctx context.Context, a *Authority) error { return a.ReadBadge(ctx, start, "bar", "00417788") },
		"sign in": func(ctx context.Context, a *Authority) error { return a.SignIn(ctx, start, "mallory") },
		"leave":   func(ctx context.Context, a *Authority) error { return a.Leave(ctx, start) },
		"out":     func(ctx context.Context, a *Authority) error { return a.SignOut(ctx, start) },
	} {
		for endsAt := range 2 { // before the try is counted, and before it is checked
			ctx, revoke := context.WithCancelCause(t.Context())
			o, writes := options(), 0
			o.Dealers, o.People = PINOrBadge, []Dealer{{Name: "d7", PIN: cheap("4711"), Badge: cheap("00417788")}}
			if name == "sign in" {
				o.Dealers = AtTheirWord
			}
			var happened []What
			o.Noted = func(n Notice) { happened = append(happened, n.What) }
			o.Keep = func(State) error {
				if writes++; writes == endsAt {
					revoke(errRevoked)
				}
				return nil
			}
			a, err := New(o, State{Shift: Shift{Dealer: "dora", Since: start}}, start)
			if err != nil {
				t.Fatal(err)
			}
			if endsAt == 0 {
				revoke(errRevoked)
			} else if name != "enter" && name != "once" && name != "prove" && name != "badge" {
				continue // nothing is written before it is done
			}
			tries++
			err = act(ctx, a)
			if !errors.Is(err, errRevoked) || len(happened) != 0 || a.Shift().Dealer != "dora" ||
				a.Status(start, Own).Present != "" {
				through++
				t.Errorf("%s at write %d: %v, then %v, %+v", name, endsAt, err, happened, a.Shift())
			}
			if writes != endsAt {
				t.Errorf("%s at write %d wrote %d times", name, endsAt, writes)
			}
		}
	}
	attack.Report(t, "PINs and badges of revoked screens", tries, through)
}

// TestGoneWhileTheTryIsTakenBack: the last moment counts.
func TestGoneWhileTheTryIsTakenBack(t *testing.T) {
	ctx, revoke := context.WithCancelCause(t.Context())
	o, writes := options(), 0
	o.Keep = func(State) error {
		if writes++; writes == 2 {
			revoke(errRevoked)
		}
		return nil
	}
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Enter(ctx, start, Own, "anna", "2580"); !errors.Is(err, errRevoked) ||
		a.Status(start, Own).Present != "" {
		t.Errorf("it is answered %v, and %+v", err, a.Status(start, Own))
	}
}
