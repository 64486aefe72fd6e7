package rulebook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Example is a wager that was dealt and decided by the engine, at the table's own limits.
// Amounts are in minor units.
type Example struct {
	Wager vocab.Wager
	// Box and Bank are the cards that were dealt.
	Box, Bank            []card.Card
	Stake, Returned, Won int64
}

// scene is a round that shows a rule: what comes to box and bank, what the box calls, and
// whose outcome is looked for.
type scene struct {
	wager     vocab.Wager
	box, bank []card.Card
	calls     []vocab.Call
	// against is what is taken against the bank's ace.
	against vocab.Call
	// kind and why are what the outcome must be; why 0 is any.
	kind vocab.Kind
	why  vocab.Why
}

// mainScenes show what the main game pays, by the path of the rule. Of two, the one that the
// house's game can play is taken.
var mainScenes = map[string][]scene{
	"pays.win": {
		{box: cards("TS 9H"), bank: cards("8D TC"), why: vocab.WhyHigherTotal},
		{box: cards("2S 9H"), calls: []vocab.Call{vocab.CallHigher}, bank: cards("7D 6D"), why: vocab.WhyPoints},
	},
	"pays.black_jack": {
		{box: cards("AS KH"), bank: cards("8D"), why: vocab.WhyBlackJack},
		{box: cards("AS KH"), calls: []vocab.Call{vocab.CallLower}, bank: cards("7D"), why: vocab.WhyBlackJack},
	},
	"pays.black_jack_suited": {{box: cards("AS KS"), bank: cards("8D"), why: vocab.WhyBlackJack}},
	"pays.even_money": {{
		box: cards("AS KH"), bank: cards("AD"), against: vocab.CallEvenMoney,
		why: vocab.WhyEvenMoney,
	}},
	"pays.insurance": {{
		wager: vocab.WagerInsurance, box: cards("TS 9H"), bank: cards("AD KC"),
		against: vocab.CallInsurance,
	}},
	"pays.three_sevens": {
		{box: cards("7S 7H 7D"), calls: []vocab.Call{vocab.CallCard}, bank: cards("8D TC"), kind: vocab.Bonus},
	},
	"pays.bonus_black_jack": {{box: cards("JS AS"), bank: cards("8D"), why: vocab.WhyBonusBlackJack}},
	"pays.five_card_trick": {{
		box: cards("2S 3S 4S 5S 6S"), bank: cards("7D 6D"), why: vocab.WhyFiveCardTrick,
		calls: []vocab.Call{vocab.CallHigher, vocab.CallHigher, vocab.CallHigher, vocab.CallHigher},
	}},
	"many_cards.pays": {
		drawn("2S 3H 4D 5C 6S"), drawn("2S 3H 4D 5C 2H 4S"), drawn("2S 3H 4D 2C 2H 4S 3D"),
		drawn("2S 2H 2D 2C 3H 3S 3D 3C"),
	},
	"surrender": {{box: cards("TS 6H"), bank: cards("TD"), calls: []vocab.Call{vocab.CallSurrender}}},
}

// drawn is a box that takes cards until so many have won.
func drawn(text string) scene {
	s := scene{box: cards(text), bank: cards("TD"), why: vocab.WhyManyCards}
	s.calls = slices.Repeat([]vocab.Call{vocab.CallCard}, len(s.box)-2)
	return s
}

// cards reads cards in their notation.
func cards(text string) (list []card.Card) {
	for len(text) >= 2 {
		c, err := card.Parse(text[:2])
		if err != nil {
			panic(err) // a mistake in a scene
		}
		list, text = append(list, c), text[min(len(text), 3):]
	}
	return list
}

// examplesOf deals an example of each rule that pays, by its path. A rule that this table cannot
// show, such as one whose cards its packs do not have, has none.
func examplesOf(set *rules.Rules) map[string]*Example {
	found := map[string]*Example{}
	for path, scenes := range mainScenes {
		for _, one := range scenes {
			if found[path] == nil {
				found[path] = one.deal(set)
			}
		}
	}
	for i := range set.SideBets {
		bet := &set.SideBets[i]
		for line, example := range winning(set, bet) {
			at := slices.IndexFunc(bet.Pays, func(l rules.Line) bool { return l.Line == line })
			found[fmt.Sprintf("side_bets[%d].pays[%d].pays", i, at)] = example
		}
	}
	return found
}

