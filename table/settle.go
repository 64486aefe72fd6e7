package table

import (
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
)

// verdict is what becomes of a wager, with the odds of a win.
type verdict struct {
	outcome Outcome
	why     Why
	odds    money.Ratio
}

// decideBox decides every open main wager of a box against the bank.
func (t *Table) decideBox(number int) {
	b := &t.boxes[number-1]
	for i := range b.hands {
		if b.hands[i].open() {
			t.decideHand(number, i, t.judge(b, &b.hands[i]))
		}
	}
}

// decideHand decides every open main wager of one hand.
func (t *Table) decideHand(number, at int, v verdict) {
	h := &t.boxes[number-1].hands[at]
	for i := range h.wagers {
		t.decideWager(number, at, i, v)
	}
}

// decideWager decides one main wager, unless it is decided already.
func (t *Table) decideWager(number, at, which int, v verdict) {
	b := &t.boxes[number-1]
	w := &b.hands[at].wagers[which]
	if w.settled {
		return
	}
	w.settled = true
	t.settle(number, b.bettors[w.bettor].Name, WagerMain, at+1, w.amount, v)
}

// judge compares a hand that is not bust with the bank. (Common rules 4, 8 and 9;
// a Black Jack beats every other 21, and on a split hand there is none.)
func (t *Table) judge(b *box, h *boxHand) verdict {
	total, bank := h.value.Total(), t.bank.value.Total()
	pays := &t.rules.Pays
	switch {
	case b.blackJack() && t.bankBlackJack():
		return verdict{outcome: StandOff, why: WhyTie}
	case b.blackJack():
		return verdict{Win, WhyBlackJack, pays.BlackJack}
	case t.bankBlackJack():
		return verdict{outcome: Lose, why: WhyBankBlackJack}
	case bank > hand.Best:
		return verdict{Win, WhyBankBust, pays.Win}
	case total > bank:
		return verdict{Win, WhyHigherTotal, pays.Win}
	case total == bank:
		return verdict{outcome: StandOff, why: WhyTie}
	default:
		return verdict{outcome: Lose, why: WhyLowerTotal}
	}
}

// decideInsurance decides the insurances of a box by the bank's second card, also
// of bettors whose hand is bust already. (Common rule 16.)
func (t *Table) decideInsurance(number int) {
	v := verdict{outcome: Lose, why: WhyNoBankBlackJack}
	if t.bankBlackJack() {
		v = verdict{Win, WhyBankBlackJack, t.rules.Pays.Insurance}
	}
	t.settleInsurance(number, v)
}

func (t *Table) settleInsurance(number int, v verdict) {
	b := &t.boxes[number-1]
	for i := range b.bettors {
		if one := &b.bettors[i]; one.Insured > 0 && !one.insuranceDecided {
			one.insuranceDecided = true
			t.settle(number, one.Name, WagerInsurance, 0, one.Insured, v)
		}
	}
}

// settle states what became of one wager and counts it.
func (t *Table) settle(number int, bettor string, w Wager, handNumber int, stake int64, v verdict) {
	out := t.emit(Settled)
	out.Box, out.Hand, out.Bettor, out.Wager = uint8(number), uint8(handNumber), bettor, w
	out.Outcome, out.Why, out.Stake = v.outcome, v.why, stake
	switch v.outcome {
	case Win:
		out.Returned = stake
		out.Won, out.Rounded = money.Share(stake, v.odds, t.rules.Table.Unit, t.rules.Table.Rounding)
	case StandOff, Void:
		out.Returned = stake
	}
	t.sums.Staked += out.Stake
	t.sums.Returned += out.Returned
	t.sums.Won += out.Won
	t.decided = append(t.decided, *out)
}
