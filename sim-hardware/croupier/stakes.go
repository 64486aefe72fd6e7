package croupier

import (
	"cmp"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// People are guests who may play on several boxes.
var People = [...]string{"anna", "ben", "chiara", "dario", "elif", "franz", "greta", "hugo", "ines"}

// stakes places stakes on the boxes that are played, the side bets if there are any, and closes the bets. Who must not
// play one box alone plays two, if the table has them.
func (c *Croupier) stakes(t Table) []vocab.Input {
	r := t.Rules()
	var plan []vocab.Input
	for _, box := range c.played(t) {
		for nth := range c.guestsOnBox(r, t.Boxes()) {
			in := vocab.Input{
				Kind: vocab.InStake, Box: box, Wager: vocab.WagerMain, Amount: c.amount(r), Stated: true,
			}
			in.Bettor, in.Player = c.named(box, nth)
			c.sits(&in, nth)
			plan = append(plan, in)
		}
	}
	if c.Sides || c.Freely {
		plan = append(plan, c.sideBets(r, plan)...)
	}
	for i := range plan {
		if c.Marks {
			plan[i].Amount, plan[i].Stated = 0, false
		}
	}
	return append(plan, vocab.Input{Kind: vocab.InClose})
}

// played are the boxes on which somebody stakes.
func (c *Croupier) played(t Table) (boxes []int) {
	all, want := t.Boxes(), c.Boxes
	if c.Some && want == 0 {
		want = 2*all/3 + c.Dice.IntN(3) - 1
	}
	if c.Some {
		want = max(want, 1)
	}
	if t.Rules().Play.LoneTwoBoxes {
		want = max(want, 2)
	}
	want = min(want, all)
	for box := 1; box <= all && len(boxes) < want; box++ {
		if !c.Some || c.Dice.IntN(all-box+1) < want-len(boxes) {
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// guestsOnBox is how many stake on a box: fewer than Most where the house or the box has no room for them, and two on a
// table's only box where nobody may play alone.
func (c *Croupier) guestsOnBox(r *rules.Rules, boxes int) int {
	least, most := 1, cmp.Or(c.Most, 3)
	if few := r.MostBettors(); few != 0 {
		most = min(most, few)
	}
	if c.Some {
		most = min(most, max(1, int(r.Table.BoxMax/r.Table.Min)))
	}
	if boxes == 1 && r.Play.LoneTwoBoxes {
		least = 2
	}
	if c.Most == 1 {
		return least
	}
	guests := 1 + c.Dice.IntN(3)
	if c.Some && c.Most == 0 {
		guests += c.Dice.IntN(3) - 2
	}
	return max(least, min(guests, most))
}

// amount is a stake that lets three of its kind on a box. Not every one comes out even when a Black Jack is paid.
func (c *Croupier) amount(r *rules.Rules) int64 {
	limits := r.Table
	most := max(limits.BoxMax/3, limits.Min)
	stake := limits.Min * int64(1+c.Dice.IntN(int(min(10, most/limits.Min))))
	if odd := stake + r.Step(); odd <= most && c.oneIn(4) {
		return odd
	}
	return stake
}

// named is who the nth guest on a box is, and which person.
func (c *Croupier) named(box, nth int) (bettor, player string) {
	if c.Name != nil {
		return c.Name(box, nth), ""
	}
	name := People[(box-1+nth*3)%len(People)]
	return name, name
}

// sits says where a guest sits, and freely leaves an amount out.
func (c *Croupier) sits(in *vocab.Input, nth int) {
	switch {
	case c.Freely:
		in.Seat = vocab.Seat(c.Dice.IntN(3))
		if c.oneIn(8) {
			in.Amount, in.Stated = 0, false
		}
	case c.Some && nth > 0 && c.oneIn(2):
		in.Seat = vocab.Seated
	}
}

// insurances lets a third of the guests insure, as far as even money does not go before, and ends the offer.
func (c *Croupier) insurances(t Table) []vocab.Input {
	var plan []vocab.Input
	for box := 1; box <= t.Boxes(); box++ {
		for _, b := range t.Bettors(box) {
			if !c.oneIn(3) || b.EvenMoney {
				continue
			}
			if in, may := insures(t, box, b); may {
				plan = append(plan, in)
			}
		}
		plan = c.leave(t, box, plan)
	}
	return append(plan, vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
}

// leave lets the bettors of a box surrender who do so before the dealer looks: if the textbook says so, the holder and
// three quarters of the others.
func (c *Croupier) leave(t Table, box int, plan []vocab.Input) []vocab.Input {
	var names []string
	for _, b := range t.Bettors(box) {
		names = append(names, b.Name)
	}
	if len(names) == 0 || !c.leaves(t, t.Hand(box, 1)) {
		return plan
	}
	for _, name := range c.some(names) {
		plan = append(plan, vocab.Input{Kind: vocab.InCall, Call: vocab.CallSurrender, Box: box, Bettor: name})
	}
	return plan
}

// leaves says whether the textbook gives up a hand that may be given up before the dealer looks.
func (c *Croupier) leaves(t Table, h table.Hand) bool {
	r, up := t.Rules(), t.Bank().Cards[0]
	may := r.OffersSurrender(up.Rank()) && len(h.Cards) == 2 && !hand.BlackJack(h.Cards) &&
		r.MaySurrender(h.Total, h.Soft, false, up.Rank() == card.Ace)
	among := vocab.Calls(0).With(vocab.CallRest).With(vocab.CallCard).With(vocab.CallSurrender)
	return may && c.plays()(h, up, among) == vocab.CallSurrender
}

// insures is even money where a Black Jack may have it, else the most that the bettor may insure; false where there is
// neither.
func insures(t Table, box int, b table.Bettor) (vocab.Input, bool) {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsurance, Box: box, Bettor: b.Name}
	rule, cards := t.Rules().Insurance, t.Hand(box, 1).Cards
	switch blackJack := hand.BlackJack(cards); {
	case blackJack && t.Rules().Pays.BonusBlackJack != nil && isBonus(cards):
		return in, false // it is paid already
	case blackJack && rule.EvenMoney && b.Insured == 0 && t.Bank().Cards[0].Rank() == card.Ace:
		in.Call = vocab.CallEvenMoney
		return in, true
	case !rule.Against(t.Bank().Cards[0].Rank()) || blackJack && !rule.BlackJack:
		return in, false
	}
	if b.Stake != vocab.Unstated {
		unit := t.Rules().Table.Unit
		in.Amount, in.Stated = b.Stake/2/unit*unit, true
	}
	return in, true
}

// isBonus says whether a Black Jack is jack and ace of spades.
func isBonus(cards []card.Card) bool {
	jack, ace := card.Of(card.Jack, card.Spades), card.Of(card.Ace, card.Spades)
	return slices.Contains(cards, jack) && slices.Contains(cards, ace)
}

// Cards are all that a house's shoe holds, pack by pack, the Jokers last.
func Cards(of rules.Cards) (all []card.Card) {
	for range of.Decks {
		for c := range card.All {
			if of.Of(c) > 0 {
				all = append(all, c)
			}
		}
	}
	for range of.Jokers {
		all = append(all, card.Joker)
	}
	return all
}
