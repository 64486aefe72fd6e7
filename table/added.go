package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is a card that left the shoe and that it did not tell: a supervisor names it by hand.

// placed takes a correction that has its place among the round's inputs, when the round is dealt again.
func (t *Table) placed(in *vocab.Input) vocab.Reason {
	switch in.Correct.What {
	case vocab.Refill:
		cut := t.kept.Shoe.CutCard
		t.reload()
		t.kept.Shoe.CutCard = cut // the shoe is still due after this round
		return 0
	case vocab.Came:
		t.came()
		if t.waits() {
			t.behind = append(t.behind, Arrival{Card: in.Card, nth: t.brought})
			return 0
		}
		t.reloaded = false
		t.card(in.Card, t.due)
		return 0
	}
	return t.kill(in)
}

// add places a card that the shoe did not tell before the nth of the round, 0 for after all of them.
func (h *history) add(in *vocab.Input, byHand bool) vocab.Reason {
	if !in.Card.Ranked() && in.Card != card.Joker {
		return vocab.CallNotAllowed
	}
	at := len(h.inputs)
	if in.Correct.Nth > 0 {
		is := func(p past) bool { return int(p.nth) == in.Correct.Nth && h.brings(p) }
		if at = slices.IndexFunc(h.inputs, is); at < 0 {
			return vocab.NoSuchCard
		}
		h.renumber(in.Correct.Nth, 1)
	} else if byHand {
		at = h.beforeHold()
	}
	h.keep(in)
	last := len(h.inputs) - 1
	p := h.inputs[last]
	h.inputs = slices.Insert(h.inputs[:last], at, p)
	h.edited = at
	return 0
}

// brings says whether an input brought a card, or named it.
func (h *history) brings(p past) bool {
	return p.kind == vocab.InCard || p.kind == vocab.InResolve || p.kind == vocab.InCorrect || p.kind == vocab.InHole
}

// beforeHold is the place before the input by which somebody holds the round, if no card has come since.
func (h *history) beforeHold() int {
	for i := len(h.inputs) - 1; i >= 0; i-- {
		switch p := h.inputs[i]; {
		case p.kind == vocab.InHold:
			return i
		case p.nth > 0 || p.kind != vocab.InCorrect && p.kind != vocab.InShoe && p.kind != vocab.InStorage:
			return len(h.inputs)
		}
	}
	return len(h.inputs)
}

// renumber moves the numbers of the cards that lie elsewhere, from the nth on.
func (h *history) renumber(nth, by int) {
	for i := range h.moves {
		if int(h.moves[i].nth) >= nth {
			h.moves[i].nth = uint16(int(h.moves[i].nth) + by)
		}
	}
}

// forgetAdded renumbers the cards after one that was added and is taken back.
func (h *history) forgetAdded(p past) {
	if p.kind != vocab.InCorrect || p.nth == 0 {
		return
	}
	h.moves = slices.DeleteFunc(h.moves, func(m move) bool { return m.nth == p.nth })
	h.renumber(int(p.nth), -1)
}
