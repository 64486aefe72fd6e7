package authority

import (
	"errors"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestAttackTurnedKey: while a supervisor has turned the key at the table, nobody is a supervisor by it at a screen
// elsewhere, whatever proof the house asks for; at the table itself it proves as before.
func TestAttackTurnedKey(t *testing.T) {
	tries, through := 0, 0
	for _, proof := range []Proof{Key, PINAndKey, PINOrKey} {
		o := options()
		o.Proof, o.Holder = proof, "holder"
		a, err := New(o, State{}, start)
		if err != nil {
			t.Fatal(err)
		}
		a.Key(start, true)
		for _, place := range []Place{Own, "bar", "tablet"} {
			ctx := AtScreen(t.Context(), "a screen", place)
			v, errVouch := a.Vouch(ctx, start, vocab.Supervisor, "")
			once, errOnce := a.Once(ctx, start, place, Given{})
			supervises, status := a.Supervises(ctx, start), a.Status(start, place)
			proven := []bool{
				errVouch == nil, errOnce == nil, supervises != "", status.Present != "", status.Needs == 0,
				status.Asks == 0,
			}
			for _, is := range proven {
				if want := place == Own && proof != PINAndKey; want {
					if !is {
						t.Errorf("%s at the table: %v: %v, %v", proof, proven, errVouch, errOnce)
					}
					continue
				}
				if tries++; is {
					through++
				}
			}
			if place == Own && proof != PINAndKey &&
				(v.By != "holder" || once.By != "holder" || supervises != "holder") {
				t.Errorf("%s at the table proves %q, %q and %q", proof, v.By, once.By, supervises)
			}
		}
		if proof.UsesPIN() { // with which the key is for what it comes with, wherever that is
			ctx := AtScreen(t.Context(), "bar", "bar")
			if v, err := a.Once(ctx, start, "bar", Given{Name: "anna", PIN: "2580"}); err != nil || v.By != "anna" {
				t.Errorf("%s with a PIN elsewhere proves %q, %v", proof, v.By, err)
			}
		}
	}
	attack.Report(t, "table: what a turned key proves elsewhere", tries, through)
}

// TestKeyThatProvesElsewhere: whoever has turned the key already is told where it proves.
func TestKeyThatProvesElsewhere(t *testing.T) {
	o := options()
	o.Proof, o.Supervisors, o.Holder = Key, nil, "holder"
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"only a supervisor may do this: turn the supervisor's key",
		"the supervisor's key proves at the table's own screen and its panel alone: do it there",
	} {
		_, err := a.Once(t.Context(), start.Add(time.Second), "bar", Given{})
		if refused, is := errors.AsType[*Refusal](err); !is || refused.Error() != want || refused.Why != "needs-key" {
			t.Errorf("it is refused with %v", err)
		}
		a.Key(start, true)
	}
}
