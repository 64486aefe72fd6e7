package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is how bettors surrender. In their turn it is a call; where the house plays it late, the hand waits until
// the bank can have no Black Jack any more, which takes the stake. In any other house they leave, where the dealer
// looks under the bank's first card, before that: while insurance is offered, and where none is, in an offer of its
// own, each bettor alone. After it only a split hand may.

// givenUp is what becomes of a wager that was surrendered.
var givenUp = verdict{outcome: vocab.Surrendered, why: vocab.WhySurrender, odds: half}

// maySurrender says whether bettors may still leave two cards: the box's first two,
// before its first other call. A third card has ended it even if nobody pressed
// the call's key. (Schaffhausen, "Surrender".)
func (t *Table) maySurrender(b *box, h *boxHand) bool {
	return t.rules.Surrender && (!b.called || h.split) && (h.split || !t.surrenderOver()) &&
		t.rules.MaySurrender(h.value.Total(), h.value.Soft(), h.split, t.bank.cards[0].Rank() == card.Ace)
}

// surrender gives half the stake back to each bettor who leaves. When the holder
// leaves, the bettor of the next stake decides. (Schaffhausen, "Surrender".)
func (t *Table) surrender(b *box, h *boxHand, names []string) vocab.Reason {
	if len(names) == 0 {
		return vocab.UnknownBettor
	}
	for _, name := range names {
		if !h.has(b.find(name)) {
			return vocab.UnknownBettor
		}
	}
	if t.rules.LateSurrender() {
		if reason := mayJoin(b, h, names); reason != 0 {
			return reason
		}
		names = nil // whoever has a stake there leaves with the holder
		if t.bankMayHaveBlackJack() {
			h.left = true
			return 0
		}
	}
	for i := range h.wagers {
		if w := &h.wagers[i]; joins(b, w, names) {
			t.decideWager(b, t.at.hand, w, &givenUp)
		}
	}
	t.decideSides(b, sidebet.LastHand)
	return 0
}

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
