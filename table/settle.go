package table

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// verdict is what becomes of a wager, with the odds of a win. prize is a win that is
// an amount of its own, 0 for one by the odds.
type verdict struct {
	outcome vocab.Outcome
	why     vocab.Why
	odds    money.Ratio
	prize   int64
}

// decideBox decides every open main wager of a box against the bank.
func (t *Table) decideBox(b *box) {
	for i := range b.hands {
		if h := &b.hands[i]; h.open > 0 {
			v := t.game.judge(t, b, h)
			t.decideHand(b, i, &v)
		}
	}
}

// decideHand decides every open main wager of one hand.
func (t *Table) decideHand(b *box, at int, v *verdict) {
	h := &b.hands[at]
	for i := range h.wagers {
		if w := &h.wagers[i]; !w.settled {
			t.decideWager(b, at, w, v)
		}
	}
	if v.why != vocab.WhyVoidRound {
		t.decideSides(b, sidebet.LastHand)
	}
}

// decideWager decides an open main wager of a hand.
func (t *Table) decideWager(b *box, at int, w *handWager, v *verdict) {
	if dead := t.dies(b, at, w, v); dead != nil {
		w.dead, v = true, dead
	}
	if v.why == vocab.WhyBankBlackJack && t.rules.Bank.TakesOriginal() {
		only := t.originalOnly(b, w, v)
		v = &only
	}
	w.settled, w.outcome = true, v.outcome
	b.hands[at].open--
	out := t.emit(vocab.Settled)
	out.Box, out.Hand, out.Bettor, out.Wager = b.number, uint8(at+1), b.bettors[w.bettor].Name, vocab.WagerMain
	if w.less > 0 {
		t.settle(b, out, w.amount(), 1, v)
		return
	}
	t.settle(b, out, w.stake, w.times, v)
}

// decideInsurance decides the insurances of a box by the bank's second card, also
// of bettors whose hand is decided already. (Common rule 16.)
func (t *Table) decideInsurance(b *box) {
	v := verdict{outcome: vocab.Lose, why: vocab.WhyNoBankBlackJack}
	if t.bankBlackJack() {
		v = verdict{outcome: vocab.Win, why: vocab.WhyBankBlackJack, odds: t.rules.Pays.Insurance}
	}
	t.settleInsurance(b, &v)
}

func (t *Table) settleInsurance(b *box, v *verdict) {
	for i := range b.bettors {
		if one := &b.bettors[i]; one.Insured != 0 && !one.insuranceDecided {
			t.settleInsuranceOf(b, one, v)
		}
	}
}

func (t *Table) settleInsuranceOf(b *box, one *Bettor, v *verdict) {
	if v.outcome != vocab.Void && v.why != vocab.WhyDead {
		if dead := t.deathAhead(b, 0, one.Name, vocab.WagerInsurance); dead != nil {
			v = dead
		}
	}
	one.insuranceDecided = true
	out := t.emit(vocab.Settled)
	out.Box, out.Bettor, out.Wager = b.number, one.Name, vocab.WagerInsurance
	t.settle(b, out, one.Insured, 1, v)
}

// settle states what became of a wager on a box and counts it. The stake lies there
// so many times.
func (t *Table) settle(b *box, out *vocab.Output, stake, times int64, v *verdict) {
	out.Outcome, out.Why, out.Times = v.outcome, v.why, uint8(times)
	out.OnLine = t.decidesLine(out)
	if stake == vocab.Unstated {
		out.Unstated, out.Odds = true, v.odds
	} else {
		out.Stake = stake * times
		t.pay(out, v)
	}
	t.count(b, out)
}

// pay fills in what comes back and what is won.
func (t *Table) pay(out *vocab.Output, v *verdict) {
	limits := &t.rules.Table
	switch v.outcome {
	case vocab.Win:
		out.Returned = out.Stake
		if v.prize != 0 {
			out.Won = v.prize
		} else {
			out.Won, out.Rounded = money.Share(out.Stake, v.odds, limits.Unit, limits.Rounding)
			out.Carried = t.leavesHalf(out, v.odds)
		}
		if out.OnLine {
			out.Won += limits.Unit * t.OnLine(out)
		}
	case vocab.StandOff, vocab.Void:
		out.Returned = out.Stake
	case vocab.PartLost:
		out.Returned, _ = money.Share(out.Stake, v.odds, limits.Unit, money.Down)
	case vocab.Surrendered:
		out.Returned, out.Rounded = money.Share(out.Stake, half, limits.Unit, limits.Rounding)
		out.Carried = t.leavesHalf(out, half)
	}
}

// bonus states what is paid besides a wager that plays on.
func (t *Table) bonus(b *box, bettor string, why vocab.Why, stake int64, odds money.Ratio) {
	out := t.emit(vocab.Bonus)
	out.Box, out.Bettor, out.Wager, out.Why = b.number, bettor, vocab.WagerMain, why
	if stake == vocab.Unstated {
		out.Unstated, out.Odds, out.Times = true, odds, 1
	} else {
		out.Stake = stake
		out.Won, out.Rounded = money.Share(stake, odds, t.rules.Table.Unit, t.rules.Table.Rounding)
	}
	t.count(b, out)
}

// count adds a settlement or a bonus on a box to the round's sums. A bonus is paid
// on a stake that is counted with its wager.
func (t *Table) count(b *box, out *vocab.Output) {
	b.left++
	t.sums.Unstated = t.sums.Unstated || out.Unstated
	if out.Kind == vocab.Settled {
		t.sums.Staked += out.Stake
		t.sums.Returned += out.Returned
	}
	t.sums.Won += out.Won
	*another(&t.decided) = *out
	*another(&t.paidNow) = false
	if len(t.history.moved) > 0 {
		t.alreadyMoved(b)
	}
}
