package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// blackJack is the game of four of the five houses.
type blackJack struct{}

// bankStands is the total from which the bank draws no more. (Common rule 6.)
const bankStands = 17

// bankDraws says whether the bank takes another card by its own rule: to 16 and, where the house has it so, on a soft
// 17.
func (t *Table) bankDraws() bool {
	v := t.bank.value
	total := v.Total()
	return total < bankStands || total == bankStands && v.Soft() && t.rules.Bank.DrawsSoft17()
}

func (*blackJack) cardsDealt() int { return 2 }

func (*blackJack) total(h *boxHand) (int, bool) { return h.value.Total(), h.value.Soft() }

func (g *blackJack) boxTakes(t *Table, b *box, at int, c card.Card) {
	h := &b.hands[at]
	h.cards = append(h.cards, c)
	h.value = h.value.Add(c)
	t.noteLaid(c, vocab.ToBox, b.number, uint8(at+1))
	out := t.emit(vocab.Dealt)
	out.Card, out.To, out.Box, out.Hand = c, vocab.ToBox, b.number, uint8(at+1)
	out.Total, out.Soft = uint8(h.value.Total()), h.value.Soft()
	switch {
	case t.phase != vocab.Deal:
		g.boxGrew(t, b, at)
	case len(h.cards) == 2:
		g.boxDealt(t, b, h)
	}
}

// boxDealt decides what hangs on a box's first two cards.
func (*blackJack) boxDealt(t *Table, b *box, h *boxHand) {
	h.natural = h.value.Total() == hand.Best
	if len(b.sides) > 0 {
		b.second = h.cards[1]
		t.decideSides(b, sidebet.BoxSecond)
	}
	if h.natural {
		t.payBonusBlackJack(b)
	}
}

// bust is what becomes of a hand over 21.
var bust = verdict{outcome: vocab.Lose, why: vocab.WhyBust}

// boxGrew ends a hand that is bust or doubled. (Common rule 5.)
func (*blackJack) boxGrew(t *Table, b *box, at int) {
	h := &b.hands[at]
	switch {
	case h.value.Bust():
		t.handDone(b, at, vocab.DoneBust)
		if !t.mayGoBack(b, h) {
			t.decideHand(b, at, &bust)
		}
		return
	case t.rules.ManyCards != nil && t.rules.ManyCards.Win(len(h.cards), h.split):
		t.handDone(b, at, vocab.DoneAutoRest)
		t.decideHand(b, at, &verdict{outcome: vocab.Win, why: vocab.WhyManyCards, odds: t.rules.ManyCards.Pays})
		return
	case h.doubled && h.done == 0 && !t.mayDoubleAgain(h):
		t.handDone(b, at, vocab.DoneDouble)
	}
	if t.rules.ThreeSevens.Paid {
		t.payThreeSevens(b, at)
	}
}

func (*blackJack) rests(t *Table, b *box, h *boxHand) vocab.Done {
	switch {
	case h.isDead():
		return vocab.DoneDead
	case (h.open == 0 || h.left) && !b.blackJack():
		return vocab.DoneSurrender
	case len(h.cards) < 2:
		return 0
	case b.blackJack():
		return vocab.DoneBlackJack
	case t.oneCard(h) && !t.maySplit(b, h):
		return vocab.DoneSplitAce
	case h.doubled && !t.mayDoubleAgain(h): // whoever doubled has left since
		return vocab.DoneDouble
	case h.value.Total() == hand.Best && t.rules.Play.AutoRestAt21:
		return vocab.DoneAutoRest
	case !t.mayDraw(h) && !h.doubled && t.allowed(b, h) == vocab.Calls(0).With(vocab.CallRest):
		return vocab.DoneAutoRest
	}
	return 0
}

func (*blackJack) allowed(t *Table, b *box, h *boxHand) vocab.Calls { return t.allowed(b, h) }

// oneCard says whether a hand gets one card after its split: aces do, unless the house says otherwise.
func (t *Table) oneCard(h *boxHand) bool { return h.aces && !t.rules.Split.DrawsAces() }

// mayDraw says whether a hand may get another card, by what it counts.
func (t *Table) mayDraw(h *boxHand) bool {
	return t.rules.Play.MayDraw(h.value.Total(), h.value.Soft())
}

