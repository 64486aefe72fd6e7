package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// callsImplied says whether a card drawn to the active hand is the call. A
// forecast is always a call.
func (t *Table) callsImplied() bool { return t.rules.Play.Calls == rules.CallsImplied }

// startPlay gives the turn to the first hand of the first played box.
func (t *Table) startPlay() {
	t.phase = vocab.Play
	t.at.box, t.at.hand = -1, 0
	t.nextBox()
}

// nextBox gives the turn to the next played box, or to the bank after the last.
func (t *Table) nextBox() {
	for t.at.box++; t.at.box < len(t.boxes); t.at.box++ {
		if t.boxes[t.at.box].played() {
			t.at.hand = 0
			return
		}
	}
	t.phase = vocab.BankDraws
}

// active returns the hand whose turn it is.
func (t *Table) active() (*box, *boxHand) {
	b := &t.boxes[t.at.box]
	return b, &b.hands[t.at.hand]
}

// nextHand moves the turn on when the active hand needs nothing more, and says
// whether it moved. (Common rules 5, 10 and 13.)
func (t *Table) nextHand() bool {
	b, h := t.active()
	if h.marked {
		t.killMarked(b, t.at.hand)
	}
	if h.done == 0 {
		why := t.game.rests(t, b, h)
		if why == 0 {
			return false
		}
		t.handDone(b, t.at.hand, why)
		switch why {
		case vocab.DoneBlackJack:
			t.payEarlyBlackJack()
		case vocab.DoneDead:
			t.decideSides(b, sidebet.LastHand)
		}
	}
	if t.at.hand++; t.at.hand >= len(b.hands) {
		t.nextBox()
	}
	return true
}

// handDone ends a hand of a box.
func (t *Table) handDone(b *box, at int, why vocab.Done) {
	b.hands[at].done = why
	t.tellDone(b, at, why)
}

func (t *Table) tellDone(b *box, at int, why vocab.Done) {
	out := t.emit(vocab.HandDone)
	out.Box, out.Hand, out.Done = b.number, uint8(at+1), why
}

// call takes a decision.
func (t *Table) call(in *vocab.Input) vocab.Reason {
	if reason := t.mayCall(); reason != 0 {
		return reason
	}
	switch {
	case in.Call == vocab.CallInsurance, in.Call == vocab.CallEvenMoney, in.Call == vocab.CallInsuranceClosed:
		return t.offerCall(in)
	case in.Call == vocab.CallSurrender && in.Bettor != "":
		return t.offerCall(in)
	}
	decided := len(t.decided)
	if !t.due.Allowed.Has(in.Call) {
		return vocab.CallNotAllowed
	}
	b, h := t.active()
	reason := t.carryOutCall(in, b, h)
	if reason == 0 {
		t.goneOn(decided)
	}
	if reason == 0 && in.Call != vocab.CallSurrender {
		b.called = true
	}
	return reason
}

func (t *Table) carryOutCall(in *vocab.Input, b *box, h *boxHand) vocab.Reason {
	switch in.Call {
	case vocab.CallCard:
		t.cardCalled = true
	case vocab.CallHigher, vocab.CallLower:
		t.cardCalled, t.forecast = true, in.Call
	case vocab.CallRest:
		t.handDone(b, t.at.hand, vocab.DoneRest)
	case vocab.CallSurrender:
		return t.surrender(b, h, in.Bettors)
	default:
		if reason := mayJoin(b, h, in.Bettors); reason != 0 {
			return reason
		}
		if in.Call == vocab.CallDouble {
			if reason := t.mayDoubleFor(b, h, in); reason != 0 {
				return reason
			}
			t.double(b, h, in)
		} else {
			t.split(b, in.Bettors)
		}
	}
	return 0
}

// mayCall says why no call of any kind can be taken now.
func (t *Table) mayCall() vocab.Reason {
	switch t.phase {
	case vocab.Idle:
		return vocab.NoRound
	case vocab.Bets:
		return vocab.BetsOpen
	}
	return 0
}

