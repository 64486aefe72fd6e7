package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// paid takes the dealer's word that a box, or everything, is paid.
func (t *Table) paid(in *vocab.Input) vocab.Reason {
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
	switch {
	case in.Box == 0:
		return 0
	case !t.hasBox(in.Box):
		return vocab.UnknownBox
	case !t.boxes[in.Box-1].played():
		return vocab.BoxNotPlayed
	}
	return 0
}

// wonOn sums what the round's decided wagers on a box won, and says whether every
// amount is known; box 0 is all boxes.
func (t *Table) wonOn(number int) (won int64, known bool) {
	if number != 0 {
		b := &t.boxes[number-1]
		return b.won, !b.uncounted
	}
	known = true
	for i := range t.boxes {
		won += t.boxes[i].won
		known = known && !t.boxes[i].uncounted
	}
	return won, known
}

// wins says whether a decided wager is paid something on top of its stake.
func wins(out *vocab.Output) bool { return out.Kind == vocab.Bonus || out.Outcome == vocab.Win }

// markPaid marks a box as paid, box 0 all of them. The round is finished when
// every played box is.
func (t *Table) markPaid(number int) {
	t.putRight(number)
	if number != 0 {
		t.boxes[number-1].paid = true
	} else {
		for i := range t.boxes {
			t.boxes[i].paid = true
		}
	}
	if !t.allPaid() {
		return
	}
	t.phase = vocab.Idle
	t.emit(vocab.Finished).Round = t.kept.Round
}

func (t *Table) allPaid() bool {
	for _, i := range t.inPlay {
		if !t.boxes[i].paid {
			return false
		}
	}
	return true
}
