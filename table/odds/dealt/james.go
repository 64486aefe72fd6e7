package dealt

import (
	"sync"

	"github.com/sabot-table/sabot/table/vocab"
)

// james is the best way to play Black James with endless packs: cards are heights, 2 to 14, the ace high.
type james struct {
	mu sync.Mutex
	// bank[up][p] is how likely a bank that shows up ends with p points; the last is all there is beyond.
	bank [15][12]float64
	// known are the best moves found so far, by up, points and last card.
	known map[[3]int]move
}

// move is a call and what it is worth to the guest.
type move struct {
	call  vocab.Call
	worth float64
}

var forecasts = solve()

func solve() *james {
	s := &james{known: map[[3]int]move{}}
	for up := 2; up <= 14; up++ {
		s.spread(up)
	}
	return s
}

// spread follows the bank's fixed forecasts over all heights that its last card can have.
func (s *james) spread(up int) {
	last := [15]float64{}
	last[up] = 1
	most := len(s.bank[up]) - 1
	for points := 1; points < most; points++ {
		next := [15]float64{}
		for from, p := range last {
			for to := 2; to <= 14; to++ {
				if from <= 8 && to > from || from > 8 && to < from {
					next[to] += p / 13
				} else {
					s.bank[up][points] += p / 13
				}
			}
		}
		last = next
	}
	for _, p := range last {
		s.bank[up][most] += p
	}
}

// best is the best call for a box with points whose last card has a height.
func (s *james) best(up, points, last int) move {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(up, points, last)
}

func (s *james) find(up, points, last int) move {
	at := [3]int{up, points, last}
	if found, ok := s.known[at]; ok {
		return found
	}
	best := move{vocab.CallRest, s.stand(up, points)}
	for _, call := range []vocab.Call{vocab.CallHigher, vocab.CallLower} {
		worth := 0.0
		for next := 2; next <= 14; next++ {
			right := call == vocab.CallHigher && next >= last || call == vocab.CallLower && next <= last
			worth += s.after(up, points, last, next, right) / 13
		}
		if worth > best.worth {
			best = move{call, worth}
		}
	}
	s.known[at] = best
	return best
}

// stand is what a box with points is worth against the bank.
func (s *james) stand(up, points int) (worth float64) {
	for bank, p := range s.bank[up] {
		switch {
		case bank > points:
			worth -= p
		case points == 5 && bank < 5:
			worth += 1.5 * p
		default:
			worth += p
		}
	}
	return worth
}

// after is what the next card makes of the box.
func (s *james) after(up, points, last, next int, right bool) float64 {
	ten := func(height int) bool { return height >= 10 && height < 14 }
	blackJack := points == 1 && (last == 14 && ten(next) || next == 14 && ten(last))
	switch {
	case blackJack && right:
		return 1.5
	case blackJack:
		return 0
	case !right:
		return -1
	case points == 4:
		return s.stand(up, 5)
	}
	return s.find(up, points+1, next).worth
}
