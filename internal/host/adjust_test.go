package host_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestAdjust: a past round is adjusted by a proven supervisor alone, and only where the record has the round, in this
// gaming day, and the wager. After a restart the last payment can still be taken back.
func TestAdjust(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	stake := vocab.Input{Kind: vocab.InStake, Box: 3, Bettor: "3", Wager: vocab.WagerMain, Amount: 1000, Stated: true}
	for range 2 {
		s.put(vocab.Input{Kind: vocab.InOpen}, stake, vocab.Input{Kind: vocab.InClose})
		s.finish()
	}
	in := vocab.Input{
		Kind: vocab.InAdjust, PastRound: 1, Box: 3, Bettor: "3", Wager: vocab.WagerMain, Amount: 500,
		Because: "dispute",
	}
	var refused *authority.Refusal
	if _, err := s.Submit(t.Context(), in); !errors.As(err, &refused) {
		t.Errorf("nobody was proven, and it is taken: %v", err)
	}
	adjust := func(change func(*vocab.Input)) (vocab.Reason, error) {
		one := in
		change(&one)
		ctx, err := s.Once(t.Context(), authority.Own, authority.Given{Name: "anna", PIN: annasPIN})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := s.Submit(ctx, one)
		return answer.Rejected, err
	}
	for _, c := range []struct {
		what   string
		change func(*vocab.Input)
		want   vocab.Reason
		says   string
	}{
		{"a round that was not", func(in *vocab.Input) { in.PastRound = 3 }, vocab.NoSuchRound, "no such round as 3"},
		{"no round", func(in *vocab.Input) { in.PastRound = 0 }, vocab.NoSuchRound, "no such round"},
		{
			"another guest", func(in *vocab.Input) { in.Bettor = "3a" }, vocab.UnknownBettor,
			"in round 1 nobody named 3a had a wager on box 3",
		},
		{"another box", func(in *vocab.Input) { in.Box = 2 }, vocab.UnknownBettor, "on box 2"},
		{
			"another wager", func(in *vocab.Input) { in.Wager = vocab.WagerInsurance }, vocab.NotDecided,
			"in round 1, 3 had no such wager on box 3: insurance",
		},
		{"another hand", func(in *vocab.Input) { in.Hand = 2 }, vocab.NotDecided, "no such wager"},
	} {
		if why, err := adjust(c.change); why != c.want || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: it is refused with %q, %v", c.what, why, err)
		}
	}
	if why, err := adjust(func(*vocab.Input) {}); why != 0 || err != nil {
		t.Errorf("it is refused with %q, %v", why, err)
	}

	s.restart()
	if view, _ := s.Board.Look(); view.Undo.Kind != vocab.InPaid {
		t.Errorf("after a restart %v can be taken back", view.Undo)
	}
	s.put(vocab.Input{Kind: vocab.InUndo})
	if view, _ := s.Board.Look(); view.Phase != vocab.Payment || view.Round != 2 {
		t.Errorf("round %d is at %v", view.Round, view.Phase)
	}
	s.put(vocab.Input{Kind: vocab.InPaid})

	s.config.Currency = "CHF"
	s.restart()
	why, err := adjust(func(*vocab.Input) {})
	if want := "round 1 was played in EUR, and the table's chips are in CHF"; why != vocab.NoSuchRound || err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("in another currency it is refused with %q, %v", why, err)
	}
	s.end()
}
