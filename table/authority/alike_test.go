package authority

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackDealersWord: a dealer who is taken at their word signs in under no name that is taken for that of a
// supervisor or of the key. One who is known deals under the name that is known, however it is written.
func TestAttackDealersWord(t *testing.T) {
	o := options()
	o.Noted, o.Keep = func(Notice) {}, func(State) error { return nil }
	o.Holder, o.People = "pit-key", []Dealer{{Name: "Zoë", PIN: cheap("4711")}}
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	tries, through := 0, 0
	for _, name := range []string{"Anna", "аnna", "ａｎｎａ", "Pit-Key", "рit-key"} {
		if tries++; a.SignIn(t.Context(), start, name) == nil {
			through++
			t.Errorf("%+q signs in", name)
		}
	}
	attack.Report(t, "dealers who sign in under another's name", tries, through)
	for name, known := range map[string]string{
		"anna": "anna", "Zoë": "Zoë", "dora": "dora", "Zoe\u0308": "Zoë",
		"zoë": "Zoë", "ZOË": "Zoë",
	} {
		if err := a.SignIn(t.Context(), start, name); err != nil || a.Shift().Dealer != known {
			t.Errorf("%+q signs in as %q, not %q: %v", name, a.Shift().Dealer, known, err)
		}
	}
}
