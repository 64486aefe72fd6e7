package host_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestLastRound: what the boxes were played with is known after the round, after a
// restart, and after another round that never came to its cards.
func TestLastRound(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	s := staff(t, path, authority.PIN)
	stake := func(box int, bettor string, amount int64) vocab.Input {
		return vocab.Input{
			Kind: vocab.InStake, Box: box, Bettor: bettor, Wager: vocab.WagerMain, Amount: amount,
			Stated: true,
		}
	}
	sitting := stake(3, "3a", 1500)
	sitting.Seat, sitting.Player = vocab.Seated, "p7"
	s.put(vocab.Input{Kind: vocab.InOpen}, stake(3, "3", 1000), sitting, stake(3, "3", 2000), stake(5, "5", 5000),
		stake(5, "5", 0))
	s.put(vocab.Input{
		Kind: vocab.InStake, Box: 3, Bettor: "3a", Wager: vocab.ParseWager("twins"), Amount: 1000,
		Stated: true,
	})
	s.put(vocab.Input{Kind: vocab.InClose})
	s.put(vocab.Input{Kind: vocab.InUndo}, stake(6, "6", 2500), vocab.Input{Kind: vocab.InClose})
	s.finish()
	want := []display.Stake{
		{Box: 3, Bettor: "3", Wager: vocab.WagerMain, Amount: 2000, Seated: true},
		{Box: 3, Bettor: "3a", Wager: vocab.WagerMain, Player: "p7", Amount: 1500, Seated: true},
		{Box: 6, Bettor: "6", Wager: vocab.WagerMain, Amount: 2500, Seated: true},
		{Box: 3, Bettor: "3a", Wager: vocab.SideWager(sidebet.Twins), Player: "p7", Amount: 1000},
	}
	s.put(vocab.Input{Kind: vocab.InOpen})
	s.lastIs("after the round", want)
	s.put(stake(1, "1", 1000))
	s.end()

	again := staff(t, path, authority.PIN)
	again.lastIs("after a restart", want)
}

// finish deals the round on the table to its end, with whatever the shoe has.
func (s *staffed) finish() {
	s.t.Helper()
	for {
		view, _ := s.Board.Look()
		switch {
		case view.Phase == vocab.Payment:
			s.put(vocab.Input{Kind: vocab.InPaid})
			return
		case view.Due.To == vocab.ToCall:
			s.put(vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest})
		case view.Due.To == vocab.ToInsurance:
			s.put(vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
		default:
			if _, err := s.shoe.Draw(); err != nil {
				s.t.Fatal(err)
			}
			s.await("the card", func(v display.View) bool { return v.Shoe.Dealt > view.Shoe.Dealt })
		}
	}
}

// lastIs holds the stakes of the last round against what they must be, box by box.
func (s *staffed) lastIs(when string, want []display.Stake) {
	s.t.Helper()
	s.await("open bets", func(v display.View) bool { return v.Phase == vocab.Bets })
	view, _ := s.Board.Look()
	for box := 1; box <= len(view.Boxes); box++ {
		if got, want := ofBox(view.Bets.Last, box), ofBox(want, box); !reflect.DeepEqual(got, want) {
			s.t.Errorf("%s box %d had %+v, want %+v", when, box, got, want)
		}
	}
}

func ofBox(all []display.Stake, box int) []display.Stake {
	var some []display.Stake
	for _, one := range all {
		if one.Box == box {
			some = append(some, one)
		}
	}
	return some
}
