package table

import "github.com/sabot-table/sabot/table/money"

// verdict is what becomes of a wager, with the odds of a win.
type verdict struct {
	outcome Outcome
	why     Why
	odds    money.Ratio
}

// stakeOf is a stake and how often it lies on the hand.
type stakeOf struct{ stake, times int64 }

// decideBox decides every open main wager of a box against the bank.
func (t *Table) decideBox(number int) {
	b := &t.boxes[number-1]
	for i := range b.hands {
		if b.hands[i].open() {
			t.decideHand(number, i, t.game.judge(t, b, &b.hands[i]))
		}
	}
}

// decideHand decides every open main wager of one hand.
func (t *Table) decideHand(number, at int, v verdict) {
	h := &t.boxes[number-1].hands[at]
	for i := range h.wagers {
		t.decideWager(number, at, i, v)
	}
	if v.outcome != Void {
		t.decideCrazy(number)
	}
}

// decideWager decides one main wager, unless it is decided already.
func (t *Table) decideWager(number, at, which int, v verdict) {
	b := &t.boxes[number-1]
	w := &b.hands[at].wagers[which]
	if w.settled {
		return
	}
	w.settled, w.outcome = true, v.outcome
	t.settle(number, b.bettors[w.bettor].Name, WagerMain, at+1, stakeOf{w.stake, w.times}, v, 0)
}

// decideInsurance decides the insurances of a box by the bank's second card, also
// of bettors whose hand is decided already. (Common rule 16.)
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
		if one := &b.bettors[i]; one.Insured != 0 && !one.insuranceDecided {
			one.insuranceDecided = true
			t.settle(number, one.Name, WagerInsurance, 0, stakeOf{one.Insured, 1}, v, 0)
		}
	}
}

// settle states what became of one wager and counts it. fixed is a prize that is
// an amount of its own; 0 is one by the verdict's odds.
func (t *Table) settle(number int, bettor string, w Wager, handNumber int, s stakeOf, v verdict, fixed int64) {
	out := t.emit(Settled)
	out.Box, out.Hand, out.Bettor, out.Wager = uint8(number), uint8(handNumber), bettor, w
	out.Outcome, out.Why, out.Times = v.outcome, v.why, uint8(s.times)
	if s.stake == Unstated {
		out.Unstated, out.Odds = true, v.odds
		t.count(out)
		return
	}
	out.Stake = s.stake * s.times
	t.pay(out, v, fixed)
	t.count(out)
}

// pay fills in what comes back and what is won.
func (t *Table) pay(out *Output, v verdict, fixed int64) {
	limits := &t.rules.Table
	switch v.outcome {
	case Win:
		out.Returned = out.Stake
		if fixed != 0 {
			out.Won = fixed
		} else {
			out.Won, out.Rounded = money.Share(out.Stake, v.odds, limits.Unit, limits.Rounding)
		}
	case StandOff, Void:
		out.Returned = out.Stake
	case Surrendered:
		out.Returned, out.Rounded = money.Share(out.Stake, half, limits.Unit, limits.Rounding)
	}
}

// bonus states what is paid besides a wager that plays on.
func (t *Table) bonus(number int, bettor string, why Why, stake int64, odds money.Ratio) {
	out := t.emit(Bonus)
	out.Box, out.Bettor, out.Wager, out.Why = uint8(number), bettor, WagerMain, why
	if stake == Unstated {
		out.Unstated, out.Odds, out.Times = true, odds, 1
	} else {
		out.Stake = stake
		out.Won, out.Rounded = money.Share(stake, odds, t.rules.Table.Unit, t.rules.Table.Rounding)
	}
	t.count(out)
}

// count adds a settlement or a bonus to the round's sums. A bonus is paid on a
// stake that is counted with its wager.
func (t *Table) count(out *Output) {
	t.sums.Unstated = t.sums.Unstated || out.Unstated
	if out.Kind == Settled {
		t.sums.Staked += out.Stake
		t.sums.Returned += out.Returned
	}
	t.sums.Won += out.Won
	t.decided = append(t.decided, *out)
}
