package odds

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// Chart is the best play by what a bettor sees: the box's first two cards and the bank's first.
type Chart struct {
	// Bank names the bank's first cards, the columns.
	Bank []string
	Rows []Row
	// Exceptions are first hands whose cards ask for another call than their cell, which is the best for all hands of
	// its kind together.
	Exceptions []Exception
}

// Kind is which part of a chart a row is in.
type Kind uint8

// The kinds: totals in which no ace counts eleven, totals in which one does, and pairs. In Black James, points.
const (
	Hard Kind = iota
	Soft
	Pair
	Points
)

// Row is one kind of hand against each card of the bank.
type Row struct {
	Kind Kind
	// Hand is how the row is named: a total, two cards, or in Black James the points and the last card.
	Hand  string
	Cells []Cell
}

// Cell is a hand against a card of the bank. One without calls cannot be.
type Cell struct {
	Best vocab.Call
	// Worth is what each allowed call is worth per unit of the first stake, by the calls in Ranked or, in Black James,
	// Forecasts.
	Worth []CallWorth
}

// CallWorth is what a call is worth.
type CallWorth struct {
	Call vocab.Call
	Mean float64
}

// Cost is what another call than the best costs, and whether it is allowed.
func (c *Cell) Cost(call vocab.Call) (float64, bool) {
	best, mean, allowed := 0.0, 0.0, false
	for _, w := range c.Worth {
		if w.Call == c.Best {
			best = w.Mean
		}
		if w.Call == call {
			mean, allowed = w.Mean, true
		}
	}
	return best - mean, allowed
}

// Exception is a first hand that is played otherwise than its cell says.
type Exception struct {
	Hand, Bank string
	Call       vocab.Call
	// Gain is what that is worth against the cell's call.
	Gain float64
}

// bankOrder are the bank's first cards as charts have them, the ace last.
var bankOrder = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 9, ace}

func valueName(value int) string {
	if value == ace {
		return "A"
	}
	return strconv.Itoa(value + 1)
}

// Chart is the best play of the first hands.
func (m *Main) Chart() Chart {
	c := Chart{}
	for _, up := range bankOrder {
		c.Bank = append(c.Bank, valueName(up))
	}
	for total := 5; total <= 19; total++ {
		c.Rows = append(c.Rows, m.row(&c, Hard, strconv.Itoa(total), func(h *combination) bool {
			return !h.soft && h.total == total && h.pair() < 0
		}))
	}
	for second := 1; second < ten; second++ {
		c.Rows = append(c.Rows, m.row(&c, Soft, "A-"+valueName(second), func(h *combination) bool {
			return h.count[ace] == 1 && h.count[second] == 1
		}))
	}
	for _, value := range bankOrder {
		name := valueName(value)
		c.Rows = append(c.Rows, m.row(&c, Pair, name+"-"+name, func(h *combination) bool { return h.pair() == value }))
	}
	return c
}

// row takes together the first hands of one kind.
func (m *Main) row(c *Chart, kind Kind, name string, is func(*combination) bool) Row {
	row := Row{Kind: kind, Hand: name}
	for _, up := range bankOrder {
		cell := m.cell(up, is)
		row.Cells = append(row.Cells, cell)
		m.except(c, up, &cell, is)
	}
	return row
}

// cell is what the calls are worth on the average of the hands.
func (m *Main) cell(up int, is func(*combination) bool) (cell Cell) {
	all := 0.0
	var sum [len(Ranked)]float64
	var allowed [len(Ranked)]bool
	m.each(up, is, func(p float64, i int) {
		all += p
		calls := m.game.first[up].at(i)
		for k, call := range Ranked {
			w, ok := calls.Of(call)
			sum[k] += p * w.Mean
			allowed[k] = ok
		}
	})
	if all == 0 {
		return cell
	}
	best := 0
	for k, call := range Ranked {
		if !allowed[k] {
			continue
		}
		cell.Worth = append(cell.Worth, CallWorth{call, sum[k] / all})
		if cell.Best == 0 || sum[k] > sum[best] {
			cell.Best, best = call, k
		}
	}
	return cell
}

func (m *Main) each(up int, is func(*combination) bool, yield func(p float64, i int)) {
	if m.game.first[up] == nil {
		return
	}
	m.game.firstHands(up, func(p float64, i int) {
		if is(&combinations()[i]) {
			yield(p, i)
		}
	})
}

// except lists the hands that are played otherwise than their cell.
func (m *Main) except(c *Chart, up int, cell *Cell, is func(*combination) bool) {
	m.each(up, is, func(_ float64, i int) {
		calls := m.game.first[up].at(i)
		if best := calls.Best(); best != cell.Best {
			as, _ := calls.Of(cell.Best)
			c.Exceptions = append(c.Exceptions,
				Exception{combinations()[i].name(), valueName(up), best, calls.BestWorth().Mean - as.Mean})
		}
	})
}

// name is a hand by its values, such as 10-2.
func (c *combination) name() (name string) {
	for value := len(c.count) - 1; value >= 0; value-- {
		for range c.count[value] {
			if name != "" {
				name += "-"
			}
			name += valueName(value)
		}
	}
	return name
}

// Hand is what each call is worth with the cards of a hand that is not split, against the bank's first card; nil for
// one over 21, a Black Jack, for cards that cannot lie together, and for cards that count nothing.
func (m *Main) Hand(cards []card.Card, up card.Card) *Cell {
	if !up.Ranked() || slices.ContainsFunc(cards, func(c card.Card) bool { return !c.Ranked() }) {
		return nil
	}
	g, at := m.game, value(up)
	i := none
	left := g.left.less(at, 1)
	for _, c := range cards {
		if left[value(c)]--; left[value(c)] < 0 {
			return nil
		}
		if i = combinations()[i].next[value(c)]; i == over {
			return nil
		}
	}
	h := &combinations()[i]
	if g.first[at] == nil || h.cards < 2 || h.blackJack() {
		return nil
	}
	calls := g.first[at].at(i)
	cell := &Cell{Best: calls.Best()}
	for _, call := range Ranked {
		if w, ok := calls.Of(call); ok {
			cell.Worth = append(cell.Worth, CallWorth{call, w.Mean})
		}
	}
	return cell
}