// allowed are the calls of Black Jack that a hand may make.
func (t *Table) allowed(b *box, h *boxHand) vocab.Calls {
	calls := vocab.Calls(0).With(vocab.CallRest)
	switch {
	case h.doubled && t.mayDoubleAgain(h):
		return calls.With(vocab.CallDouble)
	case h.doubled:
		return calls
	}
	if t.mayDraw(h) && !t.oneCard(h) {
		calls = calls.With(vocab.CallCard)
		if !t.rules.Play.MayRest(h.value.Total()) {
			calls = calls.Without(vocab.CallRest)
		}
	}
	if t.mayDouble(h) {
		calls = calls.With(vocab.CallDouble)
	}
	if len(h.cards) != 2 {
		return calls
	}
	if t.maySplit(b, h) {
		calls = calls.With(vocab.CallSplit)
	}
	if t.maySurrender(b, h) {
		calls = calls.With(vocab.CallSurrender)
	}
	return calls
}

// mayDoubleAgain says whether a doubled hand may be doubled once more.
func (t *Table) mayDoubleAgain(h *boxHand) bool {
	return t.rules.Double.MayAgain() && !h.again && h.lies() == 2 && h.value.Total() < hand.Best && t.mayDraw(h)
}

// mayDouble says whether a hand's cards, two unless the house says more, may be doubled.
func (t *Table) mayDouble(h *boxHand) bool {
	rule := &t.rules.Double
	return len(h.cards) <= t.doubleCards && t.doubles.has(h.value.Total()) && !t.oneCard(h) && t.mayDraw(h) &&
		(!h.split || rule.AfterSplit) && (!rule.HardOnly || !h.value.Soft())
}

// totals is a set of totals.
type totals uint32

func (s totals) has(total int) bool { return s>>total&1 == 1 }

// doublesOf are the totals of two cards that a rule lets be doubled.
func doublesOf(rule *rules.Double) totals {
	switch {
	case !rule.Allowed:
		return 0
	case len(rule.On) == 0:
		return ^totals(0)
	}
	var on totals
	for _, total := range rule.On {
		on |= 1 << total
	}
	return on
}

// mostHands is the last hand's number that an output can name: more than any shoe
// has cards for.
const mostHands = 255

// maySplit says whether the hand's two cards have the same point value and the
// box may split once more. (Common rules 12 and 13.)
func (t *Table) maySplit(b *box, h *boxHand) bool {
	if len(h.cards) != 2 || !hand.Pair(h.cards[0], h.cards[1]) {
		return false
	}
	rule := &t.rules.Split
	if rule.ByRank() && h.cards[0].Rank() != h.cards[1].Rank() || !rule.Allows(hand.Points(h.cards[0].Rank())) {
		return false
	}
	return (!h.aces || rule.AcesAgain) && (rule.Max == rules.Unlimited || b.splits < rule.Max) &&
		len(b.hands) < mostHands
}

// blackJack says whether the box has a Black Jack: an ace and a ten-value as the
// first two cards of an unsplit box. (Common rule 4.)
func (b *box) blackJack() bool {
	return b.hands[0].natural
}

// bonusBlackJack says whether the box has jack and ace of spades where they are
// more than a Black Jack. (St. Moritz, "Blackjack bonus".)
func (t *Table) bonusBlackJack(b *box) bool {
	jack, ace := card.Of(card.Jack, card.Spades), card.Of(card.Ace, card.Spades)
	return t.rules.Pays.BonusBlackJack != nil && b.blackJack() &&
		slices.Contains(b.hands[0].cards, jack) && slices.Contains(b.hands[0].cards, ace)
}

// payBonusBlackJack pays it as soon as its second card lies, whatever the bank
// will have; the box is finished.
func (t *Table) payBonusBlackJack(b *box) {
	if !t.bonusBlackJack(b) {
		return
	}
	h := &b.hands[0]
	h.done = vocab.DoneBlackJack
	t.tellDone(b, 0, vocab.DoneBlackJack)
	t.decideHand(b, 0, &verdict{outcome: vocab.Win, why: vocab.WhyBonusBlackJack, odds: *t.rules.Pays.BonusBlackJack})
}

// payThreeSevens pays 7-7-7 as a hand's first three cards, on the stakes as they
// were placed; the stakes play on. (Common rule 15.)
func (t *Table) payThreeSevens(b *box, at int) {
	h := &b.hands[at]
	if len(h.cards) != 3 || h.split && !t.rules.ThreeSevens.AfterSplit {
		return
	}
	for _, c := range h.cards {
		if c.Rank() != 7 {
			return
		}
	}
	for i := range h.wagers {
		w := &h.wagers[i]
		if dead := t.dies(b, at, w, nil); !w.settled && dead == nil {
			t.bonus(b, b.bettors[w.bettor].Name, vocab.WhyThreeSevens, w.stake, t.rules.Pays.ThreeSevens)
		}
	}
}

