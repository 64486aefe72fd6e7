package odds

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// Mark is how charts show a call: a letter, so that nobody needs colours.
type Mark struct {
	Call   vocab.Call
	Letter string
	// Means says it in a legend.
	Means string
}

// Marks are the marks of all calls that a chart can have.
var Marks = []Mark{
	{vocab.CallRest, "R", "rest"},
	{vocab.CallCard, "C", "card"},
	{vocab.CallDouble, "D", "double; with more than two cards a card, or rest where it says Dr"},
	{vocab.CallSplit, "S", "split"},
	{vocab.CallSurrender, "X", "surrender; with more than two cards a card, or rest where it says Xr"},
	{vocab.CallHigher, "H", "higher"},
	{vocab.CallLower, "L", "lower"},
}

func markOf(call vocab.Call) *Mark {
	i := slices.IndexFunc(Marks, func(m Mark) bool { return m.Call == call })
	if i < 0 {
		return nil
	}
	return &Marks[i]
}

// Letters are what a chart shows of a cell: the best call, and for one that takes two cards whether rest comes next.
func Letters(c *Cell) string {
	m := markOf(c.Best)
	if m == nil {
		return "·"
	}
	if c.Best == vocab.CallDouble || c.Best == vocab.CallSurrender {
		rest, _ := c.Cost(vocab.CallRest)
		if card, allowed := c.Cost(vocab.CallCard); allowed && rest < card {
			return m.Letter + "r"
		}
	}
	return m.Letter
}

// Legend are the marks that a chart uses.
func Legend(c *Chart) (used []Mark) {
	for _, m := range Marks {
		if slices.ContainsFunc(c.Rows, func(r Row) bool {
			return slices.ContainsFunc(r.Cells, func(cell Cell) bool { return cell.Best == m.Call })
		}) {
			used = append(used, m)
		}
	}
	return used
}
