package keysim

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/vocab"
)

// choose is the call for the hand that is due: as usual strategy tables have it, never a card at 17, few against a weak
// bank; in Black James, the best forecast.
func (d *Dealer) choose(v display.View) vocab.Input {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}
	box := v.Boxes[v.Due.Box-1]
	h := box.Hands[v.Due.Hand-1]
	if v.Game == display.BlackJames {
		in.Call = forecast(h.Cards[len(h.Cards)-1], h.Total, v.Bank.Cards[0])
		return in
	}
	bettors := bettorsOn(box, v.Due.Hand)
	bank := hand.Points(v.Bank.Cards[0].Rank())
	weak := bank >= 2 && bank <= 6
	allowed := func(c vocab.Call) bool { return slices.Contains(v.Due.Allowed, c) }
	if allowed(vocab.CallSurrender) && poor(h, bank) {
		if leaving := d.some(bettors, 2); len(leaving) > 0 {
			in.Call, in.Bettors = vocab.CallSurrender, leaving
			return in
		}
	}
	switch {
	case allowed(vocab.CallSplit) && splits(h.Cards[0], weak):
		in.Call, in.Bettors = vocab.CallSplit, d.joining(bettors)
	case allowed(vocab.CallDouble) && doubles(h.Total, bank):
		in.Call, in.Bettors = vocab.CallDouble, d.joining(bettors)
	case allowed(vocab.CallCard) && draws(h, weak):
		in.Call = vocab.CallCard
	}
	return in
}

// bettorsOn are the bettors whose stake on a hand is undecided, the holder first.
func bettorsOn(box display.Box, handNumber int) []string {
	var names []string
	for _, line := range display.OnHand(display.Lines(box), handNumber) {
		if line.Move == display.Open {
			names = append(names, line.Bettor)
		}
	}
	return names
}

// joining are the holder and three quarters of the others; nil are all.
func (d *Dealer) joining(bettors []string) []string {
	not := d.some(bettors[1:], 4)
	if len(not) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(bettors), func(name string) bool { return slices.Contains(not, name) })
}

// some picks one in n.
func (d *Dealer) some(names []string, n int) []string {
	var picked []string
	for _, name := range names {
		if d.rng.IntN(n) == 0 {
			picked = append(picked, name)
		}
	}
	return picked
}

// poor hands are given up by some: hard 15 and 16 against 9, ten or ace.
func poor(h display.Hand, bank int) bool {
	return !h.Soft && (h.Total == 15 || h.Total == 16) && (bank == 1 || bank >= 9)
}

// splits: aces and eights always, small pairs against a weak bank, never tens or fives.
func splits(c card.Card, weak bool) bool {
	switch points := hand.Points(c.Rank()); points {
	case 1, 8:
		return true
	case 4, 5, 10:
		return false
	default:
		return weak
	}
}

// doubles: 11 always, 10 except against ten or ace, 9 against a weak bank.
func doubles(total, bank int) bool {
	switch total {
	case 11:
		return true
	case 10:
		return bank != 1 && bank != 10
	case 9:
		return bank >= 2 && bank <= 6
	}
	return false
}

// draws: soft hands to 18, hard ones to 17, or to 12 against a weak bank.
func draws(h display.Hand, weak bool) bool {
	switch {
	case h.Soft:
		return h.Total < 18
	case weak:
		return h.Total < 12
	default:
		return h.Total < 17
	}
}
