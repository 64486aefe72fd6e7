package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Ask is what the dealer pays, takes or gives back in the middle of a round: the chips of
// one wager, on one box or, where they are taken, on all boxes that have lost it.
type Ask struct {
	Move  Move
	Wager vocab.Wager
	Why   vocab.Why
	// Hand is the hand of a main wager, 0 for none.
	Hand int
	// Boxes are the boxes' numbers, and Bettor whose wager it is, "" if there are several.
	Boxes  []int
	Bettor string
	// Amount is what is moved, as far as it is known; ByOdds are the odds of a win on a stake
	// that nobody knows, and Unknown says that there is such a stake.
	Amount  int64
	ByOdds  string
	Unknown bool
}

// On says whether the chips of a box are to be moved.
func (a Ask) On(box int) bool { return slices.Contains(a.Boxes, box) }

// Input is what the dealer puts in once the chips are moved.
func (a Ask) Input() vocab.Input {
	in := vocab.Input{Kind: vocab.InPaid, Wager: a.Wager, Hand: uint8(a.Hand), Bettor: a.Bettor}
	if len(a.Boxes) == 1 {
		in.Box = a.Boxes[0]
	}
	if _, side := a.Wager.Side(); !side || len(a.Boxes) > 1 {
		in.Why = a.Why
	}
	return in
}

// Asked is what the dealer is asked to move now, false for nothing. Chips that are taken
// come first, then the boxes in their order. What the dealer has gone past is no longer
// asked for.
func Asked(v View) (Ask, bool) {
	if v.Held != nil {
		return Ask{}, false
	}
	for _, first := range []bool{true, false} {
		for _, b := range v.Boxes {
			for _, p := range b.Payouts {
				if p.Asked && (!first || moveOf(p) == Take) {
					return gathered(v, b, p), true
				}
			}
		}
	}
	return Ask{}, false
}

// AskedOn is what the dealer may move now on one box, also if it was gone past: false for
// nothing.
func AskedOn(v View, b Box) (Ask, bool) {
	if v.Held != nil {
		return Ask{}, false
	}
	if now, ok := Asked(v); ok && now.On(b.Number) {
		return only(b, now.Wager, now.Why, now.Hand), true
	}
	for _, p := range b.Payouts {
		if p.AtOnce {
			return only(b, p.Wager, p.Why, p.Hand), true
		}
	}
	return Ask{}, false
}

// gathered is a payout with all others that are moved with it.
func gathered(v View, b Box, p Payout) Ask {
	if moveOf(p) != Take || p.Wager == vocab.WagerMain {
		return only(b, p.Wager, p.Why, p.Hand)
	}
	var a Ask
	for _, other := range v.Boxes {
		a.gather(other, p.Wager, p.Why, p.Hand)
	}
	return a
}

// only is what is to be moved of one wager on one box.
func only(b Box, wager vocab.Wager, why vocab.Why, hand int) Ask {
	var a Ask
	a.gather(b, wager, why, hand)
	return a
}

func (a *Ask) gather(b Box, wager vocab.Wager, why vocab.Why, hand int) {
	for _, p := range b.Payouts {
		if !p.AtOnce || p.Wager != wager || p.Why != why || p.Hand != hand {
			continue
		}
		if several := len(a.Boxes) > 0; several && (!a.On(b.Number) || a.Bettor != p.Bettor) {
			a.Bettor = ""
		} else {
			a.Bettor = p.Bettor
		}
		if !a.On(b.Number) {
			a.Boxes = append(a.Boxes, b.Number)
		}
		a.Move, a.Wager, a.Why, a.Hand = moveOf(p), wager, why, hand
		if chips := moved(p, a.Move); chips != Unstated {
			a.Amount += chips
		} else {
			a.Unknown, a.ByOdds = true, p.Odds
		}
	}
}

// Says tells the dealer to move the chips.
func (a Ask) Says(v View) Message {
	var numbers []string
	for _, n := range a.Boxes {
		numbers = append(numbers, strconv.Itoa(n))
	}
	args := []Arg{text("box", strings.Join(numbers, ", ")), text("boxes", strings.Join(numbers, ",")), a.price(v)}
	switch {
	case a.Move == Return:
		return say("prompt.give-now", args...)
	case a.Move == Pay:
		return say("prompt.pay-now", append(args, a.what())...)
	case a.Wager == vocab.WagerMain && handsOn(v, a.Boxes[0]) > 1:
		return say("prompt.take-stakes-hand", append(args, text("hand", strconv.Itoa(a.Hand)))...)
	case a.Wager == vocab.WagerMain:
		return say("prompt.take-stakes", args...)
	case len(a.Boxes) > 1:
		return say("prompt.take-now-boxes", append(args, a.what())...)
	}
	return say("prompt.take-now", append(args, a.what())...)
}

// what names the wager: a main wager is called by what it is paid for.
func (a Ask) what() Arg {
	if a.Wager == vocab.WagerMain {
		return keys("what", LabelWhy, a.Why)
	}
	return keys("what", LabelWager, a.Wager)
}

// price is the amount, or the odds on a stake that nobody has entered.
func (a Ask) price(v View) Arg {
	switch {
	case !a.Unknown:
		return Arg{Name: "price", Price: &Price{Minor: a.Amount, Digits: v.Digits}}
	case a.ByOdds != "":
		return text("price", a.ByOdds)
	}
	return text("price", mark)
}

// atOnce says of a decided wager what there is to do with it before the payment.
func atOnce(t *table.Table, p *Payout, out *vocab.Output, nth int) {
	p.Paid = t.PaidAtOnce(nth)
	switch t.Phase() {
	case vocab.Deal, vocab.InsuranceOffer, vocab.Look, vocab.Play, vocab.BankDraws:
		p.AtOnce = !p.Paid && t.AtOnce(out)
		p.Asked = p.AtOnce && t.Phase() != vocab.Deal && nth >= t.Passed()
	}
}
