package table

import "github.com/sabot-table/sabot/table/vocab"

// Due returns what may come next. While the round is held it is what will be due
// when the round goes on.
func (t *Table) Due() vocab.Due {
	if t.rules == nil {
		return vocab.Due{To: vocab.ToNothing}
	}
	return t.nextDue()
}

// nextDue is, while a hand plays, a card when one has been called or a split hand lacks
// its second, else a call.
func (t *Table) nextDue() vocab.Due {
	if t.covered != 0 {
		return vocab.Due{To: vocab.ToTurn}
	}
	switch t.phase {
	case vocab.Deal:
		return t.dealDue()
	case vocab.InsuranceOffer:
		return vocab.Due{To: vocab.ToInsurance}
	case vocab.Play:
		due := vocab.Due{To: vocab.ToBox, Spot: vocab.Spot{Box: uint8(t.at.box + 1), Hand: uint8(t.at.hand + 1)}}
		if b, h := t.active(); !t.cardCalled && len(h.cards) >= t.firstCards {
			due.To, due.Allowed = vocab.ToCall, t.game.allowed(t, b, h)
		}
		return due
	case vocab.Look:
		return vocab.Due{To: vocab.ToLook}
	case vocab.BankDraws:
		if t.bank.hole.lies {
			return vocab.Due{To: vocab.ToTurn}
		}
		return vocab.Due{To: vocab.ToBank}
	case vocab.Payment:
		return vocab.Due{To: vocab.ToPayment}
	case vocab.Idle:
		if t.burnsNow() {
			return vocab.Due{To: vocab.ToAside, Cards: uint8(t.burning.Cards)}
		}
	}
	return vocab.Due{To: vocab.ToNothing}
}

// announceDue tells what is due, if that has changed since it was told last.
func (t *Table) announceDue() {
	due, last := t.nextDue(), t.due
	if due == last {
		return
	}
	t.due = due
	if due.To == vocab.ToNothing && last.To == 0 {
		return
	}
	out := t.emit(vocab.DueChanged)
	out.To, out.Box, out.Hand, out.Allowed, out.Times = due.To, due.Box, due.Hand, due.Allowed, due.Cards
}
