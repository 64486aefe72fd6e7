package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what a supervisor may change in the round under way. A correction changes
// one of the round's inputs and deals the round again: see redeal.go.

// holdByHand holds the round because somebody wants it held.
func (t *Table) holdByHand(in *vocab.Input) vocab.Reason {
	if t.heldByHand() {
		return vocab.RoundHeld
	}
	t.raise(Irregularity{Code: irregularity.HeldByHand, By: in.By, Because: in.Because})
	return 0
}

func (t *Table) heldByHand() bool {
	return slices.ContainsFunc(t.held, func(i Irregularity) bool { return i.Code == irregularity.HeldByHand })
}

// correct changes the round under way, or nothing.
func (t *Table) correct(in *vocab.Input) vocab.Reason {
	switch {
	case t.again:
		return t.placed(in)
	case in.Correct.What == 0 || in.Role != vocab.Supervisor:
		return vocab.CallNotAllowed
	case len(t.held) == 0:
		return vocab.NotHeld
	case t.held[0].Code == irregularity.ReplayDiffers:
		return vocab.RoundHeld
	case t.phase == vocab.Idle && in.Correct.What == vocab.EndShoe:
		return t.endShoeBetween(in)
	case t.phase == vocab.Idle:
		return vocab.NoRound
	}
	stood, changed := t.history.copied(), t.history.copied()
	if in.Correct.What == vocab.SetStake {
		stood.onlyStanding(t.rules)
		changed.onlyStanding(t.rules)
	}
	reason := t.change(&changed, in)
	if reason != 0 {
		return reason
	}
	now := t.redeal(&changed, !shifts(in))
	switch {
	case now.fault.direct:
		return now.fault.cause
	case now.fault.cause != 0:
		t.fault = now.fault
		return vocab.DoesNotFollow
	case now.table.unlaid:
		return vocab.NoPlace
	}
	if in.Correct.What == vocab.Rename || in.Correct.What == vocab.SetStake {
		if astray := t.astray(now.table); astray.cause != 0 {
			t.fault = astray
			return vocab.DoesNotFollow
		}
	}
	if was := t.redeal(&stood, false); was.same(now) {
		return vocab.NothingChanges
	}
	t.become(now, in)
	return 0
}

// shifts says whether a correction lays cards elsewhere: what hands had decided by themselves is not decided for them
// then.
func shifts(in *vocab.Input) bool {
	switch in.Correct.What {
	case vocab.TakeBack, vocab.Came, vocab.Missed:
		return true
	}
	return in.Correct.What == vocab.Move && in.Correct.To == vocab.ToAside
}

// endShoeBetween lets no round but the next be dealt from the shoe: there is none to deal
// again.
func (t *Table) endShoeBetween(in *vocab.Input) vocab.Reason {
	if t.kept.Shoe.CutCard {
		return vocab.NothingChanges
	}
	t.kept.Shoe.CutCard = true
	t.tellCorrected(in)
	return 0
}

