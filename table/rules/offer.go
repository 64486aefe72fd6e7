package rules

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Paytable is what the cards win of a side bet: what guests call it, and its definition, nil where nobody has one.
type Paytable struct {
	Title string
	Def   *sidebet.Def

	// at and wrong are the row that cannot be read, -1 for the bet, and why.
	at    int
	wrong error
}

// Own says whether the house itself defines the bet.
func (b *SideBet) Own() bool {
	return b.Title != "" || b.Cards != 0 || slices.ContainsFunc(b.Pays, func(l Line) bool { return !l.When.IsZero() })
}

// Define puts the house's own definition together.
func (b *SideBet) Define() {
	var rows []sidebet.Row
	for _, line := range b.Pays {
		rows = append(rows, sidebet.Row{Line: line.Line, When: line.When})
	}
	b.Paytable = Paytable{Title: b.Title}
	b.Paytable.Def, b.Paytable.at, b.Paytable.wrong = sidebet.Define(b.Cards, rows)
}

// Offer is a side bet as a table offers it, in minor units.
type Offer struct {
	*sidebet.Def
	Bet               sidebet.Bet
	Title             string
	Least, Most, Step money.Amount
	// BoxMost limits the stakes of all bettors on a box together; 0 is no limit.
	BoxMost      money.Amount
	Bettors      Bettors
	OnePerBettor bool
	// UpToStake: nobody bets more than the own main stake on the box.
	UpToStake bool
	// PayAtOnce and TakeAtOnce say whether chips are moved as soon as the bet is decided.
	PayAtOnce, TakeAtOnce bool

	pays []Line
	// meter says that a line pays the jackpot, or a part of it.
	meter bool
}

// Offer returns a side bet's limits and prizes, or nil if it is not offered.
func (r *Rules) Offer(b sidebet.Bet) *Offer {
	for _, o := range r.offers {
		if o.Bet == b {
			return o
		}
	}
	return nil
}

// Offers returns the side bets that the house offers, in its order.
func (r *Rules) Offers() []*Offer { return r.offers }

// Prize returns what a line pays; the zero Prize means that the house does not have the
// line.
func (o *Offer) Prize(l sidebet.Line) Prize {
	for i := range o.pays {
		if o.pays[i].Line == l {
			return o.pays[i].Pays
		}
	}
	return Prize{}
}

// Jackpot says whether the bet plays for the jackpot, and feeds it.
func (o *Offer) Jackpot() bool { return o.meter }

// At says whether the bet can be decided at a moment: all that are for the jackpot are decided together.
func (o *Offer) At(m sidebet.Moment) bool {
	switch {
	case o.meter && m == sidebet.BankSecond:
		return false
	case o.meter && m == sidebet.EveryBox:
		return true
	}
	return o.Def.At(m)
}

// Bank returns how many cards the bank must have for the bet to be decided.
func (o *Offer) Bank() int {
	if o.meter {
		return max(2, o.Def.Bank())
	}
	return o.Def.Bank()
}

// Decide returns the line that the bet wins at a moment, "" for none; false while it is not decided.
func (o *Offer) Decide(c sidebet.Cards, m sidebet.Moment) (line sidebet.Line, decided bool) {
	line, decided = o.Judge(c)
	if o.meter && m != sidebet.EveryBox && o.Prize(line).Jackpot {
		return "", false
	}
	return line, decided
}

// offer computes the side bets' limits from the table's own.
func (r *Rules) offer() {
	if r.Table.Unit < 1 {
		return // Check says so
	}
	r.offers = nil
	for i := range r.SideBets {
		bet := &r.SideBets[i]
		o := &Offer{
			Def: bet.Paytable.Def, Bet: bet.Bet, Title: bet.Paytable.Title, Bettors: bet.Bettors,
			OnePerBettor: bet.OnePerBettor, PayAtOnce: bet.PayAtOnce, TakeAtOnce: bet.TakeAtOnce,
			Least: bet.Least.in(r.Table), Most: bet.Most.in(r.Table), Step: bet.Step.in(r.Table),
			UpToStake: bet.UpToStake != nil && *bet.UpToStake, pays: bet.Pays,
		}
		if bet.BoxMost != nil {
			o.BoxMost = bet.BoxMost.in(r.Table)
		}
		o.meter = slices.ContainsFunc(bet.Pays, func(l Line) bool { return l.Pays.Jackpot })
		r.offers = append(r.offers, o)
	}
}

func (r *Rules) checkSideBet(c *Complaints, i int) {
	bet := r.SideBets[i]
	path := at("side_bets", i)
	for _, earlier := range r.SideBets[:i] {
		c.when(earlier.Bet == bet.Bet, path+".bet", bet.Bet.String()+" is listed twice", "leave one of them out")
	}
	c.when(bet.UpToStake != nil && *bet.UpToStake && bet.Bettors == Anybody, path+".up_to_stake",
		"who has no main stake could bet nothing", "write bettors: with-stake, or leave up_to_stake out")
	if !r.checkDefinition(c, &bet, path) {
		return
	}
	r.checkPaytable(c, bet, path)
	r.checkMeter(c, i, path)
}

// mostTitle is what of a wager's name fits the character display.
const mostTitle = 18

