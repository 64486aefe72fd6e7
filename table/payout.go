package table

import "github.com/sabot-table/sabot/table/vocab"

// This file is what was really paid where it is not what is due, and a supervisor has accepted it.

// other is one of the decided wagers, of which something else was laid out than was due.
type other struct {
	nth         int
	owed, given int64
}

// PaidOtherwise returns what was to be laid out for the wager that was decided as the nth of the round, from 0, and
// what was; differs is false where nobody has paid anything else.
func (t *Table) PaidOtherwise(nth int) (owed, given int64, differs bool) {
	for _, one := range t.others {
		if one.nth == nth {
			return one.owed, one.given, true
		}
	}
	return 0, 0, false
}

// otherwise sums what was due and what was paid where the two differ.
func (t *Table) otherwise() (owed, given int64) {
	for _, one := range t.others {
		owed, given = owed+one.owed, given+one.given
	}
	return owed, given
}

// Over returns how much more was paid in the round than was due.
func (t *Table) Over() int64 {
	owed, given := t.otherwise()
	return given - owed
}

// asPaid is the nth decided wager with what was won on it as it was paid.
func (t *Table) asPaid(nth int) *vocab.Output {
	one := t.decided[nth]
	if owed, given, differs := t.PaidOtherwise(nth); differs {
		one.Won += given - owed
	}
	return &one
}

// payOtherwise notes what was paid where it was accepted. Of a sum over several wagers, what is too much is on the
// first that is paid anything, and what is missing on the last ones: nobody has said whose it was.
func (t *Table) payOtherwise(i *Irregularity, in *vocab.Input) {
	list := t.openTo(&vocab.Input{Box: i.Box, Bettor: i.Bettor})
	more := i.Given - i.Owed
	if len(list) == 0 || i.Box != 0 && t.boxes[i.Box-1].paid {
		return // it was paid before, and said once more
	}
	if more > 0 {
		at := 0
		for k := range list {
			if list[k].owed > 0 {
				at = k
				break
			}
		}
		list[at].given += more
	}
	for k := len(list) - 1; k >= 0 && more < 0; k-- {
		less := min(list[k].owed, -more)
		list[k].given, more = list[k].given-less, more+less
	}
	if more < 0 {
		list[0].given += more // so much was taken instead
	}
	for _, one := range list {
		if one.given != one.owed {
			t.others = append(t.others, one)
			t.tellPayout(one, in)
		}
	}
}

// openTo lists what is to be laid out for each wager of which a payment speaks. Where all of them are paid, the first
// is listed with nothing.
func (t *Table) openTo(in *vocab.Input) (list []other) {
	first := -1
	for i := range t.decided {
		if !means(in, &t.decided[i]) {
			continue
		}
		if first < 0 {
			first = i
		}
		if t.unpaid(i) {
			sum, _ := t.layOut(i)
			list = append(list, other{i, sum, sum})
		}
	}
	if len(list) == 0 && first >= 0 {
		list = append(list, other{nth: first})
	}
	return list
}

func (t *Table) tellPayout(one other, in *vocab.Input) {
	decided := &t.decided[one.nth]
	out := t.emit(vocab.Payout)
	out.Box, out.Hand, out.Bettor, out.Wager, out.Why = decided.Box, decided.Hand, decided.Bettor, decided.Wager,
		decided.Why
	out.Trouble = &vocab.Trouble{
		Payment: vocab.PaymentTold{Owed: one.owed, Given: one.given}, By: in.By, Because: in.Because,
	}
}
