package rules

import (
	"strconv"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// The bounds of a table.
const (
	MaxBoxes = 9
	MaxDecks = 12
	// MaxKeysApart is in milliseconds.
	MaxKeysApart = 1000
)

// Complaint is one fault in rules: the field, by its path in a profile, what is wrong
// with its value, and what to write instead.
type Complaint struct{ Path, What, Hint string }

// Error writes the complaint in one line.
func (c Complaint) Error() string { return c.Path + ": " + c.What + "; " + c.Hint }

// Complaints are all the faults in rules.
type Complaints []Complaint

// Error writes one complaint per line.
func (c Complaints) Error() string {
	lines := make([]string, len(c))
	for i, one := range c {
		lines[i] = one.Error()
	}
	return plaintext.Join(lines, "\n")
}

func (c *Complaints) when(wrong bool, path, what, hint string) {
	if wrong {
		*c = append(*c, Complaint{path, what, hint})
	}
}

// Check returns every contradiction in the rules of a house: limits that exclude each
// other, numbers out of bounds, paytables with gaps, and side bets whose stakes would not
// be multiples of the payable unit at the profile's own limits. Rules without a complaint
// can be played.
func (r *Rules) Check() Complaints { return append(r.check(), r.checkSteps()...) }

// check returns the contradictions that are not allowed at a table's own limits either.
func (r *Rules) check() Complaints {
	var c Complaints
	c.when(!isHouseName(r.House), "house", strconv.Quote(r.House)+" is not a name for a house",
		"write 1 to 32 characters of a-z, 0-9 and -, the first a letter")
	c.when(len(plaintext.Fields(r.Title)) == 0, "title", "the title is empty", "write the house as its guests know it")
	c.when(len(r.text) > MaxText, "title", "written out, the profile has "+strconv.Itoa(len(r.text))+" bytes",
		"write texts and lists that take at most "+strconv.Itoa(MaxText)+" in all")
	limits := r.checkLimits()
	c = append(c, limits...)
	r.checkChips(&c)
	r.checkPlay(&c)
	r.checkWays(&c)
	if r.Game == BlackJames {
		r.checkBlackJames(&c)
	}
	if j := r.Jackpot; j != nil {
		c.when(j.Feeds.Num > j.Feeds.Den, "jackpot.feeds", "more than the stake would go into the jackpot",
			"write a part such as 7:10")
		r.checkLinked(&c, j)
	}
	for i, bet := range r.SideBets {
		if bet.Bet == "" {
			continue // not the name of a bet
		}
		r.checkSideBet(&c, i)
		if len(limits) == 0 {
			r.checkOffer(&c, r.offers[i], at("side_bets", i))
		}
	}
	return c
}

func (r *Rules) checkSteps() Complaints {
	var c Complaints
	r.checkUnits(&c)
	for i, bet := range r.SideBets {
		if o := r.Offer(bet.Bet); o != nil {
			c.when(o.Step%r.Table.Unit != 0, at("side_bets", i)+".step",
				"the step "+r.written(o.Step)+" is not a multiple of the unit "+r.written(r.Table.Unit),
				"write a multiple of unit")
		}
	}
	return c
}

// isHouseName reports whether s can be part of a file name and of an MQTT topic.
func isHouseName(s string) bool {
	for i := range len(s) {
		letter, other := s[i] >= 'a' && s[i] <= 'z', s[i] >= '0' && s[i] <= '9' || s[i] == '-'
		if !letter && (!other || i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= 32
}

// written writes an amount as a profile writes it.
func (r *Rules) written(a money.Amount) string { return money.Format(a, r.Digits()) }

// at is the path of an item in a list.
func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

func (r *Rules) checkLimits() Complaints {
	var c Complaints
	t := r.Table
	r.checkCurrency(&c)
	r.checkBoxes(&c)
	c.when(t.Unit < 1 || t.Unit > money.Max, "table.unit", r.written(t.Unit)+" is not a payable unit",
		"write a positive amount")
	c.when(t.Min < 1 || t.Min > money.Max, "table.min", "a minimum of "+r.written(t.Min)+" is not a stake",
		"write a positive amount")
	c.when(t.BoxMax > money.Max, "table.box_max", r.written(t.BoxMax)+" is too large", "write at most "+
		r.written(money.Max))
	c.when(t.BoxMax < t.Min, "table.box_max", "the box maximum "+r.written(t.BoxMax)+" is below the minimum "+
		r.written(t.Min)+": nothing could be staked", "raise box_max or lower min")
	c.when(t.Unit > 0 && t.Min%t.Unit != 0, "table.min", "the minimum "+r.written(t.Min)+
		" is not a multiple of the unit "+r.written(t.Unit), "write a multiple of unit")
	if len(c) == 0 {
		r.checkStakes(&c)
		r.checkForLess(&c)
	}
	return c
}

// checkBoxes looks at how many boxes the table has, and how many it may have by the house's sheet.
func (r *Rules) checkBoxes(c *Complaints) {
	boxes := r.Table.Boxes
	from, to := r.BoxesAllowed()
	fits := func(n int) bool { return n >= 1 && n <= MaxBoxes }
	c.when(!fits(from), "table.boxes_from", strconv.Itoa(from)+" boxes do not fit a table", "write 1 to "+
		strconv.Itoa(MaxBoxes)+", or remove the line")
	c.when(!fits(to), "table.boxes_to", strconv.Itoa(to)+" boxes do not fit a table", "write 1 to "+
		strconv.Itoa(MaxBoxes)+", or remove the line")
	switch {
	case !fits(boxes):
		c.when(true, "table.boxes", strconv.Itoa(boxes)+" boxes do not fit a table", "write "+boxesSaid(from, to))
	case from > to:
		c.when(true, "table.boxes_to", strconv.Itoa(to)+" is below boxes_from, "+strconv.Itoa(from)+
			": no table would do", "raise boxes_to or lower boxes_from")
	case boxes < from || boxes > to:
		said := boxesSaid(from, to)
		c.when(true, "table.boxes", strconv.Itoa(boxes)+" boxes, where the house's sheet says "+said, "write "+said)
	}
}

// boxesSaid says how many boxes a table may have.
func boxesSaid(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return strconv.Itoa(from) + " to " + strconv.Itoa(to)
}

// checkStakes looks at what main stakes are multiples of, and how many may lie on a box.
func (r *Rules) checkStakes(c *Complaints) {
	t, step := r.Table, r.Step()
	c.when(r.MostBettors() < 1 && r.Profile.Table.Bettors != nil, "table.bettors", strconv.Itoa(r.MostBettors())+
		" bettors could not play a box", "write 1 or more, or remove the line")
	if r.Profile.Table.Step == nil {
		return
	}
	if step < 1 || step%t.Unit != 0 {
		c.when(true, "table.step", "the step "+r.written(step)+" is not a multiple of the unit "+r.written(t.Unit),
			"write a multiple of unit, or remove the line")
		return
	}
	c.when(t.Min%step != 0, "table.min", "the minimum "+r.written(t.Min)+" is not a multiple of the step "+
		r.written(step),
		"write a multiple of step")
	c.when(t.BoxMax%step != 0, "table.box_max", "the box maximum "+r.written(t.BoxMax)+
		" is not a multiple of the step "+
		r.written(step), "write a multiple of step")
}

// checkForLess looks at what may be laid to double for less: stakes in steps, so that all of it can be paid.
func (r *Rules) checkForLess(c *Complaints) {
	if r.Double.ForLess == nil {
		return
	}
	c.when(!r.Double.Allowed, "double.for_less", "no stake may be doubled", "write allowed: true, or remove the line")
	least, step := r.Double.ForLess.in(r.Table), r.Step()
	c.when(least < 1 || step > 0 && least%step != 0, "double.for_less", "the least "+r.written(least)+
		" is not a multiple of the step "+r.written(step)+" of stakes", "write a multiple of it, or remove the line")
}

func (r *Rules) checkPlay(c *Complaints) {
	c.when(r.Cards.Decks < 1 || r.Cards.Decks > MaxDecks, "cards.decks", strconv.Itoa(r.Cards.Decks)+
		" decks do not fit a shoe", "write 1 to "+strconv.Itoa(MaxDecks))
	c.when(r.Cards.Jokers < 0 || r.Cards.Jokers > r.Cards.Decks, "cards.jokers", strconv.Itoa(r.Cards.Jokers)+" Jokers",
		"write 0 to the number of decks")
	c.when(r.Split.Max < Unlimited, "split.max", strconv.Itoa(r.Split.Max)+" splits",
		"write 0 or more, or -1 for no limit")
	r.checkSurrender(c)
	r.checkHole(c)
	r.checkForced(c)
	r.ManyCards.check(c)
	c.when(r.Double.Cards() < 2 || r.Double.Cards() > 21, "double.most_cards", strconv.Itoa(r.Double.Cards())+
		" cards are not what is doubled on", "write 2 to 21, or remove the line")
	for i, total := range r.Double.On {
		c.when(total < 4 || total > 21, at("double.on", i), "two cards never total "+strconv.Itoa(total),
			"write totals from 4 to 21")
	}
	c.when(r.Play.KeysApart > MaxKeysApart, "play.keys_apart_ms", strconv.Itoa(r.Play.KeysApart)+
		" ms is longer than a dealer takes for two calls", "write 0 to "+strconv.Itoa(MaxKeysApart))
}

// checkWays requires choices that can be carried out, and one that remains when there is
// no round to void.
func (r *Rules) checkWays(c *Complaints) {
	for code := range irregularity.EveryCode {
		can, ways := irregularity.Possible(code), r.ways[code]
		path := "irregularities." + code.String()
		for choice := range ways.All {
			c.when(!can.Has(choice), path, choice.String()+" does not put it right", "its choices are "+
				irregularity.Ways{Choices: can}.String())
		}
		only := ways.Without(irregularity.VoidRound) == irregularity.Choices{}
		c.when(only && ways.Has(irregularity.VoidRound), path,
			"void-round alone would leave no choice between two rounds", "add another choice")
	}
}

func (r *Rules) checkBlackJames(c *Complaints) {
	const where = "is not played in Black James"
	c.when(r.Double.Allowed, "double.allowed", "doubling "+where, "write false")
	c.when(r.Split.Max != 0, "split.max", "splitting "+where, "write 0")
	c.when(r.Insurance.Offered || r.Insurance.EvenMoney, "insurance", "insurance "+where,
		"write false for offered and even_money")
	c.when(r.Surrender, "surrender", "surrender "+where, "write false")
	c.when(r.ThreeSevens.Paid, "three_sevens.paid", "the bonus for three sevens "+where, "write false")
	c.when(r.Cards.Jokers != 0, "cards.jokers", "a Joker "+where, "write 0")
	c.when(!r.Cards.HasTens(), "cards.tens", "a pack without tens "+where, "remove the line")
	c.when(r.Pays.BonusBlackJack != nil, "pays.bonus_black_jack", "the bonus Black Jack "+where, "remove it")
	c.when(len(r.SideBets) > 0, "side_bets", "a side bet "+where, "write []")
}

// checkLinked requires of a jackpot of several tables what one table alone need not say.
func (r *Rules) checkLinked(c *Complaints, j *Jackpot) {
	if j.Linked == nil {
		c.when(j.WhenAlone != nil, "jackpot.when_alone", "each table has a jackpot of its own",
			"write linked with its name")
		c.when(j.Reserve != nil, "jackpot.reserve", "each table has a jackpot of its own", "write linked with its name")
		return
	}
	c.when(!isHouseName(*j.Linked), "jackpot.linked", strconv.Quote(*j.Linked)+" is not a name for a jackpot",
		"write 1 to 32 characters of a-z, 0-9 and -, the first a letter")
	c.when(j.WhenAlone == nil, "jackpot.when_alone", "nobody says what a table does that does not hear the pit",
		"write last-known, reserve or closed")
	c.when((r.whenAlone() == Reserved) != (j.Reserve != nil && *j.Reserve > 0), "jackpot.reserve",
		"the reserve is for tables that pay it while they do not hear the pit",
		"write an amount with when_alone: reserve, and none otherwise")
	for i, bet := range r.SideBets {
		for k, line := range bet.Pays {
			c.when(line.Pays.Part.Den != 0, at(at("side_bets", i)+".pays", k)+".pays",
				"a part of a jackpot of several tables cannot be won", "write jackpot, an amount or odds")
		}
	}
}
