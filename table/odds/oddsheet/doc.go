// Package oddsheet writes what a house's rules are worth: as text for people, as JSON lines for programs, and the chart
// of the best play as text, CSV and HTML.
//
// It is apart from the tool, since its JSON is a contract, and apart from odds, which prints nothing.
package oddsheet

import (
	"math"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
)

// Sheet is what there is to be said of a house.
type Sheet struct {
	Rules  *rules.Rules
	Packs  int
	Boxes  int
	Cards  int
	Wagers []odds.Wager
	// Set is what was changed in the house's profile.
	Set []string
}

// Of is the sheet of a report.
func Of(r *odds.Report) Sheet {
	return Sheet{Rules: r.Rules, Packs: r.Shoe.Packs, Boxes: max(r.Boxes, 1), Cards: r.Shoe.Size(), Wagers: r.Wagers}
}

// Wager finds a wager by its name; nil if the house does not have it.
func (s *Sheet) Wager(name string) *odds.Wager {
	for i := range s.Wagers {
		if s.Wagers[i].Name == name {
			return &s.Wagers[i]
		}
	}
	return nil
}

// Least is the least stake of a wager at the house's own limits, in minor units.
func Least(r *rules.Rules, name string) money.Amount {
	for _, bet := range r.SideBets {
		if bet.Bet.String() == name {
			return r.Offer(bet.Bet).Least
		}
	}
	return r.Table.Min
}

// deviation is the standard deviation of one stake.
func deviation(w *odds.Wager) float64 { return math.Sqrt(max(w.Variance, 0)) }
