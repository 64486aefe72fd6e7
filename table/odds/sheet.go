package odds

import (
	"math"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// Sheet is what there is to be said of a house: as text for people, as JSON lines for programs, which are a contract,
// and as a page.
type Sheet struct {
	Rules  *rules.Rules
	Packs  int
	Boxes  int
	Cards  int
	Wagers []Wager
	// Set is what was changed in the house's profile.
	Set []string
}

// SheetOf is the sheet of a report.
func SheetOf(r *Report) Sheet {
	return Sheet{Rules: r.Rules, Packs: r.Shoe.Packs, Boxes: max(r.Boxes, 1), Cards: r.Shoe.Size(), Wagers: r.Wagers}
}

// Wager finds a wager by its name; nil if the house does not have it.
func (s *Sheet) Wager(name string) *Wager {
	for i := range s.Wagers {
		if s.Wagers[i].Name == name {
			return &s.Wagers[i]
		}
	}
	return nil
}

// LeastStake is the least stake of a wager at the house's own limits, in minor units.
func LeastStake(r *rules.Rules, name string) money.Amount {
	for _, bet := range r.SideBets {
		if bet.Bet.String() == name {
			return r.Offer(bet.Bet).Least
		}
	}
	return r.Table.Min
}

// deviation is the standard deviation of one stake.
func deviation(w *Wager) float64 { return math.Sqrt(max(w.Variance, 0)) }
