package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
)

// The bounds of what a table can be.
const (
	MaxBoxes = 9
	MaxDecks = 12
	// MaxKeysApart is in milliseconds.
	MaxKeysApart = 1000
)

// Complaint is one thing wrong with rules: the field, by its path in a profile,
// what it holds, and what to write instead.
type Complaint struct{ Path, What, Hint string }

// Error writes the complaint in one line.
func (c Complaint) Error() string { return c.Path + ": " + c.What + "; " + c.Hint }

// Complaints are all that is wrong with rules.
type Complaints []Complaint

// Error writes one complaint a line.
func (c Complaints) Error() string {
	lines := make([]string, len(c))
	for i, one := range c {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

func (c *Complaints) when(wrong bool, path, what, hint string) {
	if wrong {
		*c = append(*c, Complaint{path, what, hint})
	}
}

var houseName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// Check returns every contradiction in the rules: limits that exclude each other,
// numbers out of bounds, paytables with gaps. Rules without a complaint can be
// played.
func (r *Rules) Check() Complaints {
	var c Complaints
	c.when(!houseName.MatchString(r.House), "house", fmt.Sprintf("%q is no name for a house", r.House), "write 1 to 32 characters of a-z, 0-9 and -, the first a letter")
	c.when(strings.TrimSpace(r.Title) == "", "title", "the title is empty", "write the house as its guests know it")
	c.when(len(r.text) > MaxText, "title", fmt.Sprintf("written out, the profile has %d bytes", len(r.text)), fmt.Sprintf("write texts and lists that take at most %d in all", MaxText))
	limits := r.checkLimits()
	c = append(c, limits...)
	r.checkPlay(&c)
	r.checkWays(&c)
	if r.Game == BlackJames {
		r.checkBlackJames(&c)
	}
	if j := r.Jackpot; j != nil {
		c.when(j.Feeds.Num > j.Feeds.Den, "jackpot.feeds", "more than the stake would go into the jackpot", "write a part such as 7:10")
	}
	for i, bet := range r.SideBets {
		if bet.Bet == 0 {
			continue // no bet of that name
		}
		r.checkSideBet(&c, i)
		if len(limits) == 0 {
			r.offers[bet.Bet].check(&c, fmt.Sprintf("side_bets[%d]", i))
		}
	}
	return c
}

// checkSteps returns the side bets whose stakes would be no multiple of the payable
// unit, which they are at the limits that a profile writes itself.
func (r *Rules) checkSteps() Complaints {
	var c Complaints
	for i, bet := range r.SideBets {
		if o := r.offers[bet.Bet]; o != nil {
			c.when(o.Step%r.Table.Unit != 0, fmt.Sprintf("side_bets[%d].step", i),
				fmt.Sprintf("the step %s is no multiple of the unit %s", written(o.Step), written(r.Table.Unit)), "write a multiple of unit")
		}
	}
	return c
}

// written writes an amount as a profile does.
func written(a money.Amount) string { return Money(a).String() }

func (r *Rules) checkLimits() Complaints {
	var c Complaints
	t := r.Table
	c.when(t.Currency != "EUR" && t.Currency != "CHF", "table.currency", fmt.Sprintf("%q is no currency of these houses", t.Currency), "write EUR or CHF")
	c.when(t.Boxes < 1 || t.Boxes > MaxBoxes, "table.boxes", fmt.Sprintf("%d boxes do not fit a table", t.Boxes), fmt.Sprintf("write 1 to %d", MaxBoxes))
	c.when(t.Unit < 1 || t.Unit > money.Max, "table.unit", written(t.Unit)+" is no payable unit", "write a positive amount")
	c.when(t.Min < 1 || t.Min > money.Max, "table.min", "a minimum of "+written(t.Min)+" is no stake", "write a positive amount")
	c.when(t.BoxMax > money.Max, "table.box_max", written(t.BoxMax)+" is too large", "write at most "+written(money.Max))
	c.when(t.BoxMax < t.Min, "table.box_max", fmt.Sprintf("the box maximum %s is under the minimum %s: nothing could be staked", written(t.BoxMax), written(t.Min)), "raise box_max or lower min")
	c.when(t.Unit > 0 && t.Min%t.Unit != 0, "table.min", fmt.Sprintf("the minimum %s is no multiple of the unit %s", written(t.Min), written(t.Unit)), "write a multiple of unit")
	return c
}

func (r *Rules) checkPlay(c *Complaints) {
	c.when(r.Cards.Decks < 1 || r.Cards.Decks > MaxDecks, "cards.decks", fmt.Sprintf("%d decks do not fit a shoe", r.Cards.Decks), fmt.Sprintf("write 1 to %d", MaxDecks))
	c.when(r.Cards.Jokers < 0 || r.Cards.Jokers > r.Cards.Decks, "cards.jokers", fmt.Sprintf("%d Jokers", r.Cards.Jokers), "write 0 to the number of decks")
	c.when(r.Split.Max < Unlimited, "split.max", fmt.Sprintf("%d splits", r.Split.Max), "write 0 or more, or -1 for no limit")
	for i, total := range r.Double.On {
		c.when(total < 4 || total > 21, fmt.Sprintf("double.on[%d]", i), fmt.Sprintf("two cards never total %d", total), "write totals from 4 to 21")
	}
}

// checkWays wants choices that can be carried out, and one that is left where
// there is no round to void.
func (r *Rules) checkWays(c *Complaints) {
	for code := range irregularity.EveryCode {
		can, ways := irregularity.Possible(code), r.ways[code]
		path := "irregularities." + code.String()
		for choice := range ways.All {
			c.when(!can.Has(choice), path, fmt.Sprintf("%s does not put it right", choice), "its choices are "+irregularity.Ways{Choices: can}.String())
		}
		only := ways.Without(irregularity.VoidRound) == irregularity.Choices{}
		c.when(only && ways.Has(irregularity.VoidRound), path, "void-round alone would leave no way between two rounds", "add another choice")
	}
	c.when(r.Play.KeysApart > MaxKeysApart, "play.keys_apart_ms", fmt.Sprintf("%d ms is longer than a dealer takes for two calls", r.Play.KeysApart), "write 0 to 1000")
}

func (r *Rules) checkBlackJames(c *Complaints) {
	const where = "is not played in Black James"
	c.when(r.Double.Allowed, "double.allowed", "doubling "+where, "write false")
	c.when(r.Split.Max != 0, "split.max", "splitting "+where, "write 0")
	c.when(r.Insurance.Offered || r.Insurance.EvenMoney, "insurance", "insurance "+where, "write false for offered and even_money")
	c.when(r.Surrender, "surrender", "surrender "+where, "write false")
	c.when(r.ThreeSevens.Paid, "three_sevens.paid", "the bonus for three sevens "+where, "write false")
	c.when(r.Cards.Jokers != 0, "cards.jokers", "a Joker "+where, "write 0")
	c.when(r.Pays.BonusBlackJack != nil, "pays.bonus_black_jack", "the bonus Black Jack "+where, "remove it")
	c.when(len(r.SideBets) > 0, "side_bets", "a side bet "+where, "write []")
}

func (r *Rules) checkSideBet(c *Complaints, i int) {
	bet := r.SideBets[i]
	path := fmt.Sprintf("side_bets[%d]", i)
	for _, earlier := range r.SideBets[:i] {
		c.when(earlier.Bet == bet.Bet, path+".bet", bet.Bet.String()+" is there twice", "leave one of them out")
	}
	r.checkPaytable(c, bet, path)
}

// check looks for stakes that nobody could place.
func (o *Offer) check(c *Complaints, path string) {
	least, most := written(o.Least), written(o.Most)
	c.when(o.Most < o.Least, path+".most", fmt.Sprintf("the most, %s, is under the least, %s: nothing could be staked", most, least), "raise most or lower least")
	c.when(o.Least < 1, path+".least", "the least is nothing at this table's limits", "write a positive amount")
	c.when(o.BoxMost != 0 && o.BoxMost < o.Least, path+".box_most", "the box's most is under the least of one bettor", "raise box_most or lower least")
	if o.Step < 1 {
		c.when(true, path+".step", "the step is nothing at this table's limits", "write a positive amount")
		return
	}
	lowest := (o.Least + o.Step - 1) / o.Step * o.Step
	c.when(o.Most >= o.Least && lowest > o.Most, path+".step", fmt.Sprintf("no multiple of the step %s lies from %s to %s: nothing could be staked", written(o.Step), least, most), "change one of the three")
}

// checkPaytable wants every line of a bet once, with a prize that there is.
func (r *Rules) checkPaytable(c *Complaints, bet SideBet, path string) {
	missing := slices.Clone(bet.Bet.Lines())
	for k, line := range bet.Pays {
		if line.Line == 0 {
			continue // no line of that name
		}
		at := fmt.Sprintf("%s.pays[%d]", path, k)
		known := slices.Contains(bet.Bet.Lines(), line.Line)
		c.when(!known, at+".line", fmt.Sprintf("%s has no line %s", bet.Bet, line.Line), "its lines are "+listed(bet.Bet.Lines()))
		place := slices.Index(missing, line.Line)
		c.when(known && place < 0, at+".line", fmt.Sprintf("the line %s is there twice", line.Line), "leave one of them out")
		if place >= 0 {
			missing = slices.Delete(missing, place, place+1)
		}
		isJackpot := line.Line == sidebet.Jackpot
		c.when(line.Pays.Jackpot && !isJackpot, at+".pays", "only the line jackpot pays the jackpot", "write odds or an amount")
		c.when(!line.Pays.Jackpot && isJackpot, at+".pays", "the line jackpot pays the jackpot and nothing else", "write jackpot")
		c.when(line.Pays.Jackpot && isJackpot && r.Jackpot == nil, at+".pays", "the house has no jackpot", "add the section jackpot with seed, feeds and envy")
	}
	c.when(len(missing) > 0, path+".bet", fmt.Sprintf("the paytable of %s lacks %s", bet.Bet, listed(missing)), "add what each pays")
}

// listed writes the names of lines.
func listed(lines []sidebet.Line) string {
	names := make([]string, len(lines))
	for i, line := range lines {
		names[i] = line.String()
	}
	return strings.Join(names, ", ")
}