// tries are how many rounds are dealt at most to find one for each line of a side bet, and looks how many cards are
// looked at.
const (
	tries = 2000
	looks = 1_000_000
)

// winning finds, for each line that a house pays, cards that win it.
func winning(set *rules.Rules, bet *rules.SideBet) map[sidebet.Line]*Example {
	found := map[sidebet.Line]*Example{}
	o, left, looked := set.Offer(bet.Bet), tries, 0
	for c := range hands(o, set.Cards.Jokers > 0) {
		if looked++; len(found) == len(bet.Pays) || left == 0 || looked > looks {
			break
		}
		line, decided := o.Judge(c)
		pays := func(l rules.Line) bool { return l.Line == line }
		if line == "" || !decided || found[line] != nil || !slices.ContainsFunc(bet.Pays, pays) {
			continue
		}
		left--
		if example := sceneOf(o, &c, line).deal(set); example != nil {
			found[line] = example
		}
	}
	return found
}

// sceneOf is a round with the cards that win a line.
func sceneOf(o *rules.Offer, c *sidebet.Cards, line sidebet.Line) scene {
	s := scene{
		wager: vocab.SideWager(o.Bet), box: []card.Card{c.First, c.Second}, bank: []card.Card{c.Bank},
		why: vocab.WhyLine(line),
	}
	if c.BankSecond != card.None {
		s.bank = append(s.bank, c.BankSecond)
	}
	if o.Needs()&sidebet.BankHand != 0 {
		s.bank = slices.Clone(c.BankHand)
	}
	if o.Needs()&sidebet.Hand != 0 {
		s.box = slices.Clone(c.Hand)
		for range c.Hand[2:] {
			s.calls = append(s.calls, vocab.CallCard)
		}
	}
	if c.Joker {
		s.box = slices.Insert(s.box, 1, card.Joker)
	}
	return s
}

// deck are the cards that are tried, those that guests notice first.
var deck = func() (list []card.Card) {
	for _, rank := range []card.Rank{card.King, card.Queen, card.Jack, card.Ace, 10, 9, 8, 6, 7, 5, 4, 3, 2} {
		for suit := range card.Suit(4) {
			list = append(list, card.Of(rank, suit))
		}
	}
	return list
}()

// someOfEach cuts the deck to a few cards of each kind that a bet tells apart.
func someOfEach(kinds []sidebet.Kind, few int) (list []card.Card) {
	seen := map[card.Card]int{}
	for _, c := range deck {
		at := kindOf(kinds, c)
		if seen[kinds[at].Card]++; seen[kinds[at].Card] <= few {
			list = append(list, c)
		}
	}
	return list
}

// ofAKind is how many cards of a kind are tried: so many can lie at once where a bet looks.
const ofAKind = 4

// hands yields the first cards of box and bank, as far as a bet looks at them. Of what comes
// later it takes the best.
func hands(o *rules.Offer, joker bool) func(yield func(sidebet.Cards) bool) {
	at := o.Needs()
	cards := someOfEach(o.Kinds(at&^(sidebet.Hand|sidebet.BankHand)), ofAKind)
	if at&sidebet.Hand != 0 {
		cards = ofEachValue(o.Kinds(sidebet.Hand))
	}
	banks := cards
	if at&sidebet.Up == 0 { // one is like any other
		banks = cards[:1]
	}
	return func(yield func(sidebet.Cards) bool) {
		each := func(c sidebet.Cards) bool {
			if c.Joker = false; !endings(o, c, yield) {
				return false
			}
			c.Joker = true
			return !joker || endings(o, c, yield)
		}
		for _, first := range cards {
			for _, second := range cards {
				for _, bank := range banks {
					c := sidebet.Cards{First: first, Second: second, Bank: bank, Hands: sidebet.HandsKept}
					if _, decided := o.Judge(c); decided || at&sidebet.Down == 0 {
						if !each(c) {
							return
						}
						continue
					}
					for _, c.BankSecond = range cards {
						if !each(c) {
							return
						}
					}
				}
			}
		}
	}
}

