package host_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
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

// TestClosingIsNeverHalfDone: wherever a kill or a power cut ends the program while a tray is counted to close, the
// next start finds the tray counted and the table closed, or neither.
func TestClosingIsNeverHalfDone(t *testing.T) {
	disk := disktest.New(35)
	s := staffWith(t, filepath.Join(processes.FastDir(t), "journal"), authority.PIN,
		[]host.Option{host.WithOutside(host.Outside{Disk: disk})})
	count := func(event vocab.CountEvent, pieces int64) {
		ctx, err := s.Once(t.Context(), authority.Own, authority.Given{Name: "anna", PIN: annasPIN})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Submit(ctx, vocab.Input{Kind: vocab.InCount, Tray: &vocab.Tray{
			Count: event, Chips: []vocab.Chips{{Value: 1000, Pieces: pieces}},
		}})
		if err != nil || answer.Rejected != 0 {
			t.Fatalf("a count is refused with %q, %v", answer.Rejected, err)
		}
	}
	count(vocab.CountOpening, 50)
	var mu sync.Mutex
	var left []*disktest.Disk // what a next start may find
	disk.Watch(func(m *disktest.Moment) {
		mu.Lock()
		defer mu.Unlock()
		left = append(left, m.Kill(), m.PowerCut(uint64(m.Number)))
		if within := m.KillWithin(uint64(m.Number)); within != nil {
			left = append(left, within)
		}
	})
	count(vocab.CountClosing, 49)
	disk.Watch(nil)
	mu.Lock()
	defer mu.Unlock()
	left = append(left, disk.Kill(), disk.PowerCut(1))
	found := map[bool]int{}
	for _, one := range left {
		j, err := journal.OpenOn(one, "journal", journal.Options{Program: "test"})
		if err != nil {
			t.Fatal(err)
		}
		restored, err := runner.Restore(j, profile.Built(), profile.Built()["wiesbaden"].Rules)
		if err != nil || restored.Differs != nil {
			t.Fatal(err, restored.Differs)
		}
		counted, closed := restored.Table.Tray().Must == 49_000, restored.Table.Opening().Closed
		if found[closed]++; counted != closed {
			t.Errorf("counted to close: %t, closed: %t", counted, closed)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if found[true] == 0 || found[false] == 0 {
		t.Errorf("closed and open tables: %v: the test shows too little", found)
	}
	s.end()
}
