package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// history is the open round's inputs, and what the table had before the first: enough
// to come to any earlier moment of the round by dealing it again.
type history struct {
	before Kept
	inputs []past
	whole  []vocab.Input // the inputs that a past does not hold
	// moves are the cards that lie where they were not due, and told are all inputs since
	// the round was opened, with the corrections: none before the first correction.
	moves []move
	told  []vocab.Input
	// began is what the table had when the round was opened, where a correction has changed
	// before.
	began Kept
	// fixed is how many of the inputs the last correction has dealt again.
	fixed int
	// edited is the input that a correction has placed or changed, -1 for none.
	edited int
	// moved is what payments have moved that a correction has taken back.
	moved []moved
	// ended is what the table had when the round was finished.
	ended Kept
}

// past is an input that was taken. Most are a card or a plain call, of which
// there is little to remember.
type past struct {
	kind vocab.InputKind
	card card.Card
	call vocab.Call
	mark
	// whole is the input's place in history.whole, from 1; 0 if this is all of it.
	whole int32
}

// mark is where the table stood when an input came, by which a correction sees whether the
// input still follows.
type mark struct {
	// to, box and hand are what was due to it.
	to        vocab.To
	box, hand uint8
	// righted is what it has put right, and nth the number of the card that it has brought:
	// 0 for none.
	righted irregularity.Code
	nth     uint16
	// decided is how many wagers were decided then.
	decided uint16
	// confirmed is how many big wins were confirmed after it.
	confirmed uint16
}

// memory is how much of an input that was taken in a round is remembered, to be dealt
// again with it.
type memory uint8

const (
	nothing memory = iota // it concerns no round
	plainly               // its kind, card and call
	whole
)

// memories are by the kinds of inputs. Of corrections only what is decided in its place in the round is remembered.
// What was found out about the record is none of the round's, but what came while it held the table lay behind it.
var memories = [256]memory{
	vocab.InCard: plainly, vocab.InOpen: plainly, vocab.InClose: plainly, vocab.InCall: plainly,
	vocab.InShoe: whole, vocab.InStake: whole, vocab.InResolve: whole, vocab.InPaid: whole, vocab.InStorage: whole,
	vocab.InHold: whole, vocab.InCorrect: whole, vocab.InHole: whole, vocab.InJackpot: whole,
}

// remember keeps an input that was taken in a round and stands, and where the table stood when it came.
func (t *Table) remember(in *vocab.Input) {
	h := &t.history
	var p *past
	switch how := memories[in.Kind]; {
	case how == nothing, in.Kind == vocab.InStorage && !in.Storage.Holds():
		return
	case how == whole, in.Stated, in.Bettor != "", in.Bettors != nil, in.Code != "":
		p = h.keep(in)
	default:
		p = h.note(in)
	}
	p.to, p.box, p.hand, p.righted, p.nth = t.due.To, t.due.Box, t.due.Hand, t.righted, t.brought
	p.decided, p.confirmed = uint16(len(t.decided)), uint16(len(t.confirmed))
	if len(h.told) > 0 {
		h.tell(in)
	}
}

// note remembers an input's kind, card and call. The result is filled in its place: small fields that are copied
// together have to wait until each is written.
func (h *history) note(in *vocab.Input) *past {
	p := another(&h.inputs)
	*p = past{}
	p.kind, p.card, p.call = in.Kind, in.Card, in.Call
	return p
}

// keep remembers an input whole, but for where it came from: that is on record, and changes
// nothing when the round is dealt again.
func (h *history) keep(in *vocab.Input) *past {
	one := another(&h.whole)
	*one = *in
	one.Origin = nil
	p := h.note(in)
	p.whole = int32(len(h.whole))
	return p
}

// tell keeps an input of a round that was corrected.
func (h *history) tell(in *vocab.Input) {
	one := another(&h.told)
	*one = *in
	one.Origin = nil
}

// input gives a remembered input back.
func (h *history) input(p past) vocab.Input {
	if p.whole > 0 {
		return h.whole[p.whole-1]
	}
	return vocab.Input{Kind: p.kind, Card: p.card, Call: p.call}
}

