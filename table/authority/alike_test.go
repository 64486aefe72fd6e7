package authority

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackDealersWord: a dealer who is taken at their word signs in under no name that is taken for that of a supervisor, of
// the key or of a dealer who is known.
func TestAttackDealersWord(t *testing.T) {
	o := options()
	o.Noted, o.Keep = func(Notice) {}, func(State) error { return nil }
	o.Holder, o.People = "pit-key", []Dealer{{Name: "Zoë", PIN: cheap("4711")}}
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	tries, through := 0, 0
	for _, name := range []string{"Anna", "аnna", "ａｎｎａ", "Zoe\u0308", "zoë", "Pit-Key", "рit-key"} {
		if tries++; a.SignIn(t.Context(), start, name) == nil {
			through++
			t.Errorf("%+q signs in", name)
		}
	}
	attack.Report(t, "dealers who sign in under another's name", tries, through)
	for _, name := range []string{"anna", "Zoë", "dora"} {
		if err := a.SignIn(t.Context(), start, name); err != nil {
			t.Errorf("%s does not sign in: %v", name, err)
		}
	}
}
