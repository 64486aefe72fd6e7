package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// How many cards the bank must have, for what is open.
const (
	needNothing = 0
	needSecond  = 2
	needAll     = sidebet.ToTheEnd // as many as its rule has it draw
)

// bankNeed says how far the open wagers need the bank to draw. (Common rule 7.)
func (t *Table) bankNeed() int {
	if t.rules.Bank.Draws == rules.DrawsAlways {
		return needAll
	}
	most := needNothing
	for _, i := range t.inPlay {
		if most = max(most, t.boxes[i].need(t.rules)); most == needAll {
			break
		}
	}
	return most
}

func (b *box) need(r *rules.Rules) int {
	most := needNothing
	for i := range b.hands {
		if b.hands[i].open == 0 {
			continue
		}
		if !b.blackJack() && !b.hands[i].value.Bust() && !b.hands[i].left {
			return needAll
		}
		most = needSecond
	}
	return max(most, b.sideNeed(r), b.insuranceNeed())
}

// insuranceNeed says whether an insurance waits for the bank's second card.
func (b *box) insuranceNeed() int {
	for i := range b.bettors {
		if b.bettors[i].Insured != 0 && !b.bettors[i].insuranceDecided {
			return needSecond
		}
	}
	return needNothing
}

// endBank ends the round once the bank needs no more cards.
func (t *Table) endBank() bool {
	if t.bank.hole.lies && t.bank.hole.known != card.None {
		return t.turnHole(t.bank.hole.known) == 0 // it lies open already
	}
	if t.bank.hole.lies || t.game.bankDue(t) {
		return false
	}
	if early := t.early(); early >= 0 { // it was the bank's, which draws none
		t.setAside(t.pickUp(early), 0)
	}
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		t.decideBox(b)
		t.decideSides(b, sidebet.BankEnd)
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
