package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file deals a corrected round again, and tells what has changed.

// fault is the input of a round that does not follow from a correction.
type fault struct {
	in    vocab.Input
	mark  mark
	cause vocab.Reason // 0 for none
	// direct: it is the correction's own input that is refused.
	direct bool
}

// redealt is a round that was dealt again, what was told then, and what did not follow.
type redealt struct {
	table *Table
	told  []vocab.Output
	fault fault
}

// redeal deals a round at a table of its own. With filled, what a hand decided by itself is
// decided as the play has gone on: one that had ended and could call now rests.
func (t *Table) redeal(h *history, filled bool) *redealt {
	d := &dealer{table: &Table{people: t.people}, was: t, filled: filled}
	n := d.table
	n.setUp(t.rules)
	n.history.begin(&h.before)
	n.history.moves, n.history.moved, n.again = h.moves, slices.Clone(t.history.moved), true
	n.kept.set(&h.before)
	n.openRound()
	n.ahead = h.deaths()
	n.history.note(&vocab.Input{Kind: vocab.InOpen})
	for i, p := range h.inputs[1:] {
		d.in, d.mark = h.input(p), p.mark
		cause := d.next()
		switch {
		case cause != 0 && d.stuck.cause != 0:
			return &redealt{fault: d.stuck}
		case cause != 0:
			return &redealt{fault: fault{d.in, p.mark, cause, i+1 == h.edited}}
		}
	}
	n.holdWins()
	n.tellMoved()
	for i := range n.boxes {
		if n.boxes[i].paid {
			n.emit(vocab.Stands).Trouble = &vocab.Trouble{Stand: &vocab.Input{Kind: vocab.InPaid, Box: i + 1}}
		}
	}
	return &redealt{table: n, told: n.out}
}

// dealer deals a round again.
type dealer struct {
	table, was *Table
	filled     bool
	in         vocab.Input // the one that comes next
	paid       vocab.Input // the payment that came last
	mark       mark        // where the table stood when it came first
	stuck      fault       // a hand that cannot rest though nothing was called for it
}

// next puts the next input in, or passes over it where nothing is left for it to do.
func (d *dealer) next() vocab.Reason {
	switch d.in.Kind {
	case vocab.InCall:
		return d.call()
	case vocab.InCard, vocab.InHole:
		return d.card()
	case vocab.InCorrect:
		if d.in.Correct.What == vocab.Came {
			return d.card()
		}
	case vocab.InResolve:
		return d.resolve()
	case vocab.InPaid:
		d.paid = d.in
		d.pay()
		return 0
	case vocab.InHold:
		if d.table.heldByHand() {
			return 0
		}
	case vocab.InJackpot:
		if !d.table.linked.asked { // nobody has won it any more
			return 0
		}
	}
	return d.putInput(&d.in)
}

// putInput takes an input as Step does.
func (d *dealer) putInput(in *vocab.Input) vocab.Reason {
	t := d.table
	t.brought, t.righted = 0, 0
	t.due = t.nextDue()
	d.tellStands(in)
	if reason := t.takeInput(in); reason != 0 {
		return reason
	}
	t.remember(in)
	t.settleDown()
	return 0
}

// tellStands tells of an input whose meaning does not follow from what is told after it.
func (d *dealer) tellStands(in *vocab.Input) {
	switch in.Kind {
	case vocab.InStake, vocab.InClose, vocab.InCall, vocab.InCorrect:
	case vocab.InResolve:
		if in.With != irregularity.VoidRound {
			return
		}
	default:
		return
	}
	stand := vocab.Input{
		Kind: in.Kind, Call: in.Call, With: in.With, Box: in.Box, Bettor: in.Bettor, Bettors: in.Bettors,
		Wager: in.Wager, Amount: in.Amount, Stated: in.Stated, Hand: in.Hand,
		Correct: vocab.Correct{What: in.Correct.What, Outcome: in.Correct.Outcome},
		Card:    in.Card,
	}
	if in.Kind == vocab.InCall && in.Bettor == "" && d.table.due.To == vocab.ToCall {
		stand.Box, stand.Hand = int(d.table.due.Box), d.table.due.Hand
	}
	d.table.emit(vocab.Stands).Trouble = &vocab.Trouble{Stand: &stand}
}

// call makes a call that was made, of the hand that made it.
func (d *dealer) call() vocab.Reason {
	t := d.table
	switch d.in.Call {
	case vocab.CallInsurance, vocab.CallEvenMoney:
		return d.putInput(&d.in)
	case vocab.CallSurrender:
		if d.in.Bettor != "" {
			return d.putInput(&d.in)
		}
	case vocab.CallInsuranceClosed:
		if t.phase != vocab.InsuranceOffer {
			return 0
		}
		return d.putInput(&d.in)
	}
	d.goOn()
	if due := t.nextDue(); due.To != vocab.ToCall || due.Box != d.mark.box || due.Hand != d.mark.hand {
		if d.in.Call == vocab.CallRest && d.over() && len(t.held) == 0 {
			return 0
		}
		return vocab.CallNotAllowed
	}
	return d.putInput(&d.in)
}

