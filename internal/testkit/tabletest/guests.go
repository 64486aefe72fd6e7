package tabletest

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var guests = [...]string{"anna", "ben", "chiara", "dario", "elif", "franz", "greta", "hugo", "ines"}

// stakes places one to three stakes on each box, the side bets if there are any,
// and closes the bets. Who must not play one box alone plays two.
func (p *Player) stakes(t *table.Table) []vocab.Input {
	boxes := p.Boxes
	if t.Rules().Play.LoneTwoBoxes {
		boxes = max(boxes, 2)
	}
	var plan []vocab.Input
	for box := 1; box <= min(boxes, t.Boxes()); box++ {
		for n := range p.guestsOnBox(t.Rules()) {
			name := guests[(box-1+n*3)%len(guests)]
			in := vocab.Input{
				Kind: vocab.InStake, Box: box, Bettor: name, Player: name,
				Wager: vocab.WagerMain, Amount: p.amount(t.Rules()), Stated: true,
			}
			if p.Freely {
				p.freely(&in)
			}
			plan = append(plan, in)
		}
	}
	if p.Freely {
		plan = append(plan, p.sideBets(t.Rules(), plan)...)
	}
	return append(plan, vocab.Input{Kind: vocab.InClose})
}

func (p *Player) guestsOnBox(r *rules.Rules) int {
	if p.Lone {
		return 1
	}
	guests := 1 + p.Dice.IntN(3)
	if most := r.MostBettors(); most != 0 {
		guests = min(guests, most)
	}
	return guests
}

// amount is a stake that lets three of its kind on a box. Not every one comes out
// even when a Black Jack is paid.
func (p *Player) amount(r *rules.Rules) int64 {
	limits := r.Table
	most := max(limits.BoxMax/3, limits.Min)
	stake := limits.Min * int64(1+p.Dice.IntN(int(min(10, most/limits.Min))))
	if odd := stake + r.Step(); odd <= most && p.oneIn(4) {
		return odd
	}
	return stake
}

