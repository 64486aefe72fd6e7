package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// half is the part of a stake that may be insured, and that comes back from a
// surrender.
var half = money.Ratio{Num: 1, Den: 2}

// offersInsurance says whether the dealer must ask: insurance is offered against the bank's card, and
// somebody can insure or take even money. (Common rules 16 and 17.)
func (t *Table) offersInsurance() bool {
	if len(t.bank.cards) == 0 || !t.isInsured(t.bank.cards[0]) {
		return false
	}
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		if t.offersEvenMoney(b) && b.hands[0].open > 0 {
			return true
		}
		for j := range b.bettors {
			if !b.hands[0].wagers[j].dead && t.mayInsure(b) && t.mostInsured(&b.bettors[j]) != 0 {
				return true
			}
		}
	}
	return false
}

// isInsured says whether insurance is offered against a card of the bank: an ace, or a ten where the house has it so.
func (t *Table) isInsured(up card.Card) bool {
	return up.Rank() == card.Ace || t.rules.Insurance.InsuresTens() && hand.TenValue(up.Rank())
}

func (t *Table) offersEvenMoney(b *box) bool {
	return t.rules.Insurance.EvenMoney && t.bank.cards[0].Rank() == card.Ace && b.blackJack() && !t.bonusBlackJack(b)
}

// mayInsure says whether insurance is for the box's bettors: not where a Black
// Jack is offered even money only (Mendrisio), nor where it is paid already.
func (t *Table) mayInsure(b *box) bool {
	rule := &t.rules.Insurance
	return rule.Against(t.bank.cards[0].Rank()) && (rule.BlackJack || !b.blackJack()) && !t.bonusBlackJack(b)
}

// mostInsured is half the bettor's stake, rounded down to the payable unit.
func (t *Table) mostInsured(b *Bettor) int64 {
	if b.Stake == vocab.Unstated {
		return vocab.Unstated
	}
	most, _ := money.Share(b.Stake, half, t.rules.Table.Unit, money.Down)
	return most
}

// offerCall takes a call of one bettor while insurance or a surrender is offered, or ends
// the offer.
func (t *Table) offerCall(in *vocab.Input) vocab.Reason {
	if t.phase != vocab.InsuranceOffer {
		return vocab.NotOffered
	}
	if in.Call == vocab.CallInsuranceClosed {
		t.goneOn(len(t.decided))
		t.afterOffer()
		return 0
	}
	if !t.hasBox(in.Box) {
		return vocab.UnknownBox
	}
	b := &t.boxes[in.Box-1]
	if !b.played() {
		return vocab.BoxNotPlayed
	}
	at := b.find(in.Bettor)
	switch {
	case at < 0:
		return vocab.UnknownBettor
	case b.hands[0].wagers[at].dead:
		return vocab.NotOffered
	case in.Call == vocab.CallEvenMoney:
		return t.evenMoney(b, at)
	case in.Call == vocab.CallSurrender:
		return t.surrenderFirst(b, at)
	case !t.mayInsure(b) || b.bettors[at].EvenMoney || b.hasLeft(at):
		return vocab.NotOffered
	}
	return t.insure(&b.bettors[at], in)
}

// insure places, replaces or, with amount 0, withdraws an insurance. Of a stake
// whose amount nobody knows the insurance has none either.
func (t *Table) insure(b *Bettor, in *vocab.Input) vocab.Reason {
	if in.Stated && in.Amount == 0 {
		b.Insured = 0
		return 0
	}
	amount, most := statedAmount(in), t.mostInsured(b)
	if amount == vocab.Unstated || most == vocab.Unstated {
		if amount != most {
			return vocab.NotTheAmount
		}
		b.Insured = vocab.Unstated
		return 0
	}
	switch {
	case amount < 0:
		return vocab.BelowMinimum
	case t.rules.Insurance.Exactly && amount != most:
		return vocab.NotTheAmount
	case amount > most:
		return vocab.AboveMaximum
	case amount%t.rules.Table.Unit != 0:
		return vocab.NotAMultiple
	}
	b.Insured = amount
	return 0
}

// evenMoney pays a bettor's Black Jack 1:1 at once. It and insurance exclude each
// other. (Common rule 17.)
func (t *Table) evenMoney(b *box, at int) vocab.Reason {
	bettor := &b.bettors[at]
	if !t.offersEvenMoney(b) || bettor.EvenMoney || bettor.Insured != 0 {
		return vocab.NotOffered
	}
	bettor.EvenMoney = true
	t.decideWager(b, 0, &b.hands[0].wagers[at],
		&verdict{outcome: vocab.Win, why: vocab.WhyEvenMoney, odds: t.rules.Pays.EvenMoney})
	t.decideSides(b, sidebet.LastHand)
	return 0
}