// payEarlyBlackJack pays the active box's Black Jack when the bank can no longer
// have one. (Common rule 10.)
func (t *Table) payEarlyBlackJack() {
	if !t.bankMayHaveBlackJack() {
		t.decideBox(&t.boxes[t.at.box])
	}
}

// bankTakes decides what the bank's first card takes away, and what its second
// decides: insurance, wagers on its Black Jack, and the Black Jacks that had to
// wait for it.
func (*blackJack) bankTakes(t *Table, c card.Card) {
	t.bank.cards = append(t.bank.cards, c)
	t.bank.value = t.bank.value.Add(c)
	t.noteLaid(c, vocab.ToBank, 0, 0)
	t.bank.natural = len(t.bank.cards) == 2 && t.bank.value.Total() == hand.Best
	out := t.emit(vocab.Dealt)
	out.Card, out.To = c, vocab.ToBank
	out.Total, out.Soft = uint8(t.bank.value.Total()), t.bank.value.Soft()
	switch len(t.bank.cards) {
	case 1:
		t.byBankFirst()
	case 2:
		t.byBankSecond()
	}
}

// byBankFirst takes in what the bank's first card has lost: a Black Jack of the bank that
// cannot come any more, Crazy Twins that do not match.
func (t *Table) byBankFirst() {
	for _, i := range t.inPlay {
		t.decideSides(&t.boxes[i], sidebet.BankFirst)
	}
}

func (t *Table) byBankSecond() {
	insured, waited := t.isInsured(t.bank.cards[0]), t.mayWait()
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		if t.bankBlackJack() || b.blackJack() {
			t.decideBox(b)
		}
		if waited {
			t.decideWaiting(b)
		}
		if insured {
			t.decideInsurance(b)
		}
		t.decideSides(b, sidebet.BankSecond)
	}
	if t.rules.Jackpot != nil {
		t.decideJackpot()
	}
}

func (t *Table) bankBlackJack() bool { return t.bank.natural }

// bankDue: the bank draws to 16, but only what an open wager needs. (Common rules
// 6 and 7.)
func (*blackJack) bankDue(t *Table) bool {
	switch t.bankNeed() {
	case needNothing:
		return false
	case needSecond:
		return len(t.bank.cards) < 2
	default:
		return len(t.bank.cards) < 2 || t.bankDraws()
	}
}

func (*blackJack) bankTotal(t *Table) int { return t.bank.value.Total() }

// blackJackPays is what a Black Jack pays: one of one suit may pay more.
func (t *Table) blackJackPays(h *boxHand) money.Ratio {
	if suited := t.rules.Pays.BlackJackSuited; suited != nil && h.cards[0].Suit() == h.cards[1].Suit() {
		return *suited
	}
	return t.rules.Pays.BlackJack
}

// judge: a Black Jack beats every other 21, and on a split hand there is none.
// (Common rules 4, 8 and 9.)
func (*blackJack) judge(t *Table, b *box, h *boxHand) verdict {
	total, bank := h.value.Total(), t.bank.value.Total()
	pays := &t.rules.Pays
	switch {
	case b.blackJack() && t.bankBlackJack():
		return verdict{outcome: vocab.StandOff, why: vocab.WhyTie}
	case b.blackJack():
		return verdict{outcome: vocab.Win, why: vocab.WhyBlackJack, odds: t.blackJackPays(h)}
	case t.bankBlackJack():
		return verdict{outcome: vocab.Lose, why: vocab.WhyBankBlackJack}
	case h.value.Bust():
		return bust
	case h.left:
		return givenUp
	case t.rules.Bank.Pushes(bank):
		return verdict{outcome: vocab.StandOff, why: vocab.WhyBank22}
	case bank > hand.Best:
		return verdict{outcome: vocab.Win, why: vocab.WhyBankBust, odds: pays.Win}
	case total > bank:
		return verdict{outcome: vocab.Win, why: vocab.WhyHigherTotal, odds: pays.Win}
	case total == bank && t.rules.Bank.TakesTie(bank):
		return verdict{outcome: vocab.Lose, why: vocab.WhyTie}
	case total == bank:
		return verdict{outcome: vocab.StandOff, why: vocab.WhyTie}
	default:
		return verdict{outcome: vocab.Lose, why: vocab.WhyLowerTotal}
	}
}