// endings yields the hands with which box and bank can end, where the bet looks at them.
func endings(o *rules.Offer, c sidebet.Cards, yield func(sidebet.Cards) bool) bool {
	at := o.Needs()
	switch {
	case at&sidebet.BankHand != 0:
		kinds := ordered(o.Kinds(sidebet.BankHand))
		return sidebet.EachBankHand(kinds, func(cards []card.Card) bool {
			c.BankHand = cards
			return yield(c)
		})
	case at&sidebet.Hand != 0:
		return eachHand([]card.Card{c.First, c.Second}, ofEachValue(o.Kinds(sidebet.Hand)),
			func(cards []card.Card) bool {
				c.Hand = cards
				return yield(c)
			})
	}
	return yield(c)
}

// ofEachValue cuts the deck to one card of each value and kind: what a hand counts decides whether it may be drawn to.
func ofEachValue(kinds []sidebet.Kind) (list []card.Card) {
	for _, c := range deck {
		alike := func(other card.Card) bool {
			return hand.Points(other.Rank()) == hand.Points(c.Rank()) && kindOf(kinds, other) == kindOf(kinds, c)
		}
		if !slices.ContainsFunc(list, alike) {
			list = append(list, c)
		}
	}
	return list
}

// kindOf is which of the kinds a card is of.
func kindOf(kinds []sidebet.Kind, c card.Card) int {
	return slices.IndexFunc(kinds, func(k sidebet.Kind) bool { return slices.Contains(k.Cards, c) })
}

// ordered are kinds of cards with those first that guests notice.
func ordered(kinds []sidebet.Kind) (list []sidebet.Kind) {
	for _, c := range someOfEach(kinds, 1) {
		list = append(list, sidebet.Kind{Card: c})
	}
	return list
}

// eachHand yields a hand, and all that can be drawn to it.
func eachHand(drawn, cards []card.Card, yield func([]card.Card) bool) bool {
	if !yield(drawn) {
		return false
	}
	total := hand.Of(drawn).Total()
	for _, c := range cards {
		if total < 20 && !eachHand(append(slices.Clone(drawn), c), cards, yield) {
			return false
		}
	}
	return true
}

// The guest of an example, and the one beside him where nobody may play alone.
const guest, other = "a", "b"

// most is how many inputs an example takes at most.
const most = 60

// fillers come to the bank, and to the other box, once the scene's cards have come.
var fillers = cards("TC 9C 8S TD 9D 8H TH 9S")

// dealing is a scene while it is dealt.
type dealing struct {
	scene
	table table.Table
	rules *rules.Rules
	at    int64
	down  card.Card // the bank's that lies face down
	found *Example
}

// deal plays the scene, nil where the table does not play it, or where it comes out otherwise.
func (s scene) deal(set *rules.Rules) *Example {
	if s.wager == "" {
		s.wager = vocab.WagerMain
	}
	if s.kind == 0 {
		s.kind = vocab.Settled
	}
	set = set.WithoutBurning()
	d := dealing{scene: s, rules: set}
	d.box, d.bank, d.calls = slices.Clone(s.box), slices.Clone(s.bank), slices.Clone(s.calls)
	d.putInput(vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: set.House}, Rules: set})
	d.putInput(vocab.Input{Kind: vocab.InOpen})
	stake := d.stakes()
	d.putInput(vocab.Input{Kind: vocab.InClose})
	for range most {
		if d.found != nil || d.table.Rejected() != 0 || !d.next(stake) {
			break
		}
	}
	if d.found != nil {
		d.found.Box, d.found.Bank = s.box, slices.Clone(d.table.Bank().Cards)
	}
	return d.found
}