// over says whether the hand that the input was for has ended by itself.
func (d *dealer) over() bool {
	if d.mark.box == 0 {
		return false
	}
	hands := d.table.boxes[d.mark.box-1].hands
	return int(d.mark.hand) <= len(hands) && d.table.Hand(int(d.mark.box), int(d.mark.hand)).Done != 0
}

// card lets a card come.
func (d *dealer) card() vocab.Reason {
	switch d.mark.to {
	case vocab.ToBox, vocab.ToBank, vocab.ToCall, vocab.ToHole, vocab.ToLook, vocab.ToTurn:
		d.goOn()
	}
	return d.putInput(&d.in)
}

// goOn decides, where the play has gone on, what is not decided any more: hands rest, and
// nobody insures.
func (d *dealer) goOn() {
	t := d.table
	d.stuck = fault{}
	if !d.filled || len(t.held) > 0 {
		return
	}
	if t.phase == vocab.InsuranceOffer && d.mark.to != vocab.ToInsurance {
		d.putInput(&vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
	}
	for due := t.nextDue(); due.To == vocab.ToCall && len(t.held) == 0 && d.isBehind(due); due = t.nextDue() {
		told, rest := len(t.out), vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest}
		if cause := d.putInput(&rest); cause != 0 {
			t.out = t.out[:told]
			d.stuck = fault{rest, mark{to: due.To, box: due.Box, hand: due.Hand}, cause, false}
			return // the hand has to draw, and nobody has called for its card
		}
	}
}

// isBehind says whether a hand comes before the one that the input was for.
func (d *dealer) isBehind(due vocab.Due) bool {
	return d.mark.to == vocab.ToBank || d.mark.to == vocab.ToTurn || due.Box < d.mark.box ||
		due.Box == d.mark.box && due.Hand < d.mark.hand
}

// resolve puts right what was put right, if it is still wrong.
func (d *dealer) resolve() vocab.Reason {
	t := d.table
	if d.mark.righted == irregularity.BigWin {
		return d.confirm()
	}
	if slices.ContainsFunc(t.held, func(i Irregularity) bool { return i.Code == d.mark.righted }) {
		if t.held[0].Code != d.mark.righted || !d.isOf(&t.held[0]) {
			return vocab.RoundHeld
		}
		return d.putInput(&d.in)
	}
	if d.in.With == irregularity.VoidRound || d.in.With == irregularity.Identify {
		return vocab.NotHeld
	}
	return 0
}

// isOf says whether a decision was made of this irregularity: of a wrong amount it was made of the payment that came
// last, and what somebody has said of one box is not said of another.
func (d *dealer) isOf(i *Irregularity) bool {
	return i.Code != irregularity.PayoutMismatch || i.Box == d.paid.Box && i.Bettor == d.paid.Bettor &&
		i.Given == d.paid.Amount
}

// pay takes a payment that stands. What another has moved is kept beside the round: it was moved all the same.
func (d *dealer) pay() {
	if in := &d.in; in.Box > 0 && !alone(in) && !in.Stated && d.table.boxes[in.Box-1].paid {
		return // it paid what was paid already: nothing of it is told again, and so nothing can be undone
	}
	if !d.stillPaid() || d.putInput(&d.in) != 0 || alone(&d.in) && len(d.table.held) == 0 {
		d.keepMoved()
	}
}

// stillPaid says whether a payment stands: its box has the same as when it was paid. All others are to be paid again,
// and so is the last box: a round that is held is not finished.
func (d *dealer) stillPaid() bool {
	t := d.table
	switch {
	case len(t.held) > 0 || t.phase == vocab.Payment && t.paysLast(&d.in) && (alone(&d.in) || !d.in.Stated):
		return false
	case alone(&d.in):
		return d.wasPaid()
	}
	return t.phase == vocab.Payment && t.cameTo(d.was, d.in.Box)
}

// wasPaid says whether the wagers that would be paid at once have all been paid so, and are
// decided as they were then.
func (d *dealer) wasPaid() bool {
	t := d.table
	for i := range t.decided {
		if means(&d.in, &t.decided[i]) && !d.was.hasPaid(&t.decided[i]) {
			return false
		}
	}
	return true
}

