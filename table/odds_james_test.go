package table_test

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestBlackJamesCost plays Black James by its best strategy, computed here for
// endless decks from the rules alone, with the real engine and six decks. The
// house says that it costs the bettor about 2 %.
func TestBlackJamesCost(t *testing.T) {
	s := newJames()
	var sum, squares float64
	choose := func(tab *table.Table) vocab.Call {
		if tab.Due().Box == 2 {
			return vocab.CallRest
		}
		h := tab.Hand(1, 1)
		return s.best(tab.Bank().Cards[0].Rank().Height(), h.Total, h.Cards[len(h.Cards)-1].Rank().Height()).call
	}
	// A second box that rests keeps the bank drawing: it does not for a
	// Five-Card-Trick alone.
	second := bet("main", 1000)
	second.Box = 2
	dealRounds(t, profile.Built()["baden"].Rules, []vocab.Input{bet("main", 1000), second}, choose,
		func(out vocab.Output) {
			if out.Kind == vocab.Settled && out.Box == 1 {
				won := float64(out.Returned+out.Won-out.Stake) / 1000
				sum += won
				squares += won * won
			}
		})
	n := float64(*rounds)
	mean := sum / n
	deviation := math.Sqrt((squares/n - mean*mean) / n)
	t.Logf("the bettor loses %.2f %% ± %.2f; with endless decks best play loses %.2f %%", -100*mean, 100*deviation,
		-100*s.value())
	if cost := -s.value(); cost < .015 || cost > .025 {
		t.Errorf("best play costs %.4f with endless decks, not about .02", cost)
	}
	// Six decks differ from endless ones by less than half a point.
	if math.Abs(mean-s.value()) > 4*deviation+.005 {
		t.Errorf("the engine pays %.4f on average, the strategy promises %.4f", mean, s.value())
	}
}

// james is Black James solved for endless decks: heights 2 to 14, the ace high.
type james struct {
	// bank[up][p] is the probability that a bank that shows up ends with p points;
	// the last is all there is beyond.
	bank [15][12]float64
	// known are the best moves found so far, by up, points and last card.
	known map[[3]int]move
}

// move is a call and what it is worth to the bettor.
type move struct {
	call  vocab.Call
	worth float64
}

func newJames() *james {
	s := &james{known: map[[3]int]move{}}
	for up := 2; up <= 14; up++ {
		s.spread(up)
	}
	return s
}

// spread follows the bank's fixed forecasts, card by card, over all heights that
// its last card can have.
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

// stand is what a box with points is worth against the bank.
func (s *james) stand(up, points int) float64 {
	worth := 0.0
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

// best is the best call for a box with points whose last card has a height.
func (s *james) best(up, points, last int) move {
	at := [3]int{up, points, last}
	if found, ok := s.known[at]; ok {
		return found
	}
	best := move{vocab.CallRest, s.stand(up, points)}
	for _, call := range []vocab.Call{vocab.CallHigher, vocab.CallLower} {
		if worth := s.forecast(call, up, points, last); worth > best.worth {
			best = move{call, worth}
		}
	}
	s.known[at] = best
	return best
}

func (s *james) forecast(call vocab.Call, up, points, last int) float64 {
	worth := 0.0
	for next := 2; next <= 14; next++ {
		right := call == vocab.CallHigher && next >= last || call == vocab.CallLower && next <= last
		worth += s.after(up, points, last, next, right) / 13
	}
	return worth
}

// after is what the next card makes of the box.
func (s *james) after(up, points, last, next int, right bool) float64 {
	blackJack := points == 1 && (last == 14 && next >= 10 && next < 14 || next == 14 && last >= 10 && last < 14)
	switch {
	case blackJack && right:
		return 1.5
	case blackJack:
		return 0
	case !right:
		return -1
	case points == 4:
		return s.stand(up, 5)
	default:
		return s.best(up, points+1, next).worth
	}
}

// value is what a round is worth to the bettor, over all first cards.
func (s *james) value() float64 {
	sum := 0.0
	for up := 2; up <= 14; up++ {
		for first := 2; first <= 14; first++ {
			sum += s.best(up, 1, first).worth
		}
	}
	return sum / 169
}
