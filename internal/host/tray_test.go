package host_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestTray: a tray is counted in the name of a proven supervisor alone, a fill approved, the drop box taken off and a
// sale taken back; what else is done with it is in the name of whoever is there, whatever a screen says. All of it is
// there after a restart.
func TestTray(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	put := func(in vocab.Input, proven bool) (vocab.Reason, error) {
		ctx := t.Context()
		if proven {
			var err error
			if ctx, err = s.Once(ctx, authority.Own, authority.Given{Name: "anna", PIN: annasPIN}); err != nil {
				t.Fatal(err)
			}
		}
		answer, err := s.Submit(ctx, in)
		return answer.Rejected, err
	}
	count := vocab.Input{Kind: vocab.InCount, Tray: &vocab.Tray{
		Count: vocab.CountOpening, Dealer: "mallory",
		Chips: []vocab.Chips{{Value: 1000, Pieces: 50}},
	}}
	ask := vocab.Input{
		Kind: vocab.InFill, By: "mallory",
		Tray: &vocab.Tray{Step: vocab.SlipAsked, Chips: []vocab.Chips{{Value: 1000, Pieces: 5}}},
	}
	approve := vocab.Input{Kind: vocab.InFill, Tray: &vocab.Tray{Step: vocab.SlipApproved, Slip: 1}}
	for _, in := range []vocab.Input{
		count, approve,
		{Kind: vocab.InDrop, By: "anna"},
		{Kind: vocab.InBuyIn, Amount: -1000, By: "anna", Role: vocab.Supervisor},
	} {
		var refused *authority.Refusal
		if _, err := put(in, false); !errors.As(err, &refused) {
			t.Errorf("nobody was proven, and %s is taken: %v", in.Kind, err)
		}
	}
	for _, one := range []struct {
		in     vocab.Input
		proven bool
	}{
		{count, true},
		{ask, false},
		{approve, true},
		{vocab.Input{Kind: vocab.InBuyIn, Amount: 1000, By: "mallory"}, false},
	} {
		if why, err := put(one.in, one.proven); why != 0 || err != nil {
			t.Fatalf("%s is refused with %q, %v", one.in.Kind, why, err)
		}
	}
	s.restart()
	received := vocab.Input{Kind: vocab.InFill, Tray: &vocab.Tray{Step: vocab.SlipSent, Slip: 1, Chips: ask.Tray.Chips}}
	if why, err := put(received, false); why != 0 || err != nil {
		t.Errorf("after a restart the fill is not sent: %q, %v", why, err)
	}
	received.Tray.Step = vocab.SlipReceived
	if why, err := put(received, false); why != 0 || err != nil {
		t.Errorf("after a restart the fill is not received: %q, %v", why, err)
	}
	s.end()
}