// keepMoved keeps what a payment has moved and does not move any more. That of a box had put right all that was on it.
func (d *dealer) keepMoved() {
	t, in := d.table, &d.in
	if !alone(in) {
		t.forgetMoved(func(m *moved) bool {
			return d.was.boxes[m.Box-1].paid && (in.Box == 0 || in.Box == int(m.Box)) && !d.was.paidAlone(&m.Output)
		})
	}
	for i := range min(int(d.mark.decided), len(d.was.decided)) {
		one := &d.was.decided[i]
		_, _, otherwise := d.was.PaidOtherwise(i)
		switch box := d.was.boxes[one.Box-1].paid; {
		case !alone(in) && box && otherwise && d.was.paidNow[i] && means(in, one):
			// what its box was paid is on it, too
			t.noteMoved(d.was.asPaid(i), false)
		case t.hasPaid(one):
		case alone(in) && d.was.paidNow[i] && means(in, one):
			t.noteMoved(d.was.asPaid(i), false)
		case !alone(in) && box && !d.was.paidNow[i] && (in.Box == 0 || in.Box == int(one.Box)):
			t.noteMoved(d.was.asPaid(i), true)
		}
	}
}

// paidAlone says whether the wager of a line is paid, and not with its box.
func (t *Table) paidAlone(line *vocab.Output) bool {
	for i := range t.decided {
		if t.paidNow[i] && sameLine(&t.decided[i], line) {
			return true
		}
	}
	return false
}

func (t *Table) hasPaid(decided *vocab.Output) bool {
	for i := range t.decided {
		if t.paidNow[i] && t.decided[i] == *decided {
			return true
		}
	}
	return false
}

// paysLast says whether a payment would leave nothing to be paid.
func (t *Table) paysLast(in *vocab.Input) bool {
	left := make([]int, len(t.boxes))
	for i := range t.decided {
		one := &t.decided[i]
		if t.unpaid(i) && !means(in, one) {
			left[one.Box-1]++
		}
	}
	for _, i := range t.inPlay {
		if left[i] > 0 && !t.boxes[i].paid {
			return false
		}
	}
	return true
}

// cameTo says whether a box, 0 for all, came to the same at another table, in whichever order.
func (t *Table) cameTo(other *Table, number int) bool {
	mine, others := t.results(number), other.results(number)
	for _, one := range mine {
		at := slices.Index(others, one)
		if at < 0 {
			return false
		}
		others = slices.Delete(others, at, at+1)
	}
	return len(others) == 0
}

// results are the decided wagers of a box, 0 for all.
func (t *Table) results(number int) (list []vocab.Output) {
	for i := range t.decided {
		if number == 0 || int(t.decided[i].Box) == number {
			list = append(list, t.decided[i])
		}
	}
	return list
}

// astray finds a card that lies on a hand, and would lie on another if the round had gone as
// it was dealt again: cards stay on the table where they are, unless they are said to be
// moved, or a key press is taken back.
func (t *Table) astray(now *Table) fault {
	for _, l := range t.laid {
		is := slices.IndexFunc(now.laid, func(n Laid) bool { return n.Nth == l.Nth })
		if l.To == vocab.ToAside || l.Nth == 0 || is < 0 {
			continue
		}
		if n := now.laid[is]; (n.To != l.To || n.Box != l.Box || n.Hand != l.Hand) && !t.stopsBank(l, n) {
			return fault{
				in: vocab.Input{Kind: vocab.InCard, Card: l.Card}, mark: mark{to: l.To, box: l.Box, hand: l.Hand},
				cause: vocab.NoPlace,
			}
		}
	}
	return fault{}
}

// stopsBank says whether a card of the bank is one that the bank has forecast wrongly after a correction: it lies where
// it lay, and does not count. (Black James 7.)
func (t *Table) stopsBank(was, now Laid) bool {
	return t.rules.Game == rules.BlackJames && was.To == vocab.ToBank && now.To == vocab.ToAside
}

// same says whether a round that was dealt again is the same as another.
func (d *redealt) same(other *redealt) bool {
	a, b := d.table, other.table
	return a.kept.Seen == b.kept.Seen && a.kept.Jackpot == b.kept.Jackpot && a.kept.Shoe == b.kept.Shoe &&
		slices.Equal(a.kept.Waiting, b.kept.Waiting) && slices.Equal(a.Lying(), b.Lying()) &&
		slices.Equal(a.held, b.held) && slices.Equal(a.behind, b.behind) &&
		a.nextDue() == b.nextDue() && slices.EqualFunc(a.boxes, b.boxes, func(x, y box) bool {
		return x.paid == y.paid
	}) &&
		slices.EqualFunc(d.told, other.told, sameTold)
}