// checkDefinition requires a bet that every house knows, or all that a bet of the house's own needs.
func (r *Rules) checkDefinition(c *Complaints, bet *SideBet, path string) (defined bool) {
	if !bet.Own() {
		known := bet.Paytable.Def != nil
		c.when(!known, path+".bet", strconv.Quote(bet.Bet.String())+" is not a side bet that every house knows",
			"write "+plaintext.Names(sidebet.Bets)+"; or add title and cards, and to each line when it wins")
		return known
	}
	before := len(*c)
	c.when(bet.Bet.Known(), path+".bet",
		bet.Bet.String()+" is a bet that every house knows, and means the same everywhere",
		"give the house's own bet another name, or leave title, cards and when out")
	c.when(bet.Title == "", path+".title", "is missing", "write what guests call the bet")
	c.when(len([]rune(bet.Title)) > mostTitle, path+".title", "the title is too long for the character display",
		"write at most "+strconv.Itoa(mostTitle)+" characters")
	for k, line := range bet.Pays {
		c.when(line.When.IsZero() && line.Line != "", at(path+".pays", k)+".when", "is missing",
			"write which cards win the line")
	}
	if len(*c) > before {
		return false
	}
	if wrong := bet.Paytable.wrong; wrong != nil {
		where := path + ".cards"
		if row := bet.Paytable.at; row >= 0 {
			where = at(path+".pays", row) + ".when"
		}
		c.when(true, where, wrong.Error(), "docs/houses.md has the language")
	}
	return len(*c) == before
}

// checkMeter requires that the parts of the jackpot are no more than all of it, and that one bet alone plays for it.
func (r *Rules) checkMeter(c *Complaints, i int, path string) {
	o := r.offers[:min(i+1, len(r.offers))]
	late := r.SideBets[i].Paytable.Def
	c.when(len(o) > i && o[i].meter && (late.ByPlay() || late.Needs()&sidebet.BankHand != 0), path+".pays",
		"the jackpot is decided with the bank's second card, and this bet later",
		"let a bet on the first cards play for it")
	left := money.Ratio{Num: 1, Den: 1}
	for k, line := range r.SideBets[i].Pays {
		part := line.Pays.Part
		if part.Den == 0 {
			continue
		}
		left = money.Ratio{Num: left.Num*part.Den - part.Num*left.Den, Den: left.Den * part.Den}
		c.when(left.Num < 0, at(path+".pays", k)+".pays", "the parts of the jackpot are more than all of it",
			"write smaller parts")
	}
	for k, earlier := range r.offers[:min(i, len(r.offers))] {
		c.when(earlier.meter && r.offers[i].meter, path+".pays", "the jackpot is for "+
			r.SideBets[k].Bet.String()+" alone",
			"let one bet play for it")
	}
}

// checkOffer looks for limits that allow no stake.
func (r *Rules) checkOffer(c *Complaints, o *Offer, path string) {
	least, most := r.written(o.Least), r.written(o.Most)
	c.when(o.Most < o.Least, path+".most", "the most, "+most+", is below the least, "+least+": nothing could be staked",
		"raise most or lower least")
	c.when(o.meter && o.Most != o.Least, path+".most",
		"a bet on the jackpot feeds it by its stake, which must be known",
		"write the same for least and most")
	c.when(o.Least < 1, path+".least", "the least is nothing at this table's limits", "write a positive amount")
	c.when(o.BoxMost != 0 && o.BoxMost < o.Least, path+".box_most", "the box's most is below the least of one bettor",
		"raise box_most or lower least")
	if o.Step < 1 {
		c.when(true, path+".step", "the step is nothing at this table's limits", "write a positive amount")
		return
	}
	lowest := (o.Least + o.Step - 1) / o.Step * o.Step
	c.when(o.Most >= o.Least && lowest > o.Most, path+".step", "no multiple of the step "+r.written(o.Step)+
		" lies between "+least+" and "+most+": nothing could be staked", "change one of the three")
}

// checkPaytable requires every line of a bet exactly once, with a prize that exists. One with the Joker cannot come
// where there is none, since every Joker is foreign there; any other can, if only by a foreign card that is accepted.
func (r *Rules) checkPaytable(c *Complaints, bet SideBet, path string) {
	lines := bet.Paytable.Def.Lines()
	missing := slices.Clone(lines)
	for k, line := range bet.Pays {
		if line.Line == "" {
			continue // not the name of a line
		}
		at := at(path+".pays", k)
		known := slices.Contains(lines, line.Line)
		c.when(!known, at+".line", bet.Bet.String()+" has no line "+line.Line.String(), "its lines are "+
			plaintext.Names(lines))
		place := slices.Index(missing, line.Line)
		c.when(known && place < 0, at+".line", "the line "+line.Line.String()+" is listed twice",
			"leave one of them out")
		if place >= 0 {
			missing = slices.Delete(missing, place, place+1)
		}
		isJackpot := line.Line == sidebet.Jackpot
		c.when(line.Pays.Jackpot && !isJackpot && slices.Contains(lines, sidebet.Jackpot), at+".pays",
			"only the line jackpot pays the jackpot", "write odds or an amount")
		c.when((!line.Pays.Jackpot || line.Pays.Part.Den != 0) && isJackpot, at+".pays",
			"the line jackpot pays the jackpot and nothing else",
			"write jackpot")
		c.when(line.Pays.Jackpot && r.Jackpot == nil, at+".pays", "the house has no jackpot",
			"add the section jackpot with seed, feeds and envy")
	}
	if r.Cards.Jokers == 0 {
		missing = slices.DeleteFunc(missing, bet.Paytable.Def.Joker)
	}
	c.when(len(missing) > 0, path+".bet", "the paytable of "+bet.Bet.String()+" lacks "+plaintext.Names(missing),
		"add what each pays")
}
