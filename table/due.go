package table

// Due is the one set of things that may come next. (See the transcript's "due".)
type Due struct {
	To   To
	Box  uint8
	Hand uint8
	// Allowed are the calls that may be taken; only with ToCall.
	Allowed Calls
}

// Due returns what may come next. While the round is held it is what will be due
// when the round goes on.
func (t *Table) Due() Due {
	if t.rules == nil {
		return Due{To: ToNothing}
	}
	return t.nextDue()
}

func (t *Table) nextDue() Due {
	switch t.phase {
	case Deal:
		return t.dealDue()
	case InsuranceOffer:
		return Due{To: ToInsurance}
	case Play:
		return t.playDue()
	case BankDraws:
		return Due{To: ToBank}
	case Payment:
		return Due{To: ToPayment}
	}
	return Due{To: ToNothing}
}

// playDue is a card when one has been called or a split hand lacks its second,
// else a call.
func (t *Table) playDue() Due {
	due := Due{To: ToCall, Box: uint8(t.at.box + 1), Hand: uint8(t.at.hand + 1)}
	b, h := t.active()
	if t.cardCalled || len(h.cards) < t.firstCards {
		due.To = ToBox
		return due
	}
	due.Allowed = t.game.allowed(t, b, h)
	return due
}

// announceDue tells what is due, if that has changed since it was told last.
func (t *Table) announceDue() {
	due, last := t.nextDue(), t.due
	if due == last {
		return
	}
	t.due = due
	if due.To == ToNothing && last.To == 0 {
		return
	}
	out := t.emit(DueChanged)
	out.To, out.Box, out.Hand, out.Allowed = due.To, due.Box, due.Hand, due.Allowed
}