// change makes the correction's change to the round's inputs, or says why it cannot.
func (t *Table) change(h *history, in *vocab.Input) vocab.Reason {
	switch in.Correct.What {
	case vocab.TakeBack:
		return h.takeBackKey(in.Correct.Nth)
	case vocab.Rename:
		return h.rename(in.Correct.Nth, in.Card)
	case vocab.Move:
		return t.moveCard(h, in)
	case vocab.Missed:
		return t.passOver(h, in.Correct.Nth)
	case vocab.SetStake:
		return h.setStake(in)
	case vocab.Came:
		return h.add(in, t.heldByHand())
	case vocab.Refill:
		return t.refill(h, in)
	case vocab.Dead:
		h.keep(in)
		h.edited = len(h.inputs) - 1
		return 0
	case vocab.EndShoe:
		h.keep(&vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
		return 0
	}
	return vocab.CallNotAllowed
}

// isKey says whether an input of the round is a key press that a correction can take back:
// all but those by which somebody held it, and let it go on.
func (h *history) isKey(p past) bool {
	switch p.kind {
	case vocab.InClose, vocab.InCall, vocab.InPaid, vocab.InCorrect:
		return true
	case vocab.InResolve:
		return h.whole[p.whole-1].With != irregularity.Continue
	}
	return false
}

// Key is a key press of the round that stands: a correction names it by its number.
type Key struct {
	Nth int
	vocab.Input
	// OnBox and OnHand are whose call it was, 0 for nobody's.
	OnBox, OnHand uint8
	// Righted is what it has put right, 0 for nothing.
	Righted irregularity.Code
}

// Keys returns the key presses of the round that stand, with the decisions on what went
// wrong, in their order.
func (t *Table) Keys() (list []Key) {
	if t.phase == vocab.Idle {
		return nil
	}
	for _, p := range t.history.inputs {
		if !t.history.isKey(p) {
			continue
		}
		key := Key{Nth: len(list) + 1, Input: t.history.input(p), Righted: p.righted}
		if p.to == vocab.ToCall && p.kind != vocab.InCorrect {
			key.OnBox, key.OnHand = p.box, p.hand
		}
		list = append(list, key)
	}
	return list
}

// takeBackKey takes the nth key press out.
func (h *history) takeBackKey(nth int) vocab.Reason {
	for i, p := range h.inputs {
		if !h.isKey(p) {
			continue
		}
		if nth--; nth == 0 {
			h.forgetAdded(p)
			h.inputs = slices.Delete(h.inputs, i, i+1)
			return 0
		}
	}
	return vocab.NoSuchKey
}

// rename gives the nth card of the round another name.
func (h *history) rename(nth int, is card.Card) vocab.Reason {
	switch {
	case !is.Ranked() && is != card.Joker:
		return vocab.CallNotAllowed
	case nth >= 1 && nth <= len(h.before.Waiting):
		h.before.Seen.rename(h.before.Waiting[nth-1], is)
	}
	named := h.named(nth)
	switch {
	case named == nil:
		return vocab.NoSuchCard
	case *named == card.Unread, *named == card.Down:
		return vocab.CallNotAllowed // it has no name yet: identify it, or turn it
	}
	*named = is
	return 0
}

// named is where the nth card of the round has its name, nil if there is no such card.
func (h *history) named(nth int) *card.Card {
	if nth >= 1 && nth <= len(h.before.Waiting) {
		return &h.before.Waiting[nth-1]
	}
	at := h.brought(nth)
	if at < 0 {
		return nil
	}
	p := &h.inputs[at]
	if p.whole > 0 {
		return &h.whole[p.whole-1].Card
	}
	return &p.card
}

// brought finds the input that has brought the nth card, or named it; -1 if there is none.
func (h *history) brought(nth int) int {
	for i := len(h.inputs) - 1; i >= 0; i-- {
		if p := &h.inputs[i]; int(p.nth) == nth && nth > 0 && h.brings(*p) {
			return i
		}
	}
	return -1
}

// moveCard says where the nth card of the round lies.
func (t *Table) moveCard(h *history, in *vocab.Input) vocab.Reason {
	is := func(l Laid) bool { return l.Nth == in.Correct.Nth }
	laid := slices.IndexFunc(t.laid, is)
	if in.Correct.Nth < 1 || laid < 0 && !slices.ContainsFunc(t.Lying(), is) {
		return vocab.NoSuchCard
	}
	if n := h.named(in.Correct.Nth); n != nil && *n == card.Down {
		return vocab.NoPlace // nobody knows yet what would lie there
	}
	m := move{nth: uint16(in.Correct.Nth), to: in.Correct.To}
	switch {
	case in.Correct.To == vocab.ToBank || in.Correct.To == vocab.ToAside:
	case in.Correct.To != vocab.ToBox:
		return vocab.NoPlace
	case !t.hasBox(in.Box):
		return vocab.UnknownBox
	case !t.boxes[in.Box-1].played():
		return vocab.BoxNotPlayed
	default:
		m.box, m.hand = uint8(in.Box), max(1, in.Hand)
	}
	if laid >= 0 && t.exchange(h, t.laid[laid], m) {
		return 0
	}
	h.lay(m)
	return 0
}

// passOver lets the place of the initial deal to which the nth card went be one that was passed over: it gets its card
// last.
func (t *Table) passOver(h *history, nth int) vocab.Reason {
	laid := slices.IndexFunc(t.laid, func(l Laid) bool { return l.Nth == nth })
	switch {
	case nth < 1 || laid < 0:
		return vocab.NoSuchCard
	case t.laid[laid].turn == 0 || t.laid[laid].Card == card.Down:
		return vocab.NoPlace
	}
	h.lay(move{nth: uint16(nth)})
	return 0
}

// lay says where a card lies, in place of what was said of it before.
func (h *history) lay(m move) {
	h.moves = slices.DeleteFunc(h.moves, func(one move) bool { return one.nth == m.nth })
	h.moves = append(h.moves, m)
}

// exchange lets two cards of the initial deal change places: the one, and the one that was
// dealt in the same turn to the place where it lies. It says whether there is one.
func (t *Table) exchange(h *history, one Laid, m move) bool {
	at := slices.IndexFunc(t.laid, func(l Laid) bool { return l.turn == one.turn && l.To == m.to && l.Box == m.box })
	if one.turn == 0 || at < 0 {
		return false
	}
	a, b := h.named(one.Nth), h.named(t.laid[at].Nth)
	if a == nil || b == nil || *b == card.Down {
		return false
	}
	*a, *b = *b, *a
	return true
}

// refill fills the shoe in the midst of a round, though by the count a card would be left in it.
func (t *Table) refill(h *history, in *vocab.Input) vocab.Reason {
	if t.rules.Cards.Source != rules.Shoe || t.phase == vocab.Bets || t.phase == vocab.Payment {
		return vocab.NotOffered
	}
	if t.reloaded {
		return vocab.NothingChanges
	}
	h.keep(in)
	h.edited = len(h.inputs) - 1
	return 0
}

// setStake replaces the last input that placed a stake, or places or withdraws one as the
// last.
func (h *history) setStake(in *vocab.Input) vocab.Reason {
	placed := vocab.Input{
		Kind: vocab.InStake, Box: in.Box, Bettor: in.Bettor, Wager: in.Wager, Amount: in.Amount, Stated: in.Stated,
	}
	if in.Wager == vocab.WagerInsurance {
		placed.Kind, placed.Call, placed.Wager = vocab.InCall, vocab.CallInsurance, ""
	}
	withdrawn := placed.Kind == vocab.InStake && in.Stated && in.Amount == 0
	for i := len(h.inputs) - 1; i >= 0 && !withdrawn; i-- {
		p := h.inputs[i]
		if p.kind != placed.Kind || p.call != placed.Call {
			continue
		}
		if was := h.whole[p.whole-1]; was.Box == in.Box && was.Bettor == in.Bettor && was.Wager == placed.Wager {
			placed.Seat, placed.Player = was.Seat, was.Player
			h.whole[p.whole-1] = placed
			h.edited = i
			return 0
		}
	}
	at := h.placeForStake(placed.Kind)
	if at < 0 {
		return vocab.NotOffered
	}
	h.keep(&placed)
	last := len(h.inputs) - 1
	p := h.inputs[last]
	h.inputs = slices.Insert(h.inputs[:last], at, p)
	h.edited = at
	return 0
}

// placeForStake is where among the round's inputs one more stake or insurance is placed, -1
// if nowhere.
func (h *history) placeForStake(kind vocab.InputKind) int {
	if kind == vocab.InStake {
		last := 0 // the opening
		for i, p := range h.inputs {
			if p.kind == vocab.InStake {
				last = i
			}
		}
		return last + 1
	}
	for i, p := range h.inputs {
		if p.to == vocab.ToInsurance {
			return i
		}
	}
	return -1
}

// beginning is what the table had when the round was opened.
func (h *history) beginning() *Kept {
	if len(h.told) > 0 {
		return &h.began
	}
	return &h.before
}

// copied is a copy that can be changed.
func (h *history) copied() history {
	c := history{inputs: slices.Clone(h.inputs), whole: slices.Clone(h.whole), moves: slices.Clone(h.moves), edited: -1}
	c.before.set(&h.before)
	return c
}

// all yields the inputs since the round was opened that undo has not taken back, with its
// corrections.
func (h *history) all(yield func(vocab.Input) bool) {
	for _, in := range h.told {
		if !yield(in) {
			return
		}
	}
	if len(h.told) > 0 {
		return
	}
	for _, one := range h.inputs {
		if !yield(h.input(one)) {
			return
		}
	}
}
