package tabletest

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/vocab"
)

// payments pays everything at once, or box by box with the sum that is due.
func (p *Player) payments(t *table.Table) []vocab.Input {
	if p.Marks || !p.oneIn(4) {
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

// plays is how a guest plays a hand who plays freely: one call of six is not the textbook's.
func (p *Player) plays(h table.Hand, up card.Card, allowed vocab.Calls) vocab.Call {
	if p.Freely && p.oneIn(6) {
		return p.anyOf(allowed)
	}
	return dealt.Basic(h, up, allowed)
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
