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
	inputs  []past
	whole   []Input // the inputs that a past does not hold
}

// past is an input that was taken. Most are a card or a plain call, of which
// there is little to remember.
type past struct {
	kind InputKind
	card card.Card
	call Call
	// whole is the input's place in history.whole, from 1; 0 if this is all of it.
	whole int32
}

// add remembers an input that was taken. A round begins with its opening.
func (h *history) add(t *Table, in *Input) {
	if in.Kind == InOpen {
		h.inputs, h.whole = h.inputs[:0], h.whole[:0]
	}
	if t.phase == Idle || in.Kind >= InAcknowledge {
		return // what concerns no round is not dealt again
	}
	one := past{kind: in.Kind, card: in.Card, call: in.Call}
	if !in.plain() {
		h.whole = append(h.whole, *in)
		one.whole = int32(len(h.whole))
	}
	h.inputs = append(h.inputs, one)
}

// plain says whether kind, card and call are all that the input says.
func (in *Input) plain() bool {
	switch in.Kind {
	case InOpen, InClose, InCard:
		return true
	case InCall:
		return in.Bettors == nil && in.Bettor == ""
	default:
		return false
	}
}

// input gives a remembered input back.
func (h *history) input(p past) Input {
	if p.whole > 0 {
		return h.whole[p.whole-1]
	}
	return Input{Kind: p.kind, Card: p.card, Call: p.call}
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
	was := t.nextDue()
	back := t.takeBack(at)
	t.tellUndone(&back, was)
	t.pressed = pressed{}
	return 0
}

// takeBack deals the round again without one of its inputs, which it returns.
func (t *Table) takeBack(at int) Input {
	back := t.history.input(t.history.inputs[at])
	t.history.inputs = append(t.history.inputs[:at], t.history.inputs[at+1:]...)
	t.dealAgain()
	t.out = t.out[:0]
	return back
}

// tellUndone states what was taken back, and what was due before and is due now.
func (t *Table) tellUndone(back *Input, was Due) {
	out := t.emit(Undone)
	now := t.nextDue()
	out.Input, out.Call, out.Box, out.Bettor = back.Kind, back.Call, uint8(back.Box), back.Bettor
	if now.To == ToCall {
		out.Box, out.Hand = now.Box, now.Hand
	}
	t.undone = Trouble{Was: was, Now: now}
	out.Trouble = &t.undone
}

// lastPress finds the last key press that no card and nobody's decision has
// followed, -1 if there is none.
func (h *history) lastPress() int {
	for i := len(h.inputs) - 1; i >= 0; i-- {
		switch h.inputs[i].kind {
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
	t.alerts.still = true
	defer func() { t.alerts.still = false }()
	t.phase = Idle
	t.clearTable()
	t.round, t.shoe, t.seen = t.history.round, t.history.shoe, t.history.seen
	t.meter.set(t.history.jackpot)
	t.waiting = append(t.waiting[:0], t.history.waiting...)
	for _, one := range t.history.inputs {
		in := t.history.input(one)
		t.apply(&in)
	}
}
