package table

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// need is how far the bank must draw: how many cards it must have.
type need int

const (
	needNothing need = 0
	needSecond  need = 2   // what is open depends on the bank's second card alone
	needAll     need = 255 // as many as its rule has it draw
)

// bankNeed says how far the open wagers need the bank to draw. (Common rule 7.)
func (t *Table) bankNeed() need {
	if t.rules.Bank.Draws == rules.DrawsAlways {
		return needAll
	}
	most := needNothing
	for _, i := range t.inPlay {
		if most = max(most, t.boxes[i].need()); most == needAll {
			break
		}
	}
	return most
}

func (b *box) need() need {
	most := needNothing
	for i := range b.hands {
		if b.hands[i].open == 0 {
			continue
		}
		if !b.blackJack() {
			return needAll
		}
		most = needSecond
	}
	return max(most, b.sideNeed(), b.insuranceNeed())
}

// insuranceNeed says whether an insurance waits for the bank's second card.
func (b *box) insuranceNeed() need {
	for i := range b.bettors {
		if b.bettors[i].Insured != 0 && !b.bettors[i].insuranceDecided {
			return needSecond
		}
	}
	return needNothing
}

// endBank ends the round once the bank needs no more cards.
func (t *Table) endBank() bool {
	if t.game.bankDue(t) {
		return false
	}
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		t.decideBox(b)
		if len(b.sides) > 0 {
			t.sidesByBankEnd(b)
		}
	}
	t.endRound()
	return true
}

// endRound states the round's sums and asks for payment.
func (t *Table) endRound() {
	t.phase = vocab.Payment
	out := t.emit(vocab.RoundDecided)
	t.result = vocab.Result{Bank: t.bank.cards, Sums: t.sums}
	out.Round, out.Total, out.Unstated = t.kept.Round, uint8(t.game.bankTotal(t)), t.sums.Unstated
	out.Result = &t.result
}
