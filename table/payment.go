package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// paid takes the dealer's word that a wager, a box, or everything, is paid.
func (t *Table) paid(in *vocab.Input) vocab.Reason {
	if in.Wager != 0 || in.Bettor != "" || in.Hand != 0 || in.Why != 0 {
		return t.payNow(in)
	}
	if reason := t.mayPay(in); reason != 0 {
		return reason
	}
	if in.Stated {
		if won, known := t.wonOn(in.Box); known && in.Amount != won {
			t.raise(Irregularity{Code: irregularity.PayoutMismatch, Box: in.Box})
			return 0
		}
	}
	t.markPaid(in.Box)
	return 0
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

// wonOn sums what the round's decided wagers on a box won and nobody has been paid at
// once or before a correction, and says whether every amount is known; box 0 is all boxes.
func (t *Table) wonOn(number int) (won int64, known bool) {
	known = true
	for i := range t.decided {
		if t.paidNow[i] || number != 0 && number != int(t.decided[i].Box) {
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

// markPaid marks a box as paid, box 0 all of them.
func (t *Table) markPaid(number int) {
	if number != 0 {
		t.boxes[number-1].paid = true
	} else {
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
	t.emit(vocab.Finished).Round = t.kept.Round
}

func (t *Table) allPaid() bool {
	for _, i := range t.inPlay {
		if b := &t.boxes[i]; !b.paid && (b.left > 0 || t.owesBack(b.number)) {
			return false
		}
	}
	return true
}
