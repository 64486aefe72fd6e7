package rules

import (
	"fmt"

	"github.com/sabot-table/sabot/table/money"
)

// The bounds of what a table can be.
const (
	MaxBoxes = 9
	MaxDecks = 12
)

// Complaint is one thing wrong with rules: the field, by its path in a profile,
// what it holds, and what to write instead.
type Complaint struct{ Path, What, Hint string }

// Error writes the complaint in one line.
func (c Complaint) Error() string { return c.Path + ": " + c.What + "; " + c.Hint }

// Check returns every contradiction in the rules: limits that exclude each
// other, numbers out of bounds. Rules without a complaint can be played.
func (r *Rules) Check() []Complaint {
	var found []Complaint
	complain := func(wrong bool, path, what, hint string) {
		if wrong {
			found = append(found, Complaint{path, what, hint})
		}
	}
	t := r.Table
	complain(t.Currency != "EUR" && t.Currency != "CHF", "table.currency", fmt.Sprintf("%q is no currency of these houses", t.Currency), "write EUR or CHF")
	complain(t.Boxes < 1 || t.Boxes > MaxBoxes, "table.boxes", fmt.Sprintf("%d boxes do not fit a table", t.Boxes), fmt.Sprintf("write 1 to %d", MaxBoxes))
	complain(t.Unit < 1 || t.Unit > money.Max, "table.unit", fmt.Sprintf("%d is no payable unit", t.Unit), "write a positive amount in minor units")
	complain(t.Min < 1 || t.Min > money.Max, "table.min", fmt.Sprintf("a minimum of %d is no stake", t.Min), "write a positive amount in minor units")
	complain(t.BoxMax > money.Max, "table.box_max", fmt.Sprintf("%d is too large", t.BoxMax), fmt.Sprintf("write at most %d", money.Max))
	complain(t.BoxMax < t.Min, "table.box_max", fmt.Sprintf("the box maximum %d is under the minimum %d: nothing could be staked", t.BoxMax, t.Min), "raise box_max or lower min")
	complain(t.Unit > 0 && t.Min%t.Unit != 0, "table.min", fmt.Sprintf("the minimum %d is no multiple of the unit %d", t.Min, t.Unit), "write a multiple of unit")
	complain(r.Cards.Decks < 1 || r.Cards.Decks > MaxDecks, "cards.decks", fmt.Sprintf("%d decks do not fit a shoe", r.Cards.Decks), fmt.Sprintf("write 1 to %d", MaxDecks))
	complain(r.Cards.Jokers < 0 || r.Cards.Decks > 0 && r.Cards.Jokers > r.Cards.Decks, "cards.jokers", fmt.Sprintf("%d Jokers", r.Cards.Jokers), "write 0 to the number of decks")
	complain(r.Split.Max < Unlimited, "split.max", fmt.Sprintf("%d splits", r.Split.Max), "write 0 or more, or -1 for no limit")
	for _, total := range r.Double.On {
		complain(total < 4 || total > 21, "double.on", fmt.Sprintf("two cards never total %d", total), "write totals from 4 to 21")
	}
	return found
}

// Setup is what a table changes of its house's profile: the setup line of a
// transcript. Zero fields leave the profile's value.
type Setup struct {
	House    string
	Currency string
	Min      money.Amount
	BoxMax   money.Amount
	Unit     money.Amount
	Decks    int
	Boxes    int
	// Calls is "" or the name of a call mode.
	Calls string
	// Jackpot is the amount of the progressive jackpot, in houses that have one.
	Jackpot money.Amount
}

// Book is the houses that a table can be set up as, by name.
type Book map[string]*Rules

// Set returns the rules of a table: the house's profile with the setup's changes.
// The error names every field that cannot be.
func (b Book) Set(s Setup) (*Rules, error) {
	house, ok := b[s.House]
	if !ok {
		return nil, fmt.Errorf("house %q is not known; known are %s", s.House, b.names())
	}
	set := *house
	if s.Currency != "" {
		set.Table.Currency = s.Currency
	}
	override(&set.Table.Min, s.Min)
	override(&set.Table.BoxMax, s.BoxMax)
	override(&set.Table.Unit, s.Unit)
	override(&set.Cards.Decks, s.Decks)
	override(&set.Table.Boxes, s.Boxes)
	if s.Calls != "" {
		if err := set.Play.Calls.UnmarshalText([]byte(s.Calls)); err != nil {
			return nil, joined([]Complaint{{"call", err.Error(), "write required or implied"}})
		}
	}
	return &set, joined(set.Check())
}

func override[T int | int64](field *T, value T) {
	if value != 0 {
		*field = value
	}
}
