package odds

import (
	"fmt"

	"github.com/sabot-table/sabot/table/vocab"
)

// reached is a place of a box by its points and last card, against a card of the bank.
type reached struct{ up, points, last int }

// averages are what the calls are worth there, on the average of the cards that lie below the last.
type averages struct {
	p   float64
	sum [len(Forecasts)]float64
}

// Chart is the best play by points, last card and the bank's card, at every place that best play comes to.
func (j *James) Chart() (c Chart) {
	seen := j.walk()
	for up := range j.shoe {
		c.Bank = append(c.Bank, heightName(up))
	}
	for points := 1; points < trick; points++ {
		for last := range j.shoe {
			row := Row{Kind: Points, Hand: fmt.Sprintf("%d: %s", points, heightName(last))}
			for up := range j.shoe {
				row.Cells = append(row.Cells, seen[reached{up, points, last}].cell())
			}
			c.Rows = append(c.Rows, row)
		}
	}
	return c
}

func heightName(height int) string {
	return [...]string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}[height]
}

func (a *averages) cell() (cell Cell) {
	if a == nil {
		return cell
	}
	best := 0
	for i, call := range Forecasts {
		cell.Worth = append(cell.Worth, CallWorth{call, a.sum[i] / a.p})
		if a.sum[i] > a.sum[best] {
			best = i
		}
	}
	cell.Best = Forecasts[best]
	return cell
}

// walk goes where best play goes.
func (j *James) walk() map[reached]*averages {
	w := walker{james: j, seen: map[reached]*averages{}}
	for up, n := range j.shoe {
		if n == 0 {
			continue
		}
		w.left, w.up = j.shoe, up
		w.left[up]--
		w.draw(float64(n), func(p float64, first int) { w.stand(jamesKey{up: int8(up)}, p, 1, first) })
	}
	return w.seen
}

type walker struct {
	james *James
	seen  map[reached]*averages
	left  heights
	up    int
}

// draw draws each card that is left.
func (w *walker) draw(p float64, yield func(p float64, height int)) {
	size := 0
	for _, n := range w.left {
		size += n
	}
	for height, n := range w.left {
		if n > 0 {
			w.left[height]--
			yield(p*float64(n)*inverse[size], height)
			w.left[height]++
		}
	}
}

// stand notes a place, and goes on from it by the best call.
func (w *walker) stand(at jamesKey, p float64, points, last int) {
	at.cards[points-1] = int8(last) + 1
	state := w.james.states[at]
	key := reached{w.up, points, last}
	if w.seen[key] == nil {
		w.seen[key] = &averages{}
	}
	a := w.seen[key]
	a.p += p
	for i := range a.sum {
		a.sum[i] += p * state.worth[i].Mean
	}
	call := Forecasts[state.best]
	if call == vocab.CallRest || points+1 == trick {
		return
	}
	w.draw(p, func(p float64, next int) {
		if fulfilled(last, next, call) && !(points == 1 && blackJackOf(last, next)) {
			w.stand(at, p, points+1, next)
		}
	})
}
