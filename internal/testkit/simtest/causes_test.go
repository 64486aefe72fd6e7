package simtest

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
	irregularity.ShoeAlarm:  {"noise", "deaf", "pull", "unplug", "kill", "power-cut", "reboot", "swap", "foreign-shoe"},
	irregularity.UnreadCard: {unread},
	// Two shoes hold more cards of a kind than one; a set-up counts as a fresh shoe.
	irregularity.ForeignCard:  {"swap", "configure", "foreign-shoe", mishap},
	irregularity.ForeignJoker: {"swap", "foreign-shoe", mishap},
	// A key that is pressed at the wrong moment changes whose card it is.
	irregularity.UnexpectedCard:  {overdraw, "press", mishap, "reboot", "swap", "foreign-shoe"},
	irregularity.CardWithoutCall: {overdraw, "press", mishap, "reboot", "swap", "foreign-shoe"},
	irregularity.BankOverdraw:    {overdraw, "press", mishap, "reboot", "swap", "foreign-shoe"},
	irregularity.PayoutMismatch:  {"press", wrongPay, mishap},
	// Somebody stops the round, or a correction leaves something that is to be put right.
	irregularity.HeldByHand: {mishap},
	// The table counts the cards of all shoes as those of one.
	irregularity.ShoeExhausted: {"swap", "configure", "foreign-shoe", mishap},
}

// onewayCauses are those that come with a shoe that keeps no card: nobody can say what left it while nothing listened,
// or what damaged bytes were.
var onewayCauses = map[irregularity.Code][]string{
	irregularity.LostCards:       {"kill", "power-cut", "unplug", "pull", "noise", control},
	irregularity.ShoeOffline:     {"noise"}, // until the adapter was plugged in again
	irregularity.ShoeAlarm:       {"noise"},
	irregularity.UnreadCard:      {"noise"},
	irregularity.ForeignCard:     {"noise"},
	irregularity.ForeignJoker:    {"noise"},
	irregularity.UnexpectedCard:  {"noise", "kill", "power-cut", "unplug", "pull"},
	irregularity.CardWithoutCall: {"noise", "kill", "power-cut", "unplug", "pull"},
	irregularity.BankOverdraw:    {"noise", "kill", "power-cut", "unplug", "pull"},
}

// caused says whether something in the storm so far explains that a person is asked.
func (w *World) caused(code irregularity.Code) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if code == irregularity.BigWin {
		return w.rules.BigWin != nil
	}
	if code == irregularity.ShoeAlarm && w.key == nil && w.keeps() {
		return false
	}
	list := causes[code]
	if !w.keeps() {
		list = append(slices.Clone(onewayCauses[code]), list...)
		if code == irregularity.UnreadCard && jokers(w.script.House) > 0 {
			return true // the shoe knows no Joker
		}
	}
	return slices.ContainsFunc(list, func(what string) bool { return w.result.Faults[what] > 0 })
}
