package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
)

// bankStands is the total from which the bank draws no more, soft or hard.
// (Common rule 6.)
const bankStands = 17

// need is how far the bank must draw.
type need uint8

const (
	needNothing need = iota
	needSecond       // what is open hangs on the bank's second card alone
	needAll
)

// bankNeed says how far the open wagers need the bank to draw. (Common rule 7.)
func (t *Table) bankNeed() need {
	if t.rules.Bank.Draws == rules.DrawsAlways {
		return needAll
	}
	most := needNothing
	for i := range t.boxes {
		most = max(most, t.boxes[i].need())
	}
	return most
}

func (b *box) need() need {
	most := needNothing
	for i := range b.bettors {
		if b.bettors[i].Insured > 0 {
			most = needSecond
		}
	}
	for i := range b.hands {
		if !b.hands[i].open() {
			continue
		}
		if !b.blackJack() {
			return needAll
		}
		most = needSecond
	}
	return most
}

// open says whether a wager on the hand is not decided yet.
func (h *boxHand) open() bool {
	for i := range h.wagers {
		if !h.wagers[i].settled {
			return true
		}
	}
	return false
}

// bankDue says whether the bank must draw another card.
func (t *Table) bankDue() bool {
	switch t.bankNeed() {
	case needNothing:
		return false
	case needSecond:
		return len(t.bank.cards) < 2
	default:
		return len(t.bank.cards) < 2 || t.bank.value.Total() < bankStands
	}
}

func (t *Table) bankBlackJack() bool { return hand.BlackJack(t.bank.cards) }

// bankGrew decides what the bank's second card decides: insurance, and the Black
// Jacks that had to wait for it.
func (t *Table) bankGrew() {
	if len(t.bank.cards) != 2 {
		return
	}
	for i := range t.boxes {
		b := &t.boxes[i]
		if t.bankBlackJack() || b.blackJack() {
			t.decideBox(i + 1)
		}
		t.decideInsurance(i + 1)
	}
}

// payEarlyBlackJack pays the active box's Black Jack when the bank can no longer
// have one. (Common rule 10.)
func (t *Table) payEarlyBlackJack() {
	up := t.bank.cards[0].Rank()
	if up == card.Ace || hand.TenValue(up) {
		return
	}
	t.decideBox(t.at.box + 1)
}

// endBank ends the round once the bank needs no more cards.
func (t *Table) endBank() bool {
	if t.bankDue() {
		return false
	}
	for i := range t.boxes {
		t.decideBox(i + 1)
	}
	t.endRound()
	return true
}

// endRound states the round's sums and asks for payment.
func (t *Table) endRound() {
	t.phase = Payment
	out := t.emit(RoundDecided)
	out.Round, out.Bank, out.Total = t.round, t.bank.cards, uint8(t.bank.value.Total())
	out.Sums = t.sums
}
