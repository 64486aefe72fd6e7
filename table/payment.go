package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// paid takes the dealer's word that a wager, a box, or everything, is paid.
func (t *Table) paid(in *vocab.Input) vocab.Reason {
	switch {
	case t.phase == vocab.Payment && in.Bettor != "" && in.Wager == "" && in.Hand == 0 && in.Why == "":
		if reason := t.mayPayBettor(in); reason != 0 {
			return reason
		}
	case alone(in) || in.Hand != 0 || in.Why != "":
		return t.payNow(in)
	default:
		if reason := t.mayPay(in); reason != 0 {
			return reason
		}
	}
	if in.Stated {
		won, known := t.wonOn(in)
		agrees := !known || in.Amount == won
		switch {
		case (!agrees || t.otherOn(in)) && t.paidBefore(in):
			return vocab.AlreadyPaid // the payment is taken back first: else nothing would say what went where
		case !agrees:
			if len(t.decided) == 0 {
				return vocab.NotDecided // it could be on record for no wager
			}
			t.raise(Irregularity{
				Code: irregularity.PayoutMismatch, Box: in.Box, Bettor: in.Bettor, Owed: won,
				Given: in.Amount,
			})
			return 0
		}
	}
	t.markPaid(in.Box, in.Bettor)
	return 0
}

// alone says whether a payment is of a wager, or of one bettor, and not of a box or of all.
func alone(in *vocab.Input) bool { return in.Wager != "" || in.Bettor != "" }

// mayPayBettor says why one bettor of a box cannot be paid.
func (t *Table) mayPayBettor(in *vocab.Input) vocab.Reason {
	if in.Box == 0 {
		return vocab.UnknownBox
	}
	if reason := t.payable(in.Box); reason != 0 {
		return reason
	}
	reason := vocab.UnknownBettor
	for i := range t.decided {
		switch {
		case !means(in, &t.decided[i]):
		case t.unpaid(i):
			return 0
		default:
			reason = vocab.AlreadyPaid
		}
	}
	return reason
}

func (t *Table) mayPay(in *vocab.Input) vocab.Reason {
	switch t.phase {
	case vocab.Idle:
		return vocab.NoRound
	case vocab.Bets:
		return vocab.BetsOpen
	case vocab.BankDraws:
		return vocab.BankMustDraw
	case vocab.Payment:
	default:
		return vocab.RoundRunning
	}
	return t.payable(in.Box)
}

// payable says why there is nothing to pay on a box, box 0 for all of them.
func (t *Table) payable(number int) vocab.Reason {
	switch {
	case number == 0:
		return 0
	case !t.hasBox(number):
		return vocab.UnknownBox
	case !t.boxes[number-1].played():
		return vocab.BoxNotPlayed
	}
	return 0
}

// paidBefore says whether a payment is of a box on which wagers were decided, and nothing is left to pay or to take.
func (t *Table) paidBefore(in *vocab.Input) (before bool) {
	if in.Box == 0 || t.again {
		return false
	}
	for i := range t.decided {
		if !means(in, &t.decided[i]) {
			continue
		}
		if t.unpaid(i) {
			return false
		}
		before = true
	}
	return before
}

// otherOn says whether another amount was paid on a wager of which a payment speaks.
func (t *Table) otherOn(in *vocab.Input) bool {
	for _, one := range t.others {
		if means(in, &t.decided[one.nth]) {
			return true
		}
	}
	return false
}

// wonOn sums what the round's decided wagers of which a payment speaks have won and nobody has been paid at once or
// before a correction, and says whether every amount is known.
func (t *Table) wonOn(in *vocab.Input) (won int64, known bool) {
	known = true
	for i := range t.decided {
		if t.paidNow[i] || !means(in, &t.decided[i]) {
			continue
		}
		sum, sure := t.layOut(i)
		won += sum
		known = known && sure
	}
	return won, known
}

// wins says whether a decided wager is paid something on top of its stake.
func wins(out *vocab.Output) bool { return out.Kind == vocab.Bonus || out.Outcome == vocab.Win }

// markPaid marks a box as paid, box 0 all of them, or what a bettor has there.
func (t *Table) markPaid(number int, bettor string) {
	switch {
	case bettor != "":
		t.payAlone(&vocab.Input{Box: number, Bettor: bettor})
	case number != 0:
		t.boxes[number-1].paid = true
	default:
		for i := range t.boxes {
			t.boxes[i].paid = true
		}
	}
	t.finishIfPaid()
}

// finishIfPaid finishes the round when every played box is paid, but not where it is dealt again: then it goes on.
func (t *Table) finishIfPaid() {
	if t.again || !t.allPaid() {
		return
	}
	t.phase = vocab.Idle
	t.layLines()
	t.history.ended.set(&t.kept)
	t.turnTray()
	if t.rules.Linked() {
		t.tellJackpot(vocab.JackpotRound)
	}
	out := t.emit(vocab.Finished)
	out.Round = t.kept.Round
	owed, given := t.otherwise()
	t.closing = vocab.Trouble{Payment: vocab.PaymentTold{Owed: owed, Given: given, Differs: len(t.others) > 0}}
	t.closing.InTray = t.tray.mustHold()
	out.Trouble = &t.closing
}

func (t *Table) allPaid() bool {
	for _, i := range t.inPlay {
		if b := &t.boxes[i]; !b.paid && (b.left > 0 || len(t.history.moved) > 0 && t.owesBack(b.number)) {
			return false
		}
	}
	return true
}
