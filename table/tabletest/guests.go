package tabletest

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
)

var guests = [...]string{"anna", "ben", "chiara", "dario", "elif", "franz", "greta", "hugo", "ines"}

// stakes places one to three stakes on each box and closes the bets.
func (p *Player) stakes(t *table.Table) []table.Input {
	var plan []table.Input
	for box := 1; box <= min(p.Boxes, t.Boxes()); box++ {
		for n := range 1 + p.Dice.IntN(3) {
			name := guests[(box-1+n*3)%len(guests)]
			plan = append(plan, table.Input{
				Kind: table.InStake, Box: box, Bettor: name, Player: name,
				Wager: table.WagerMain, Amount: p.amount(t.Rules().Table), Stated: true,
			})
		}
	}
	return append(plan, table.Input{Kind: table.InClose})
}

// amount is a stake that lets three of its kind on a box. Not every one comes out
// even when a Black Jack is paid.
func (p *Player) amount(limits rules.TableLimits) int64 {
	most := max(limits.BoxMax/3, limits.Min)
	stake := limits.Min * int64(1+p.Dice.IntN(int(min(10, most/limits.Min))))
	if odd := stake + limits.Unit; odd <= most && p.oneIn(4) {
		return odd
	}
	return stake
}

// insurances lets a third of the guests insure, as far as even money does not go
// before, and ends the offer.
func (p *Player) insurances(t *table.Table) []table.Input {
	var plan []table.Input
	limits := t.Rules().Table
	for box := 1; box <= t.Boxes(); box++ {
		for _, b := range t.Bettors(box) {
			in := table.Input{Kind: table.InCall, Call: table.CallInsurance, Box: box, Bettor: b.Name}
			switch even := t.Rules().Insurance.EvenMoney && hand.BlackJack(t.Hand(box, 1).Cards); {
			case !p.oneIn(3) || b.EvenMoney:
				continue
			case even && b.Insured == 0:
				in.Call = table.CallEvenMoney
			default:
				in.Amount, in.Stated = b.Stake/2/limits.Unit*limits.Unit, true
			}
			plan = append(plan, in)
		}
	}
	return append(plan, table.Input{Kind: table.InCall, Call: table.CallInsuranceClosed})
}

// payments pays everything at once, or box by box with the sum that is due.
func (p *Player) payments(t *table.Table) []table.Input {
	if !p.oneIn(4) {
		return []table.Input{{Kind: table.InPaid}}
	}
	won := make([]int64, t.Boxes()+1)
	for _, out := range t.Decided() {
		won[out.Box] += out.Won
	}
	var plan []table.Input
	for box := 1; box <= t.Boxes(); box++ {
		if len(t.Bettors(box)) > 0 && !t.Paid(box) {
			plan = append(plan, table.Input{Kind: table.InPaid, Box: box, Amount: won[box], Stated: true})
		}
	}
	if len(plan) == 0 {
		return []table.Input{{Kind: table.InPaid}}
	}
	return plan
}

// decide makes the holder's call for the hand that is due. Three quarters of the
// co-players join a double or a split.
func (p *Player) decide(t *table.Table, due table.Due) table.Input {
	box, number := int(due.Box), int(due.Hand)
	in := table.Input{Kind: table.InCall, Call: Basic(t.Hand(box, number), t.Bank().Cards[0], due.Allowed)}
	switch {
	case in.Call == table.CallCard && t.Rules().Play.Calls == rules.CallsImplied && p.oneIn(2):
		return p.card(t)
	case in.Call == table.CallDouble || in.Call == table.CallSplit:
		var all, join []string
		for name := range t.Stakes(box, number) {
			if all = append(all, name); len(all) == 1 || !p.oneIn(4) {
				join = append(join, name)
			}
		}
		if len(join) < len(all) {
			in.Bettors = join
		}
	}
	return in
}

// Basic is a sensible call for a hand against the bank's first card, out of those
// that are allowed.
func Basic(h table.Hand, up card.Card, allowed table.Calls) table.Call {
	against := hand.Points(up.Rank())
	if up.Rank() == card.Ace {
		against = 11
	}
	switch total := h.Total; {
	case allowed.Has(table.CallSplit) && splits(hand.Points(h.Cards[0].Rank()), against):
		return table.CallSplit
	case allowed.Has(table.CallDouble) && doubles(total, against):
		return table.CallDouble
	case allowed.Has(table.CallCard) && draws(total, h.Soft, against):
		return table.CallCard
	}
	return table.CallRest
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
