package secondbook

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// original reports whether the house lets its Black Jack take original bets only.
func (b *Book) original() bool {
	takes := b.rules.Bank.Takes
	return takes != nil && *takes == rules.TakesOriginal
}

// busted reports whether it takes them beside the hands that were over 21 before.
func (b *Book) busted() bool {
	takes := b.rules.Bank.Takes
	return takes != nil && *takes == rules.TakesBusted
}

// mayGetBack: with original bets only, what was laid on a hand besides the original bet comes back from the bank's
// Black Jack. It was laid by doubling or by splitting, and the bank's first card must let it have one.
func (b *Book) mayGetBack(r *row) bool {
	if !b.original() || !b.mayHaveBlackJack() {
		return false
	}
	if b.page.hands(r.box) > 1 {
		return true
	}
	for i := range b.page.wagers {
		if w := &b.page.wagers[i]; w.place == r.place && (w.times > 1 || w.less > 0) {
			return true
		}
	}
	return false
}

// takesOfBettor: with original bets only, a bettor loses one stake to the bank's Black Jack on a box, whatever he has
// laid there since. It is that of the earliest of his hands.
func (b *Book) takesOfBettor(w *wager, all verdict) verdict {
	if !b.original() && !b.busted() {
		return all
	}
	for i := range b.page.lines[:len(b.page.lines)-1] {
		l := &b.page.lines[i]
		if l.box == w.box && l.name == w.name && l.wager == vocab.WagerMain && l.why == vocab.WhyBankBlackJack {
			return tied(vocab.WhyOriginalBets, all.reason)
		}
	}
	if w.less > 0 {
		return verdict{
			outcome: vocab.PartLost, why: vocab.WhyBankBlackJack, reason: all.reason,
			odds: money.Ratio{Num: w.less, Den: w.amount()},
		}
	}
	if w.times > 1 {
		return verdict{
			outcome: vocab.PartLost, why: vocab.WhyBankBlackJack, reason: all.reason,
			odds: money.Ratio{Num: w.times - 1, Den: w.times},
		}
	}
	return all
}
