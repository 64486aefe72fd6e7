package figures

import (
	"strings"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/vocab"
)

// chartModel is the best play: parts to look at, and the same in numbers.
type chartModel struct {
	Parts  []partModel
	Legend []markModel
	// Calls are the heads of the numbers, and Numbers a row for each cell.
	Calls   []string
	Numbers []numberModel
	Others  []string
}

// partModel is a table of one kind of hand.
type partModel struct {
	Title, Class string
	Bank         []string
	Rows         []rowModel
}

type rowModel struct {
	Hand  string
	Cells []cellModel
}

// cellModel is a hand against a card of the bank: Row is its row in the numbers, Class its call's name.
type cellModel struct {
	Letters, Next, Class string
	Row                  int
}

type markModel struct{ Letter, Class, Means string }

// numberModel is what each call is worth with a cell's hand.
type numberModel struct {
	Name, Best string
	Calls      []callModel
}

// callModel is a call of one cell; one that is not allowed has no Worth.
type callModel struct {
	Worth, Cost string
	Best        bool
}

// chart draws the best play.
func (d drawing) chart(c *odds.Chart) *chartModel {
	m := &chartModel{}
	calls := chartCalls(c)
	for _, call := range calls {
		m.Calls = append(m.Calls, d.named("call", call.String()))
	}
	for i := range c.Rows {
		row := &c.Rows[i]
		if i == 0 || row.Kind != c.Rows[i-1].Kind {
			m.Parts = append(m.Parts, partModel{
				Title: d.say("pit.odds-" + kinds[row.Kind]), Class: kinds[row.Kind],
				Bank: c.Bank,
			})
		}
		part := &m.Parts[len(m.Parts)-1]
		one := rowModel{Hand: row.Hand}
		for k := range row.Cells {
			cell := &row.Cells[k]
			if cell.Best == 0 {
				one.Cells = append(one.Cells, cellModel{Class: "never"})
				continue
			}
			one.Cells = append(one.Cells, cellModel{
				odds.Letters(cell), d.next(cell), cell.Best.String(),
				len(m.Numbers),
			})
			m.Numbers = append(m.Numbers, d.numbers(cell, row.Hand, c.Bank[k], calls))
		}
		part.Rows = append(part.Rows, one)
	}
	for _, mark := range odds.Legend(c) {
		m.Legend = append(m.Legend, markModel{
			mark.Letter, mark.Call.String(),
			d.say("pit.odds-means-" + mark.Call.String()),
		})
	}
	for _, x := range c.Exceptions {
		m.Others = append(m.Others, d.with("pit.odds-other", "hand", x.Hand, "bank", x.Bank,
			"call", d.named("call", x.Call.String()), "gain", d.fine(x.Gain)))
	}
	return m
}

// kinds name the parts of a chart.
var kinds = [...]string{odds.Hard: "hard", odds.Soft: "soft", odds.Pair: "pairs", odds.Points: "points"}

// chartCalls are the calls that some cell allows, as legends have them.
func chartCalls(c *odds.Chart) (list []vocab.Call) {
	allowed := map[vocab.Call]bool{}
	for _, row := range c.Rows {
		for i := range row.Cells {
			for _, w := range row.Cells[i].Worth {
				allowed[w.Call] = true
			}
		}
	}
	for _, mark := range odds.Marks {
		if allowed[mark.Call] {
			list = append(list, mark.Call)
		}
	}
	return list
}

// next is what the next best call costs, "" where only one is allowed.
func (d drawing) next(c *odds.Cell) string {
	least, found := 0.0, false
	for _, w := range c.Worth {
		if w.Call == c.Best {
			continue
		}
		if cost, _ := c.Cost(w.Call); !found || cost < least {
			least, found = cost, true
		}
	}
	if !found {
		return ""
	}
	return d.decimal(100*least, 1)
}

// numbers are what each call of a cell is worth.
func (d drawing) numbers(c *odds.Cell, hand, bank string, calls []vocab.Call) numberModel {
	m := numberModel{Name: d.with("pit.odds-against", "hand", strings.ReplaceAll(hand, "-", "\u2011"),
		"bank", bank), Best: d.named("call", c.Best.String())}
	for _, call := range calls {
		cost, allowed := c.Cost(call)
		if !allowed {
			m.Calls = append(m.Calls, callModel{})
			continue
		}
		one := callModel{Cost: d.say("pit.odds-best-call"), Best: call == c.Best}
		for _, w := range c.Worth {
			if w.Call == call {
				one.Worth = d.decimal(w.Mean, 4)
			}
		}
		if !one.Best {
			one.Cost = d.with("pit.odds-costs", "cost", d.decimal(100*cost, 2)+"\u202f%")
		}
		m.Calls = append(m.Calls, one)
	}
	return m
}
