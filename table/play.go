package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
)

func (t *Table) callsImplied() bool { return t.rules.Play.Calls == rules.CallsImplied }

// startPlay gives the turn to the first hand of the first played box.
func (t *Table) startPlay() {
	t.phase = Play
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
	t.phase = BankDraws
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
	if h.done == 0 {
		t.restByItself(b, h)
	}
	if h.done == 0 {
		return false
	}
	if t.at.hand++; t.at.hand >= len(b.hands) {
		t.nextBox()
	}
	return true
}

// restByItself ends a hand that may not or need not call.
func (t *Table) restByItself(b *box, h *boxHand) {
	switch {
	case len(h.cards) < 2 || t.cardCalled:
	case b.blackJack():
		t.handDone(h, DoneBlackJack)
		t.payEarlyBlackJack()
	case h.aces && !t.maySplit(b, h):
		t.handDone(h, DoneSplitAce)
	case h.value.Total() == hand.Best && t.rules.Play.AutoRestAt21:
		t.handDone(h, DoneAutoRest)
	}
}

// handDone ends the active hand.
func (t *Table) handDone(h *boxHand, why Done) {
	h.done = why
	out := t.emit(HandDone)
	out.Box, out.Hand, out.Done = uint8(t.at.box+1), uint8(t.at.hand+1), why
}

// handGrew looks at what a new card made of a hand.
func (t *Table) handGrew(due Due, h *boxHand) {
	if t.phase != Play {
		return
	}
	switch {
	case h.value.Bust():
		t.handDone(h, DoneBust)
		t.decideHand(int(due.Box), int(due.Hand)-1, verdict{outcome: Lose, why: WhyBust})
	case h.doubled:
		t.handDone(h, DoneDouble)
	}
}

// call takes a decision.
func (t *Table) call(in *Input) Reason {
	if reason := t.mayCall(); reason != 0 {
		return reason
	}
	if in.Call == CallInsurance || in.Call == CallEvenMoney || in.Call == CallInsuranceClosed {
		return t.insuranceCall(in)
	}
	if !t.nextDue().Allowed.Has(in.Call) {
		return CallNotAllowed
	}
	b, h := t.active()
	switch in.Call {
	case CallCard:
		t.cardCalled = true
	case CallRest:
		t.handDone(h, DoneRest)
	default:
		if reason := mayJoin(b, h, in.Bettors); reason != 0 {
			return reason
		}
		if in.Call == CallDouble {
			t.double(b, h, in.Bettors)
		} else {
			t.split(b, in.Bettors)
		}
	}
	return 0
}

// mayCall says why no call of any kind can be taken now.
func (t *Table) mayCall() Reason {
	switch t.phase {
	case Idle:
		return NoRound
	case Bets:
		return BetsOpen
	}
	return 0
}

// mayJoin checks the bettors who are to join a double or a split: each has a
// stake on the hand, and the holder is among them. nil are all. (Common rule 14.)
func mayJoin(b *box, h *boxHand, names []string) Reason {
	if names == nil {
		return 0
	}
	for _, name := range names {
		if !h.has(b.find(name)) {
			return UnknownBettor
		}
	}
	if !slices.Contains(names, b.bettors[h.wagers[0].bettor].Name) {
		return HolderMustJoin
	}
	return 0
}

func (h *boxHand) has(bettor int) bool {
	for i := range h.wagers {
		if h.wagers[i].bettor == bettor {
			return true
		}
	}
	return false
}

func joins(b *box, w handWager, names []string) bool {
	return names == nil || slices.Contains(names, b.bettors[w.bettor].Name)
}

// double doubles the stakes of those who join; the hand gets one card more.
// Who does not join keeps the single stake on the same hand.
func (t *Table) double(b *box, h *boxHand, names []string) {
	for i := range h.wagers {
		if joins(b, h.wagers[i], names) {
			h.wagers[i].amount *= 2
		}
	}
	h.doubled = true
	t.cardCalled = true
}

// split makes two hands of the active one. Those who join put the same stake on
// the second hand; who does not stays on the first. (Common rules 13 and 14.)
func (t *Table) split(b *box, names []string) {
	second := b.addHand(t.at.hand + 1)
	first := &b.hands[t.at.hand]
	for _, w := range first.wagers {
		if joins(b, w, names) {
			second.wagers = append(second.wagers, w)
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
}

// allowed returns the calls that the rules allow on the active hand.
func (t *Table) allowed() Calls {
	b, h := t.active()
	var calls Calls
	if !h.aces {
		calls = calls.With(CallCard)
	}
	calls = calls.With(CallRest)
	if t.mayDouble(h) {
		calls = calls.With(CallDouble)
	}
	if t.maySplit(b, h) {
		calls = calls.With(CallSplit)
	}
	return calls
}

func (t *Table) mayDouble(h *boxHand) bool {
	rule := &t.rules.Double
	if len(h.cards) != 2 || h.aces || h.split && !rule.AfterSplit {
		return false
	}
	if rule.HardOnly && h.value.Soft() {
		return false
	}
	return len(rule.On) == 0 || slices.Contains(rule.On, h.value.Total())
}

// maySplit says whether the hand's two cards have the same point value and the
// box may split once more. (Common rules 12 and 13.)
func (t *Table) maySplit(b *box, h *boxHand) bool {
	rule := &t.rules.Split
	if len(h.cards) != 2 || h.aces && !rule.AcesAgain {
		return false
	}
	if rule.Max != rules.Unlimited && b.splits >= rule.Max {
		return false
	}
	return hand.Points(h.cards[0].Rank()) == hand.Points(h.cards[1].Rank())
}
