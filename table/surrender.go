package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is an early surrender in a house with a hole card. The bank's Black Jack does not take what was given up,
// so it is given up before the dealer looks: while insurance is offered, and where none is, in an offer of its own.
// Each bettor leaves alone.

// offersSurrender says whether the dealer must ask who surrenders: the dealer looks next, and some box may.
func (t *Table) offersSurrender() bool {
	if !t.looksNow() {
		return false
	}
	for _, i := range t.inPlay {
		if t.maySurrenderFirst(&t.boxes[i]) {
			return true
		}
	}
	return false
}

// maySurrenderFirst says whether a box's bettors may leave before the dealer looks.
func (t *Table) maySurrenderFirst(b *box) bool {
	if !t.looksNow() || len(b.hands) == 0 {
		return false
	}
	up, h := t.bank.cards[0].Rank(), &b.hands[0]
	return t.rules.OffersSurrender(up) && h.open > 0 && !b.blackJack() &&
		t.rules.MaySurrender(h.value.Total(), h.value.Soft(), false, up == card.Ace)
}

// surrenderOver says whether it was offered before the dealer looked.
func (t *Table) surrenderOver() bool { return t.bank.hole.seen != 0 && !t.rules.LateSurrender() }

// SurrenderOffered returns what the hand of a box may do if its bettors do not surrender now, and that they may: the
// dealer asks before looking at the hole card.
func (t *Table) SurrenderOffered(box int) (calls vocab.Calls, may bool) {
	if t.phase != vocab.InsuranceOffer || !t.hasBox(box) {
		return 0, false
	}
	b := &t.boxes[box-1]
	if !t.maySurrenderFirst(b) {
		return 0, false
	}
	return t.game.allowed(t, b, &b.hands[0]), true
}

// surrenderFirst gives half the stake back to a bettor who leaves before the dealer looks. An insurance stays, and is
// decided by what the dealer sees.
func (t *Table) surrenderFirst(b *box, at int) vocab.Reason {
	w := &b.hands[0].wagers[at]
	if w.settled || !t.maySurrenderFirst(b) {
		return vocab.NotOffered
	}
	t.decideWager(b, 0, w, &givenUp)
	t.decideSides(b, sidebet.LastHand)
	return 0
}

// hasLeft says whether a bettor has surrendered.
func (b *box) hasLeft(at int) bool { return b.hands[0].wagers[at].outcome == vocab.Surrendered }
