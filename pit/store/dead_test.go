package store

import (
	"testing"

	"github.com/sabot-table/sabot/pit/tally"
)

// TestDeadIsNotPlayed: what was declared dead has passed over the tray, and luck is judged without it; the sums forget
// it with a round whose payment is taken back.
func TestDeadIsNotPlayed(t *testing.T) {
	// A stake of 20.00 has come back, one of 30.00 was taken, and one of 10.00 was played and lost.
	w := tally.Wager{
		Wager: "main", Count: 3, Staked: 6000, Returned: 2000, Due: 2000, Dead: 5000, DeadReturned: 2000,
		BoxSquares: 1e6,
	}
	var s wagerSum
	s.add(&w, false, 1)
	if want := (LuckSum{Rounds: 1, Staked: 1000, BoxSquares: 1e6, RoundSquares: 1e6}); s.luck != want ||
		s.staked != 6000 || s.returned != 2000 {
		t.Errorf("of %d staked and %d returned luck is judged by %+v, want %+v", s.staked, s.returned, s.luck, want)
	}
	s.add(&w, false, -1)
	if s != (wagerSum{}) {
		t.Errorf("taken back there is left %+v", s)
	}
	all := tally.Wager{Wager: "main", Count: 1, Staked: 2000, Returned: 2000, Due: 2000, Dead: 2000, DeadReturned: 2000}
	if s.add(&all, false, 1); s.luck != (LuckSum{}) {
		t.Errorf("nothing was played, and luck is judged by %+v", s.luck)
	}
}
