package touch

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table"
)

// OnBox is what a touch of a box does, false where it does nothing. In the payment it
// says that the box is paid.
func OnBox(v display.View, b display.Box) (Key, bool) {
	number := display.Arg{Name: "box", Text: strconv.Itoa(b.Number)}
	if v.Held == nil && v.Phase == display.PhasePayment && len(b.Payouts) > 0 && !b.Paid {
		return Key{
			Name: "paid-" + number.Text, Label: display.Message{Key: "key.paid-box", Args: []display.Arg{number}},
			Kind: Step, Put: []table.Input{{Kind: table.InPaid, Box: b.Number}}, Shortcut: number.Text,
		}, true
	}
	return Key{}, false
}
