package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
)

// half is the part of a stake that may be insured.
var half = money.Ratio{Num: 1, Den: 2}

// offersInsurance says whether the dealer must ask: the bank shows an ace and
// somebody can insure or take even money. (Common rules 16 and 17.)
func (t *Table) offersInsurance() bool {
	if t.bank.cards[0].Rank() != card.Ace {
		return false
	}
	for i := range t.boxes {
		b := &t.boxes[i]
		if t.offersEvenMoney(b) {
			return true
		}
		for j := range b.bettors {
			if t.mostInsured(&b.bettors[j]) > 0 {
				return true
			}
		}
	}
	return false
}

func (t *Table) offersEvenMoney(b *box) bool {
	return t.rules.Insurance.EvenMoney && b.played() && b.blackJack()
}

// mostInsured is half the bettor's stake, rounded down to the payable unit.
func (t *Table) mostInsured(b *Bettor) int64 {
	most, _ := money.Share(b.Stake, half, t.rules.Table.Unit, money.Down)
	return most
}

// insuranceCall takes a call of one bettor while insurance is offered, or ends
// the offer.
func (t *Table) insuranceCall(in *Input) Reason {
	if t.phase != InsuranceOffer {
		return NotOffered
	}
	if in.Call == CallInsuranceClosed {
		t.startPlay()
		return 0
	}
	if !t.hasBox(in.Box) {
		return UnknownBox
	}
	b := &t.boxes[in.Box-1]
	if !b.played() {
		return BoxNotPlayed
	}
	at := b.find(in.Bettor)
	if at < 0 {
		return UnknownBettor
	}
	if in.Call == CallEvenMoney {
		return t.evenMoney(in.Box, at)
	}
	return t.insure(&b.bettors[at], in.Amount)
}

// insure places, replaces or, with amount 0, withdraws an insurance.
func (t *Table) insure(b *Bettor, amount int64) Reason {
	most := t.mostInsured(b)
	switch {
	case b.EvenMoney:
		return NotOffered
	case amount < 0:
		return BelowMinimum
	case amount > most:
		return AboveMaximum
	case amount%t.rules.Table.Unit != 0:
		return NotAMultiple
	}
	b.Insured = amount
	return 0
}

// evenMoney pays a bettor's Black Jack 1:1 at once. It and insurance exclude each
// other. (Common rule 17.)
func (t *Table) evenMoney(number, at int) Reason {
	b := &t.boxes[number-1]
	bettor := &b.bettors[at]
	if !t.offersEvenMoney(b) || bettor.EvenMoney || bettor.Insured > 0 {
		return NotOffered
	}
	bettor.EvenMoney = true
	t.decideWager(number, 0, at, verdict{Win, WhyEvenMoney, t.rules.Pays.EvenMoney})
	return 0
}

// blackJack says whether the box has a Black Jack: an ace and a ten-value as the
// first two cards of an unsplit box. (Common rule 4.)
func (b *box) blackJack() bool {
	return len(b.hands) == 1 && hand.BlackJack(b.hands[0].cards)
}