// insurances lets a third of the guests insure, as far as even money does not go
// before, and ends the offer.
func (p *Player) insurances(t *table.Table) []vocab.Input {
	var plan []vocab.Input
	for box := 1; box <= t.Boxes(); box++ {
		for _, b := range t.Bettors(box) {
			if !p.oneIn(3) || b.EvenMoney {
				continue
			}
			if in, may := insures(t, box, b); may {
				plan = append(plan, in)
			}
		}
	}
	return append(plan, vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
}

// insures is even money where a Black Jack may have it, else the most that the
// bettor may insure; false where there is neither.
func insures(t *table.Table, box int, b table.Bettor) (vocab.Input, bool) {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsurance, Box: box, Bettor: b.Name}
	rule, cards := t.Rules().Insurance, t.Hand(box, 1).Cards
	switch blackJack := hand.BlackJack(cards); {
	case blackJack && t.Rules().Pays.BonusBlackJack != nil && isBonus(cards):
		return in, false // it is paid already
	case blackJack && rule.EvenMoney && b.Insured == 0:
		in.Call = vocab.CallEvenMoney
		return in, true
	case !rule.Offered || blackJack && !rule.BlackJack:
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

// payments pays everything at once, or box by box with the sum that is due.
func (p *Player) payments(t *table.Table) []vocab.Input {
	if !p.oneIn(4) {
		return []vocab.Input{{Kind: vocab.InPaid}}
	}
	var plan []vocab.Input
	for box := 1; box <= t.Boxes(); box++ {
		if len(t.Bettors(box)) > 0 && !t.Paid(box) {
			plan = append(plan, vocab.Input{Kind: vocab.InPaid, Box: box, Amount: LeftToPay(t, box), Stated: true})
		}
	}
	if len(plan) == 0 {
		return []vocab.Input{{Kind: vocab.InPaid}}
	}
	return plan
}

// decide makes the holder's call for the hand that is due, and lets a guest
// surrender now and then. Three quarters of the co-players join a double or a
// split.
func (p *Player) decide(t *table.Table, due vocab.Due) vocab.Input {
	h := t.Hand(int(due.Box), int(due.Hand))
	in := vocab.Input{Kind: vocab.InCall}
	switch {
	case due.Allowed.Has(vocab.CallHigher):
		in.Call = p.forecast(h)
		return in
	case due.Allowed.Has(vocab.CallSurrender) && p.oneIn(8):
		in.Call = vocab.CallSurrender
		in.Bettors = p.some(stillIn(t, due))
		return in
	}
	in.Call = Basic(h, t.Bank().Cards[0], due.Allowed)
	if p.Freely && p.oneIn(6) {
		in.Call = p.anyOf(due.Allowed)
	}
	switch in.Call {
	case vocab.CallCard:
		if t.Rules().Play.Calls == rules.CallsImplied && p.oneIn(2) {
			return p.card(t)
		}
	case vocab.CallDouble, vocab.CallSplit:
		all := stillIn(t, due)
		if join := p.some(all); len(join) < len(all) {
			in.Bettors = join
		}
	}
	return in
}

// anyOf is one of the calls that are allowed, but for a surrender.
func (p *Player) anyOf(allowed vocab.Calls) vocab.Call {
	var list []vocab.Call
	for c := range allowed.All {
		if c != vocab.CallSurrender {
			list = append(list, c)
		}
	}
	return list[p.Dice.IntN(len(list))]
}

// some are the first of the names and three quarters of the others.
func (p *Player) some(names []string) []string {
	var some []string
	for _, name := range names {
		if len(some) == 0 || !p.oneIn(4) {
			some = append(some, name)
		}
	}
	return some
}

// stillIn are the bettors of the hand that is due who have not surrendered, the
// holder first.
func stillIn(t *table.Table, due vocab.Due) []string {
	var names []string
	for name := range t.Stakes(int(due.Box), int(due.Hand)) {
		left := func(out vocab.Output) bool {
			return out.Outcome == vocab.Surrendered && out.Box == due.Box && out.Bettor == name
		}
		if !slices.ContainsFunc(t.Decided(), left) {
			names = append(names, name)
		}
	}
	return names
}

// forecast is the likelier of higher and lower, or rest with some points.
func (p *Player) forecast(h table.Hand) vocab.Call {
	height := h.Cards[len(h.Cards)-1].Rank().Height()
	switch {
	case h.Total >= 3 && height >= 6 && height <= 10 || p.oneIn(8):
		return vocab.CallRest
	case height <= 8:
		return vocab.CallHigher
	default:
		return vocab.CallLower
	}
}

// Basic is a sensible call for a hand against the bank's first card, out of those
// that are allowed.
func Basic(h table.Hand, up card.Card, allowed vocab.Calls) vocab.Call {
	against := hand.Points(up.Rank())
	if up.Rank() == card.Ace {
		against = 11
	}
	switch total := h.Total; {
	case allowed.Has(vocab.CallSplit) && splits(hand.Points(h.Cards[0].Rank()), against):
		return vocab.CallSplit
	case allowed.Has(vocab.CallDouble) && doubles(total, against):
		return vocab.CallDouble
	case allowed.Has(vocab.CallCard) && draws(total, h.Soft, against):
		return vocab.CallCard
	}
	return vocab.CallRest
}

func splits(points, against int) bool {
	switch points {
	case 1, 8:
		return true
	case 2, 3, 7:
		return against <= 7
	case 6:
		return against <= 6
	case 9:
		return !slices.Contains([]int{7, 10, 11}, against)
	}
	return false
}

func doubles(total, against int) bool {
	switch total {
	case 9:
		return against >= 3 && against <= 6
	case 10, 11:
		return against < total
	}
	return false
}

func draws(total int, soft bool, against int) bool {
	switch {
	case soft:
		return total <= 17 || total == 18 && against >= 9
	case total <= 11:
		return true
	case total == 12:
		return against < 4 || against > 6
	default:
		return total <= 16 && against >= 7
	}
}