// stakes places what the scene is about, and returns the main stake.
func (d *dealing) stakes() int64 {
	limits := d.rules.Table
	stake := min(2*limits.Min, limits.BoxMax)
	place := func(box int, bettor string, wager vocab.Wager, amount int64) {
		d.putInput(vocab.Input{
			Kind: vocab.InStake, Box: box, Bettor: bettor, Wager: wager, Amount: amount,
			Stated: true,
		})
	}
	place(1, guest, vocab.WagerMain, stake)
	if bet, side := d.wager.Side(); side {
		o := d.rules.Offer(bet)
		if o == nil {
			return stake
		}
		place(1, guest, d.wager, example(o, limits.Min))
	}
	if d.rules.Play.LoneTwoBoxes {
		place(2, other, vocab.WagerMain, stake)
	}
	return stake
}

// example is a stake on a side bet: the table's minimum, where that may be staked.
func example(o *rules.Offer, minimum int64) int64 {
	return min(max(o.Least, minimum-minimum%o.Step), o.Most)
}

// next puts in what is due; false once nothing is.
func (d *dealing) next(stake int64) bool {
	switch due := d.table.Due(); due.To {
	case vocab.ToBox:
		from := &d.box
		if due.Box != 1 {
			from = &[]card.Card{}
		}
		d.draw(from)
	case vocab.ToBank:
		d.draw(&d.bank)
	case vocab.ToHole:
		d.down = d.from(&d.bank)
		d.putInput(vocab.Input{Kind: vocab.InCard, Card: card.Down})
	case vocab.ToLook, vocab.ToTurn:
		d.putInput(d.seen(due.To))
	case vocab.ToInsurance:
		in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed}
		if d.surrendersFirst() {
			in = vocab.Input{Kind: vocab.InCall, Call: vocab.CallSurrender, Box: 1, Bettor: guest}
		} else if d.against != 0 {
			in = vocab.Input{Kind: vocab.InCall, Call: d.against, Box: 1, Bettor: guest}
			if d.against == vocab.CallInsurance {
				in.Amount, in.Stated = stake/2-stake/2%d.rules.Table.Unit, true
			}
			d.against = 0
		}
		d.putInput(in)
	case vocab.ToCall:
		in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}
		if due.Box == 1 && len(d.calls) > 0 {
			in.Call, d.calls = d.calls[0], d.calls[1:]
			if in.Call == vocab.CallSurrender {
				in.Bettors = []string{guest}
			}
		}
		d.putInput(in)
	default:
		return false
	}
	return true
}

// surrendersFirst says whether the guest surrenders, and has to before the dealer looks.
func (d *dealing) surrendersFirst() bool {
	_, may := d.table.SurrenderOffered(1)
	return may && len(d.calls) > 0 && d.calls[0] == vocab.CallSurrender
}

// seen is what the dealer does with the card that lies face down.
func (d *dealing) seen(due vocab.To) vocab.Input {
	in := vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleNoBlackJack}
	switch {
	case due == vocab.ToTurn:
		in.Hole, in.Card = vocab.HoleTurned, d.down
	case hand.BlackJack([]card.Card{d.table.Bank().Cards[0], d.down}):
		in.Hole = vocab.HoleBlackJack
	}
	return in
}

// draw deals the next card of a list.
func (d *dealing) draw(list *[]card.Card) {
	d.putInput(vocab.Input{Kind: vocab.InCard, Card: d.from(list)})
}

// from takes the next card of a list, or one that fills in.
func (d *dealing) from(list *[]card.Card) card.Card {
	c := fillers[int(d.at)%len(fillers)]
	if len(*list) > 0 {
		c, *list = (*list)[0], (*list)[1:]
	}
	return c
}

// putInput puts an input in, a second after the last, and keeps what is looked for.
func (d *dealing) putInput(in vocab.Input) {
	d.at++
	in.Line, in.Time = uint64(d.at), d.at*1e9
	for _, out := range d.table.Step(&in) {
		fits := out.Kind == d.kind && out.Box == 1 && out.Wager == d.wager && out.Bettor == guest
		if fits && (d.why == "" || out.Why == d.why) {
			d.found = &Example{Wager: d.wager, Stake: out.Stake, Returned: out.Returned, Won: out.Won}
		}
	}
}
