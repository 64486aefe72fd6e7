package touch

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// OnBox is what a touch of a box does, false where it does nothing. While bets are open
// it plays the box, while insurance is offered it insures it, and in the payment it says
// that the box is paid. What is paid or taken on it at once comes before.
func OnBox(v display.View, b display.Box) (Key, bool) {
	now, asked := display.AskedOn(v, b)
	switch {
	case v.Held != nil:
	case asked:
		number := strconv.Itoa(b.Number)
		return Key{
			Name: "now-" + number, Label: now.Says(v), Kind: Step, Put: []vocab.Input{now.Input()},
			Shortcut: number,
		}, true
	case v.Phase == vocab.Bets && v.Bets != nil:
		return marks(v, b), true
	case v.Phase == vocab.InsuranceOffer:
		return insures(v, b)
	case v.Phase == vocab.Payment && len(b.Payouts) > 0 && !b.Paid:
		number := strconv.Itoa(b.Number)
		return Key{
			Name: "paid-" + number, Label: onBox("key.paid-box", b),
			Kind: Step, Put: []vocab.Input{{Kind: vocab.InPaid, Box: b.Number}}, Shortcut: number,
		}, true
	}
	return Key{}, false
}
