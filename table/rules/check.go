package rules

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
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

// complaints collects what is wrong.
type complaints []Complaint

func (c *complaints) when(wrong bool, path, what, hint string) {
	if wrong {
		*c = append(*c, Complaint{path, what, hint})
	}
}

// Check returns every contradiction in the rules: limits that exclude each
// other, numbers out of bounds. Rules without a complaint can be played.
func (r *Rules) Check() []Complaint {
	var c complaints
	r.checkLimits(&c)
	r.checkPlay(&c)
	for i := range r.SideBets {
		r.checkSideBet(&c, i)
	}
	return c
}

func (r *Rules) checkLimits(c *complaints) {
	t := r.Table
	m := func(a money.Amount) string { return money.Format(a, 2) }
	c.when(t.Currency != "EUR" && t.Currency != "CHF", "table.currency", fmt.Sprintf("%q is no currency of these houses", t.Currency), "write EUR or CHF")
	c.when(t.Boxes < 1 || t.Boxes > MaxBoxes, "table.boxes", fmt.Sprintf("%d boxes do not fit a table", t.Boxes), fmt.Sprintf("write 1 to %d", MaxBoxes))
	c.when(t.Unit < 1 || t.Unit > money.Max, "table.unit", m(t.Unit)+" is no payable unit", "write a positive amount")
	c.when(t.Min < 1 || t.Min > money.Max, "table.min", "a minimum of "+m(t.Min)+" is no stake", "write a positive amount")
	c.when(t.BoxMax > money.Max, "table.box_max", m(t.BoxMax)+" is too large", "write at most "+m(money.Max))
	c.when(t.BoxMax < t.Min, "table.box_max", fmt.Sprintf("the box maximum %s is under the minimum %s: nothing could be staked", m(t.BoxMax), m(t.Min)), "raise box_max or lower min")
	c.when(t.Unit > 0 && t.Min%t.Unit != 0, "table.min", fmt.Sprintf("the minimum %s is no multiple of the unit %s", m(t.Min), m(t.Unit)), "write a multiple of unit")
}

func (r *Rules) checkPlay(c *complaints) {
	c.when(r.Cards.Decks < 1 || r.Cards.Decks > MaxDecks, "cards.decks", fmt.Sprintf("%d decks do not fit a shoe", r.Cards.Decks), fmt.Sprintf("write 1 to %d", MaxDecks))
	c.when(r.Cards.Jokers < 0 || r.Cards.Jokers > r.Cards.Decks, "cards.jokers", fmt.Sprintf("%d Jokers", r.Cards.Jokers), "write 0 to the number of decks")
	c.when(r.Split.Max < Unlimited, "split.max", fmt.Sprintf("%d splits", r.Split.Max), "write 0 or more, or -1 for no limit")
	for _, total := range r.Double.On {
		c.when(total < 4 || total > 21, "double.on", fmt.Sprintf("two cards never total %d", total), "write totals from 4 to 21")
	}
	if r.Game != BlackJames {
		return
	}
	where := "is not played in Black James"
	c.when(r.Double.Allowed, "double.allowed", "doubling "+where, "write false")
	c.when(r.Split.Max != 0, "split.max", "splitting "+where, "write 0")
	c.when(r.Insurance.Offered || r.Insurance.EvenMoney, "insurance", "insurance "+where, "write false for offered and even_money")
	c.when(r.Surrender, "surrender", "surrender "+where, "write false")
	c.when(r.ThreeSevens.Paid, "three_sevens.paid", "the bonus for three sevens "+where, "write false")
	c.when(r.Cards.Jokers != 0, "cards.jokers", "a Joker "+where, "write 0")
	c.when(len(r.SideBets) > 0, "side_bets", "a side bet "+where, "write []")
}

func (r *Rules) checkSideBet(c *complaints, i int) {
	bet := r.SideBets[i]
	path := fmt.Sprintf("side_bets[%d]", i)
	for _, earlier := range r.SideBets[:i] {
		c.when(earlier.Bet == bet.Bet, path+".bet", bet.Bet.String()+" is there twice", "leave one of them out")
	}
	if o := r.offers[bet.Bet]; o != nil {
		least, most := money.Format(o.Least, 2), money.Format(o.Most, 2)
		c.when(o.Most < o.Least, path+".most", fmt.Sprintf("the most, %s, is under the least, %s: nothing could be staked", least, most), "raise most or lower least")
		c.when(o.Least < 1, path+".least", "the least is nothing at this table's limits", "write a positive amount")
		c.when(o.Step < 1, path+".step", "the step is nothing at this table's limits", "write a positive amount")
		c.when(o.BoxMost != 0 && o.BoxMost < o.Least, path+".box_most", "the box's most is under the least of one bettor", "raise box_most or lower least")
	}
	for k, line := range bet.Pays {
		at := fmt.Sprintf("%s.pays[%d]", path, k)
		c.when(!slices.Contains(bet.Bet.Lines(), line.Line), at+".line", fmt.Sprintf("%s has no line %s", bet.Bet, line.Line), fmt.Sprintf("write one of %v", bet.Bet.Lines()))
		c.when(line.Pays.Jackpot && line.Line != sidebet.Jackpot, at+".pays", "only the line jackpot pays the jackpot", "write odds or an amount")
		c.when(line.Pays.Jackpot && r.Jackpot == nil, at+".pays", "the house has no jackpot", "add the section jackpot with seed, feeds and envy")
	}
	c.when(len(bet.Pays) == 0, path+".pays", bet.Bet.String()+" pays nothing", fmt.Sprintf("write at least one of %v", bet.Bet.Lines()))
}
