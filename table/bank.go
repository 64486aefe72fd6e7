package table

import "github.com/sabot-table/sabot/table/rules"

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
	most := b.sideNeed()
	for i := range b.bettors {
		if b.bettors[i].Insured != 0 && !b.bettors[i].insuranceDecided {
			most = max(most, needSecond)
		}
	}
	for i := range b.hands {
		if !b.hands[i].open() {
			continue
		}
		if !b.blackJack() {
			return needAll
		}
		most = max(most, needSecond)
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

// endBank ends the round once the bank needs no more cards.
func (t *Table) endBank() bool {
	if t.game.bankDue(t) {
		return false
	}
	for i := range t.boxes {
		t.decideBox(i + 1)
		t.sidesByBankEnd(i + 1)
	}
	t.endRound()
	return true
}

// endRound states the round's sums and asks for payment.
func (t *Table) endRound() {
	t.phase = Payment
	out := t.emit(RoundDecided)
	out.Round, out.Bank, out.Total = t.round, t.bank.cards, uint8(t.game.bankTotal(t))
	out.Sums, out.Unstated = t.sums, t.sums.Unstated
}
