package table

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// payNow takes the dealer's word that wagers are paid or taken before the payment of the
// round. It stops nothing and changes nothing that comes: what nobody pays at once is
// paid in the end.
func (t *Table) payNow(in *vocab.Input) vocab.Reason {
	if reason := t.mayPayNow(in); reason != 0 {
		return reason
	}
	t.payAlone(in)
	if t.phase == vocab.Payment {
		t.finishIfPaid()
	}
	return 0
}

// payAlone marks the wagers of which a payment speaks as paid or taken.
func (t *Table) payAlone(in *vocab.Input) {
	for i := range t.decided {
		if one := &t.decided[i]; t.unpaid(i) && means(in, one) {
			t.paidNow[i] = true
			t.boxes[one.Box-1].left--
			t.tellPaid(one)
		}
	}
}

func (t *Table) mayPayNow(in *vocab.Input) vocab.Reason {
	switch {
	case t.phase == vocab.Idle:
		return vocab.NoRound
	case t.phase == vocab.Bets:
		return vocab.BetsOpen
	case t.unknown(in.Wager):
		return vocab.UnknownWager
	}
	if reason := t.payable(in.Box); reason != 0 {
		return reason
	}
	return t.owed(in)
}

// owed says why none of the decided wagers that are meant can be paid or taken now, or
// that the amount which was stated is not theirs.
func (t *Table) owed(in *vocab.Input) vocab.Reason {
	var won int64
	reason, known := vocab.NotDecided, true
	for i := range t.decided {
		switch one := &t.decided[i]; {
		case !means(in, one):
		case t.unpaid(i):
			reason = 0
			sum, sure := t.layOut(i)
			won += sum
			known = known && sure
		case reason != 0:
			reason = vocab.AlreadyPaid
		}
	}
	if reason == 0 && in.Stated && known && in.Amount != won {
		return vocab.NotTheAmount
	}
	return reason
}

// unpaid says whether a decided wager is neither paid nor taken yet.
func (t *Table) unpaid(nth int) bool { return !t.paidNow[nth] && !t.boxes[t.decided[nth].Box-1].paid }

// means says whether an input speaks of a decided wager.
func means(in *vocab.Input, decided *vocab.Output) bool {
	return (in.Box == 0 || in.Box == int(decided.Box)) && (in.Hand == 0 || in.Hand == decided.Hand) &&
		(in.Bettor == "" || in.Bettor == decided.Bettor) && (in.Wager == "" || in.Wager == decided.Wager) &&
		(in.Why == "" || in.Why == decided.Why)
}

// tellPaid states that a decided wager is paid or taken now.
func (t *Table) tellPaid(decided *vocab.Output) {
	out := t.emit(vocab.PaidAtOnce)
	out.Box, out.Hand, out.Bettor, out.Wager = decided.Box, decided.Hand, decided.Bettor, decided.Wager
	out.Outcome, out.Why = decided.Outcome, decided.Why
	out.Returned, out.Won, out.Unstated = decided.Returned, decided.Won, decided.Unstated
}

// goneOn notes that the dealer goes on: what is decided by now, and neither paid nor
// taken, waits for the payment unless the dealer comes back to it.
func (t *Table) goneOn(decided int) { t.passed = decided }

// AtOnce says whether the house pays or takes a decided wager as soon as it is decided.
func (t *Table) AtOnce(decided *vocab.Output) bool {
	bet, side := decided.Wager.Side()
	house := t.rules.AtOnce
	switch {
	case decided.Outcome == vocab.StandOff || decided.Outcome == vocab.Void:
		return false
	case side && wins(decided):
		return t.rules.Offer(bet).PayAtOnce
	case side:
		return t.rules.Offer(bet).TakeAtOnce
	case house == nil:
		return false
	case decided.Wager == vocab.WagerInsurance:
		return house.Insurance
	}
	says := mainAtOnce[decided.Why]
	return says != nil && says(house)
}

// mainAtOnce is what a house's rules say of the main wagers, by what decided them.
var mainAtOnce = map[vocab.Why]func(*rules.AtOnce) bool{
	vocab.WhyBlackJack:      func(a *rules.AtOnce) bool { return a.BlackJack },
	vocab.WhyBonusBlackJack: func(a *rules.AtOnce) bool { return a.BonusBlackJack },
	vocab.WhyEvenMoney:      func(a *rules.AtOnce) bool { return a.EvenMoney },
	vocab.WhyThreeSevens:    func(a *rules.AtOnce) bool { return a.ThreeSevens },
	vocab.WhySurrender:      func(a *rules.AtOnce) bool { return a.Surrender },
	vocab.WhyBust:           func(a *rules.AtOnce) bool { return a.Bust },
	vocab.WhyWrongForecast:  func(a *rules.AtOnce) bool { return a.Bust },
}

// PaidAtOnce says whether the wager that was decided as the nth of the round, from 0,
// was paid or taken at once.
func (t *Table) PaidAtOnce(nth int) bool { return t.paidNow[nth] }

// Passed says how many of the decided wagers the dealer has gone past.
func (t *Table) Passed() int { return t.passed }