// begin keeps what the table has before a round is opened, and forgets the last one.
func (h *history) begin(before *Kept) {
	h.inputs, h.whole, h.moves, h.told, h.moved = h.inputs[:0], h.whole[:0], h.moves[:0], h.told[:0], h.moved[:0]
	h.fixed = 0
	h.before.set(before)
}

// undo takes back the last key press, as long as no card has followed it. If that was the payment that has finished the
// round, the round is at payment again.
func (t *Table) undo() vocab.Reason {
	at, reason := t.undoable()
	if reason != 0 {
		return reason
	}
	was, finished := t.nextDue(), t.phase == vocab.Idle
	back := t.takeBack(at)
	t.tellUndone(&back, was)
	if finished {
		t.tray.unturn()
		t.out[len(t.out)-1].Round = t.kept.Round
	}
	t.pressed = pressed{}
	return 0
}

// Undoable returns the key press that an undo would take back now.
func (t *Table) Undoable() (press vocab.Input, ok bool) {
	if t.unloaded != nil && t.phase == vocab.Idle && !t.stands() {
		return vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}}, true
	}
	at, reason := t.undoable()
	if reason != 0 {
		return vocab.Input{}, false
	}
	return t.history.input(t.history.inputs[at]), true
}

// undoable finds the input that may be taken back, or says why there is none.
func (t *Table) undoable() (at int, reason vocab.Reason) {
	switch {
	case t.phase == vocab.Idle:
		return t.unpay()
	case t.stands(), t.covered != 0: // what lies face down is opened first, and the round is known then
		return 0, vocab.RoundHeld
	}
	if at = t.history.lastPress(); at < 0 {
		return 0, vocab.NothingToUndo
	}
	return at, 0
}

// takeBack deals the round again without one of its inputs, which it returns.
func (t *Table) takeBack(at int) vocab.Input {
	back := t.history.input(t.history.inputs[at])
	switch told := t.history.told; {
	case len(told) == 0:
	case at < t.history.fixed: // a correction stands behind it, which would be another without it
		t.history.told = append(told, vocab.Input{Kind: vocab.InUndo})
		t.history.fixed--
	default:
		which := len(told) - (len(t.history.inputs) - at)
		t.history.told = slices.Delete(told, which, which+1)
	}
	t.history.inputs = append(t.history.inputs[:at], t.history.inputs[at+1:]...)
	t.dealAgain()
	t.out = t.out[:0]
	return back
}

// tellUndone states what was taken back, and what was due before and is due now.
func (t *Table) tellUndone(back *vocab.Input, was vocab.Due) {
	out := t.emit(vocab.Undone)
	now := t.nextDue()
	out.Input, out.Call, out.Box, out.Bettor = back.Kind, back.Call, uint8(back.Box), back.Bettor
	if back.Kind == vocab.InPaid {
		out.Wager, out.Hand = back.Wager, back.Hand
	} else if now.To == vocab.ToCall {
		out.Box, out.Hand = now.Box, now.Hand
	}
	t.undone = vocab.Trouble{Undone: vocab.UndoneTold{Was: was, Now: now}}
	out.Trouble = &t.undone
}

// lastPress finds the last key press that no card and nobody's decision has
// followed, -1 if there is none.
func (h *history) lastPress() int {
	for i := len(h.inputs) - 1; i >= 0; i-- {
		switch h.inputs[i].kind {
		case vocab.InCall, vocab.InClose, vocab.InPaid:
			return i
		case vocab.InShoe:
		default:
			return -1
		}
	}
	return -1
}

// dealAgain brings the table to where the remembered inputs lead. Nothing is held
// now, since there is no undoing then, nor was it when the round was opened. What was
// announced, whom it alerted, and in which order the shoe has dealt, stays as it is.
func (t *Table) dealAgain() {
	announced, alerts, sequence, confirmed := t.due, t.alerts, t.sequence, slices.Clone(t.confirmed)
	t.again = true
	t.kept.set(&t.history.before)
	t.openRound()
	t.ahead = t.history.deaths()
	for _, one := range t.history.inputs[1:] {
		in := t.history.input(one)
		t.due = t.nextDue()
		if one.righted == irregularity.BigWin {
			t.held = slices.Insert(t.held, 0, confirmed[one.confirmed-1])
		}
		t.takeInput(&in)
		t.settleDown()
	}
	t.due, t.alerts, t.sequence, t.again = announced, alerts, sequence, false
}
