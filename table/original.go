package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is about houses in which a Black Jack of the bank takes original bets only. Of each bettor it takes the
// stake as it was placed, once on a box: from the first of the hands on which something of his lies, in the order in
// which they are played. All else goes back. So a hand over 21 is not taken while some of it may still go back, unless
// the house takes these at once, besides.

// mayGoBack says whether some of what lies on a hand goes back if the bank has a Black Jack, which it still may.
func (t *Table) mayGoBack(b *box, h *boxHand) bool {
	return t.rules.Bank.TakesOriginal() && !t.rules.Bank.TakesBusted() &&
		(h.doubled || len(b.hands) > 1) && t.bankMayHaveBlackJack()
}

// bankMayHaveBlackJack says whether the bank has a card that may become a Black Jack.
func (t *Table) bankMayHaveBlackJack() bool {
	if len(t.bank.cards) != 1 || t.bank.hole.seen == vocab.HoleNoBlackJack {
		return false
	}
	up := t.bank.cards[0].Rank()
	return up == card.Ace || hand.TenValue(up)
}

// makesBlackJack says whether a card and the bank's first one are a Black Jack.
func (t *Table) makesBlackJack(c card.Card) bool {
	return hand.BlackJack([]card.Card{t.bank.cards[0], c})
}

// mayWait says whether hands that are over 21 or given up may wait for the bank's second card.
func (t *Table) mayWait() bool { return t.rules.Bank.TakesOriginal() || t.rules.LateSurrender() }

// decideWaiting decides those that have waited.
func (t *Table) decideWaiting(b *box) {
	for i := range b.hands {
		if h := &b.hands[i]; h.open > 0 && (h.value.Bust() || h.left) {
			v := t.game.judge(t, b, h)
			t.decideHand(b, i, &v)
		}
	}
}

// originalOnly is what a Black Jack of the bank takes of a wager, where it takes original bets only.
func (t *Table) originalOnly(b *box, w *handWager, lost *verdict) verdict {
	switch {
	case b.lostOriginal(w.bettor, t.rules.Bank.TakesBusted()):
		return verdict{outcome: vocab.StandOff, why: vocab.WhyOriginalBets}
	case w.less > 0:
		return verdict{outcome: vocab.PartLost, why: lost.why, odds: money.Ratio{Num: w.less, Den: w.amount()}}
	case w.times > 1:
		return verdict{outcome: vocab.PartLost, why: lost.why, odds: money.Ratio{Num: w.times - 1, Den: w.times}}
	}
	return *lost
}

// lostOriginal says whether the bank's Black Jack has taken a bettor's stake on the box. Hands over 21 may be lost
// besides.
func (b *box) lostOriginal(bettor int, besides bool) bool {
	for i := range b.hands {
		if besides && b.hands[i].value.Bust() {
			continue
		}
		for k := range b.hands[i].wagers {
			w := &b.hands[i].wagers[k]
			if w.bettor == bettor && w.settled && !w.dead && (w.outcome == vocab.Lose || w.outcome == vocab.PartLost) {
				return true
			}
		}
	}
	return false
}