// sameTold says whether two outputs tell the same, if they are told again at all.
func sameTold(a, b vocab.Output) bool {
	if a.Kind != b.Kind {
		return false
	}
	sameStand := a.Kind != vocab.Stands || sameStands(a.Stand, b.Stand)
	sameRound := a.Kind != vocab.RoundDecided || slices.Equal(a.Bank, b.Bank) && a.Sums == b.Sums
	a.Trouble, b.Trouble, a.Result, b.Result = nil, nil, nil, nil
	return a == b && sameStand && sameRound
}

func sameStands(a, b *vocab.Input) bool {
	return a.Kind == b.Kind && a.Call == b.Call && a.With == b.With && a.Box == b.Box && a.Hand == b.Hand &&
		a.Bettor == b.Bettor &&
		a.Wager == b.Wager && a.Amount == b.Amount && a.Stated == b.Stated && a.Correct == b.Correct &&
		a.Card == b.Card && slices.Equal(a.Bettors, b.Bettors)
}

// become goes on with the corrected round, and tells it.
func (t *Table) become(now *redealt, in *vocab.Input) {
	var key Key
	if in.Correct.What == vocab.TakeBack {
		key = t.Keys()[in.Correct.Nth-1]
	}
	told, began := append(slices.Collect(t.history.all), unplaced(in)), *t.history.beginning()
	wasHeld, wasDecided := t.held, t.decided
	n := now.table
	t.round, t.kept, t.held, t.behind = n.round, n.kept, n.held, n.behind
	t.history, t.history.told, t.history.began = n.history, told, began
	t.history.fixed = len(t.history.inputs)
	t.pressed = pressed{}
	t.forgetLying()
	t.tellCorrected(in)
	t.out[len(t.out)-1].Input, t.out[len(t.out)-1].Code = key.Kind, key.Righted
	if key.Kind == vocab.InCorrect {
		t.out[len(t.out)-1].Card = key.Card
	}
	for i := range now.told {
		if now.told[i].Kind.ToldAgain() {
			*another(&t.out) = now.told[i]
		}
	}
	t.tellDifferences(wasDecided)
	if t.linked.asked {
		t.tellJackpot(vocab.JackpotHit)
	}
	t.tellHeldNow(wasHeld)
}

// unplaced is an input without where it came from.
func unplaced(in *vocab.Input) vocab.Input {
	one := *in
	one.Origin = nil
	return one
}

// tellCorrected tells which correction it is.
func (t *Table) tellCorrected(in *vocab.Input) {
	out := t.emit(vocab.Corrected)
	out.Trouble = &vocab.Trouble{
		Corrected: vocab.CorrectedTold{What: in.Correct.What, Nth: uint32(in.Correct.Nth)}, By: in.By,
		Because: in.Because,
	}
	switch in.Correct.What {
	case vocab.Rename, vocab.Came:
		out.Card = in.Card
	case vocab.Move:
		out.To, out.Box, out.Hand = in.Correct.To, uint8(in.Box), in.Hand
	case vocab.SetStake:
		out.Box, out.Bettor, out.Wager = uint8(in.Box), in.Bettor, in.Wager
	case vocab.Dead:
		out.Box, out.Hand, out.Bettor, out.Wager = uint8(in.Box), in.Hand, in.Bettor, in.Wager
		out.Outcome = in.Correct.Outcome
	}
}

// tellHeldNow tells what holds the round now and did not, and what does so no longer.
func (t *Table) tellHeldNow(was []Irregularity) {
	for _, i := range was {
		if !slices.ContainsFunc(t.held, i.still) {
			i.nameWin(t.tellResolved(i.Code, irregularity.Cleared, "", ""))
		}
	}
	for _, i := range t.held {
		at := slices.IndexFunc(was, i.still)
		switch {
		case at < 0:
			t.tellIrregular(i)
		case was[at].Choices != i.Choices || was[at].Card != i.Card:
			t.tellOutput(i)
		}
	}
}

// still says whether it is the same irregularity as another, however it may be put right and
// whatever its card is called.
func (i Irregularity) still(other Irregularity) bool {
	i.Choices = other.Choices
	if i.nth != 0 {
		i.Card = other.Card
	}
	return i == other
}

// tellRejected tells that an input is not taken, and what does not follow from it if it is
// a correction.
func (t *Table) tellRejected(in *vocab.Input) {
	out := t.emit(vocab.Rejected)
	out.Reason, out.Line = t.rejected, in.Line
	if t.rejected != vocab.DoesNotFollow {
		return
	}
	f := &t.fault
	out.Input, out.Call, out.Card, out.Cause = f.in.Kind, f.in.Call, f.in.Card, f.cause
	out.Box, out.Hand = f.mark.box, f.mark.hand
	if f.in.Box != 0 {
		out.Box, out.Hand = uint8(f.in.Box), 0
	}
}
