package storm

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
)

// causes are the faults that may hold the table until a person has put something right. What nothing in its row has
// caused should have passed without anybody. An irregularity without a row must never need a person.
var causes = map[irregularity.Code][]string{
	// Another boot of a shoe, or another shoe, may have lost what nobody saw; and a supervisor who names a lost card
	// may be asked about the next ones.
	irregularity.LostCards: {"reboot", "swap", "foreign-shoe"},
	// A line whose shoe has a key raises alarms where frames are lost.
	irregularity.ShoeAlarm:  {"noise", "pull", "unplug", "kill", "power-cut", "reboot", "swap", "foreign-shoe"},
	irregularity.UnreadCard: {unread},
	// Two shoes hold more cards of a kind than one; a set-up counts as a fresh shoe.
	irregularity.ForeignCard:  {"swap", "configure", "foreign-shoe"},
	irregularity.ForeignJoker: {"swap", "foreign-shoe"},
	// A key that is pressed at the wrong moment changes whose card it is.
	irregularity.UnexpectedCard:  {overdraw, "press", "reboot", "swap", "foreign-shoe"},
	irregularity.CardWithoutCall: {overdraw, "press", "reboot", "swap", "foreign-shoe"},
	irregularity.BankOverdraw:    {overdraw, "press", "reboot", "swap", "foreign-shoe"},
	irregularity.PayoutMismatch:  {"press"},
	// The table counts the cards of all shoes as those of one.
	irregularity.ShoeExhausted: {"swap", "configure", "foreign-shoe"},
}

// caused says whether something in the storm so far explains that a person is asked.
func (w *World) caused(code irregularity.Code) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if code == irregularity.ShoeAlarm && w.key == nil {
		return false
	}
	return slices.ContainsFunc(causes[code], func(what string) bool { return w.result.Faults[what] > 0 })
}
