package table

import (
	"cmp"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Arrival is a card, or a hole in the shoe's numbers, that came while the round
// was held: it waits its turn behind what holds the round.
type Arrival struct {
	Card card.Card
	// Gap says that it is a hole, and Missing how many cards are lost; 0 if nobody knows.
	Gap     bool
	Missing int
	nth     uint16 // the card's number in the round
}

// arrive takes a card that left the shoe, or a hole in its numbers. While the round
// is held it lies behind what holds it.
func (t *Table) arrive(a Arrival, due vocab.Due) {
	switch {
	case t.waits():
		t.behind = append(t.behind, a)
	case a.Gap:
		t.raise(Irregularity{Code: irregularity.LostCards, Missing: a.Missing})
	default:
		t.reloaded, t.laying = false, a.nth
		t.card(a.Card, due)
	}
}

// card counts a card and gives it to whom it is due, unless the shoe cannot hold it any
// more.
func (t *Table) card(c card.Card, due vocab.Due) {
	t.kept.Seen.add(c)
	t.unloaded = nil
	if t.phase == vocab.Play || t.phase == vocab.BankDraws {
		t.goneOn(len(t.decided))
	}
	t.named(c, due)
}

// settleDown does what follows by itself: cards that lie open become due, hands
// at 21 rest, the turn moves on, wagers are decided.
func (t *Table) settleDown() {
	t.advance()
	if t.kept.Seen.dealt >= t.holds {
		t.checkExhausted()
	}
	if t.phase == vocab.Idle {
		t.forgetNumbers()
	}
}

// forgetNumbers takes their numbers from the cards that the round has left behind: between
// rounds cards have none, and nothing can be corrected.
func (t *Table) forgetNumbers() {
	for i := range t.held {
		t.held[i].nth = 0
	}
	for i := range t.behind {
		t.behind[i].nth = 0
	}
}

func (t *Table) advance() {
	for !t.waits() && t.moveOn() {
	}
}

// takeWaiting gives a card that lies open to whom a card is due.
func (t *Table) takeWaiting() bool {
	due := t.nextDue()
	at := t.nextWaiting(due.To)
	if at < 0 {
		return false
	}
	t.place(t.pickUp(at), due)
	return true
}

// nextWaiting is which of the cards that lie open is dealt to where a card is due: the first, unless it was dealt early
// to the bank. It is -1 for none.
func (t *Table) nextWaiting(to vocab.To) int {
	early := t.early()
	switch {
	case to != vocab.ToBox && to != vocab.ToBank && to != vocab.ToHole || len(t.kept.Waiting) == 0:
		return -1
	case to == vocab.ToBank && early > 0:
		return early
	case to == vocab.ToBox && early == 0 && len(t.kept.Waiting) == 1:
		return -1
	case to == vocab.ToBox && early == 0:
		return 1
	}
	return 0
}

// pickUp takes a card from those that lie open: it is the one that is laid next.
func (t *Table) pickUp(at int) card.Card {
	c := t.kept.Waiting[at]
	t.laying = t.lying[at]
	t.kept.Waiting, t.lying = slices.Delete(t.kept.Waiting, at, at+1), slices.Delete(t.lying, at, at+1)
	return c
}

// layOpen lets a card lie open.
func (t *Table) layOpen(c card.Card, nth uint16) {
	t.kept.Waiting, t.lying = append(t.kept.Waiting, c), append(t.lying, nth)
}

// takeBehind takes the first of what came while the round was held.
func (t *Table) takeBehind() bool {
	if len(t.behind) == 0 {
		return false
	}
	next := t.behind[0]
	t.behind = slices.Delete(t.behind, 0, 1)
	t.arrive(next, t.nextDue())
	return true
}

// checkExhausted holds the round when a card is due and the shoe has none left.
func (t *Table) checkExhausted() {
	if t.reloaded || t.waits() || t.phase == vocab.Idle {
		return
	}
	if due := t.nextDue(); due.To == vocab.ToBox || due.To == vocab.ToBank || due.To == vocab.ToHole {
		t.raise(Irregularity{Code: irregularity.ShoeExhausted})
	}
}

// reload puts everything back into the shoe but the cards of hands that are still
// in the game, and the round goes on. Where nothing could go back the shoe has to
// be filled from elsewhere, which the table takes as done.
func (t *Table) reload() {
	lying := append(slices.Clone(t.bank.cards), t.kept.Waiting...)
	if h := &t.bank.hole; h.lies {
		lying = append(lying, cmp.Or(h.known, card.Down))
	}
	for i := range t.boxes {
		for k := range t.boxes[i].hands {
			if h := &t.boxes[i].hands[k]; h.open > 0 {
				lying = append(lying, h.cards...)
			}
		}
	}
	t.kept.Seen.onTable(lying)
	t.kept.Shoe.CutCard, t.reloaded = false, true
}
