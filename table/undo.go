package table

import "github.com/sabot-table/sabot/shoe/card"

// history is the open round's inputs, and the table as it was before the first:
// enough to come to any earlier moment of the round by dealing it again.
type history struct {
	round   uint64
	waiting []card.Card
	shoe    ShoeState
	seen    composition
	jackpot int64
	inputs  []Input
}

// add remembers an input that was taken. A round begins with its opening.
func (h *history) add(t *Table, in *Input) {
	if in.Kind == InOpen {
		h.inputs = h.inputs[:0]
	}
	if t.phase != Idle {
		h.inputs = append(h.inputs, *in)
	}
}

// begin keeps the table as it is before a round is opened.
func (h *history) begin(t *Table) {
	h.round, h.shoe, h.seen, h.jackpot = t.round, t.shoe, t.seen, t.Jackpot()
	h.waiting = append(h.waiting[:0], t.waiting...)
}

// undo takes back the last key press, as long as no card has followed it.
func (t *Table) undo() Reason {
	switch {
	case t.phase == Idle:
		return NoRound
	case t.stands():
		return RoundHeld
	}
	at := t.history.lastPress()
	if at < 0 {
		return NothingToUndo
	}
	pressed := t.history.inputs[at]
	t.history.inputs = append(t.history.inputs[:at], t.history.inputs[at+1:]...)
	t.dealAgain()
	t.out = t.out[:0]
	out := t.emit(Undone)
	out.Input, out.Call, out.Box, out.Bettor = pressed.Kind, pressed.Call, uint8(pressed.Box), pressed.Bettor
	if due := t.nextDue(); due.To == ToCall {
		out.Box, out.Hand = due.Box, due.Hand
	}
	return 0
}

// lastPress finds the last key press that no card and nobody's decision has
// followed, -1 if there is none.
func (h *history) lastPress() int {
	for i := len(h.inputs) - 1; i >= 0; i-- {
		switch h.inputs[i].Kind {
		case InCall, InClose, InPaid:
			return i
		case InShoe:
		default:
			return -1
		}
	}
	return -1
}

// dealAgain brings the table to where the remembered inputs lead. Nothing is held
// now, since there is no undoing then, nor was it when the round was opened.
func (t *Table) dealAgain() {
	t.phase = Idle
	t.clearTable()
	t.round, t.shoe, t.seen = t.history.round, t.history.shoe, t.history.seen
	t.meter.set(t.history.jackpot)
	t.waiting = append(t.waiting[:0], t.history.waiting...)
	for i := range t.history.inputs {
		t.apply(&t.history.inputs[i])
	}
}
