package display

import (
	"strconv"

	"github.com/sabot-table/sabot/table/vocab"
)

// trayCounted tells that the tray was counted, and what was there. Whether that is what had to be there is not for
// every eye that sees a past round.
func (l Language) trayCounted(out *vocab.Output) string {
	amount := text("amount", l.pastMoney(out.Tray.Amount))
	return l.fill("past.tray-count", text("what", l.Named(LabelStep, out.Tray.Count)), amount) + l.person(out.By, false)
}

// trayMoved tells of chips that came into the tray or went, or of a step of a slip.
func (l Language) trayMoved(out *vocab.Output) string {
	number := ""
	if out.Tray.Slip != 0 {
		number = strconv.FormatUint(uint64(out.Tray.Slip), 10)
	}
	what := join(l.Named(LabelInput, out.Tray.Of), number, l.Named(LabelStep, out.Tray.Step))
	amount := text("amount", l.pastMoney(out.Tray.Amount))
	return l.fill("past.tray-moved", text("what", what), amount) + l.person(out.By, false)
}