// holder returns who makes the decisions for a hand: the first bettor who is
// still in the game.
func (b *box) holder(h *boxHand) string {
	for _, w := range h.wagers {
		if !w.settled {
			return b.bettors[w.bettor].Name
		}
	}
	return ""
}

// mayJoin checks the bettors who are to join a double or a split: each has a
// stake on the hand, and the holder is among them. nil are all. (Common rule 14.)
func mayJoin(b *box, h *boxHand, names []string) vocab.Reason {
	if names == nil {
		return 0
	}
	for _, name := range names {
		if !h.has(b.find(name)) {
			return vocab.UnknownBettor
		}
	}
	if !slices.Contains(names, b.holder(h)) {
		return vocab.HolderMustJoin
	}
	return 0
}

// has says whether a bettor has an open stake on the hand.
func (h *boxHand) has(bettor int) bool {
	for _, w := range h.wagers {
		if w.bettor == bettor && !w.settled {
			return true
		}
	}
	return false
}

func joins(b *box, w *handWager, names []string) bool {
	return !w.settled && (names == nil || slices.Contains(names, b.bettors[w.bettor].Name))
}

// double doubles the stakes of those who join; the hand gets one card more. Who does not join keeps the single stake on
// the same hand. Once more, it doubles what was doubled before.
func (t *Table) double(b *box, h *boxHand, in *vocab.Input) {
	lies := h.lies()
	for i := range h.wagers {
		w := &h.wagers[i]
		switch {
		case w.times != lies || !joins(b, w, in.Bettors):
		case in.Stated && in.Amount < w.stake:
			w.less = in.Amount
		default:
			w.times = 2 * lies
		}
	}
	h.doubled, h.again = true, h.doubled
	t.cardCalled = true
}

// lies is how often the stake of who makes the decisions lies on the hand, 0 if nobody is left.
func (h *boxHand) lies() int64 {
	for i := range h.wagers {
		if w := &h.wagers[i]; !w.settled {
			return w.times
		}
	}
	return 0
}

// mayDoubleFor checks an amount for which a hand is doubled: one that the house lets be laid, and no more than the
// holder's stake.
func (t *Table) mayDoubleFor(b *box, h *boxHand, in *vocab.Input) vocab.Reason {
	least := t.rules.ForLess()
	switch {
	case !in.Stated:
		return 0
	case least == 0 || h.doubled:
		return vocab.NotTheAmount
	case in.Amount < least:
		return vocab.BelowMinimum
	case in.Amount%t.rules.Step() != 0:
		return vocab.NotAMultiple
	}
	for i := range h.wagers {
		w := &h.wagers[i]
		switch {
		case !joins(b, w, in.Bettors):
		case w.stake == vocab.Unstated:
			return vocab.NotTheAmount // of what is not known nobody knows what is less
		case in.Amount > w.stake && b.bettors[w.bettor].Name == b.holder(h):
			return vocab.AboveMaximum
		}
	}
	return 0
}

// split makes two hands of the active one. Those who join put the same stake on
// the second hand; who does not stays on the first. (Common rules 13 and 14.)
func (t *Table) split(b *box, names []string) {
	second := b.addHand(t.at.hand + 1)
	first := &b.hands[t.at.hand]
	for i := range first.wagers {
		if w := &first.wagers[i]; joins(b, w, names) {
			second.addWager(w.bettor, w.stake)
		}
	}
	moved := first.cards[1]
	first.cards = first.cards[:1]
	second.cards = append(second.cards, moved)
	first.value, second.value = hand.Of(first.cards), hand.Of(second.cards)
	first.split, second.split = true, true
	first.aces = first.cards[0].Rank() == card.Ace
	second.aces = first.aces
	b.splits++
	t.splitLaid(b.number, uint8(t.at.hand+1))
}
