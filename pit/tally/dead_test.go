package tally

import "testing"

// TestDeadIsNotPlayed: what was declared dead has passed over the tray, and luck is judged without it; the sums forget
// it with a round whose payment is taken back.
func TestDeadIsNotPlayed(t *testing.T) {
	// A stake of 20.00 has come back, one of 30.00 was taken, and one of 10.00 was played and lost.
	w := Wager{
		Wager: "main", Count: 3, Staked: 6000, Returned: 2000, Due: 2000, Dead: 5000, DeadReturned: 2000,
		BoxSquares: 1e6,
	}
	s := w.sum(false)
	if s.Counted != 1 || s.Staked-s.VoidStaked != 1000 || s.Returned != s.VoidReturned || s.BoxSquares != 1e6 ||
		s.RoundSquares != 1e6 || s.Staked != 6000 || s.Returned != 2000 {
		t.Errorf("what is played is %+v", s)
	}
	if s.Add(&s, -1); s != (Sum{}) {
		t.Errorf("taken back there is left %+v", s)
	}
	all := Wager{Wager: "main", Count: 1, Staked: 2000, Returned: 2000, Due: 2000, Dead: 2000, DeadReturned: 2000}
	if s := all.sum(false); s.Counted != 0 || s.Staked != s.VoidStaked || s.Returned != s.VoidReturned ||
		s.RoundSquares != 0 {
		t.Errorf("nothing was played, and luck is judged by %+v", s)
	}
}
