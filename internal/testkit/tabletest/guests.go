package tabletest

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

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

// plays is how a guest plays a hand: sensibly, unless he plays freely, and giving up now and then.
func (p *Player) plays(h table.Hand, up card.Card, allowed vocab.Calls) vocab.Call {
	switch {
	case allowed.Has(vocab.CallHigher):
		return p.forecast(h)
	case allowed.Has(vocab.CallSurrender) && p.oneIn(8):
		return vocab.CallSurrender
	}
	call := Basic(h, up, allowed)
	if p.Freely && p.oneIn(6) {
		call = p.anyOf(allowed)
	}
	return call
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
