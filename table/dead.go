package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what a supervisor declares dead: a box, a hand or a wager. The play goes on without it.

// death is a decision that wagers are dead, as long as it is still ahead in a round that is dealt again. What is
// decided of these wagers before it is what the decision says: they bring nothing from the first.
type death struct {
	in *vocab.Input
	// met: it was said of a wager already.
	met bool
}

// deaths are the round's decisions that wagers are dead.
func (h *history) deaths() (list []death) {
	for _, p := range h.inputs {
		if p.kind == vocab.InCorrect && h.whole[p.whole-1].Correct.What == vocab.Dead {
			list = append(list, death{in: &h.whole[p.whole-1]})
		}
	}
	return list
}

// saysDead says whether a wager is among those that a decision says are dead. A hand alone has no more than its main
// wagers.
func saysDead(in *vocab.Input, b *box, hand uint8, bettor string, w vocab.Wager) bool {
	switch {
	case in.Box != int(b.number) || in.Bettor != "" && in.Bettor != bettor || in.Wager != "" && in.Wager != w:
		return false
	case w == vocab.WagerMain:
		return in.Hand == 0 || in.Hand == hand
	}
	return in.Hand == 0 || in.Wager == w
}

// What becomes of what is dead: it is lost, or goes back.
var (
	deadLost = verdict{outcome: vocab.Lose, why: vocab.WhyDead}
	deadBack = verdict{outcome: vocab.Void, why: vocab.WhyDead}
)

// deadVerdict is what becomes of what is dead, by what was said of it.
func deadVerdict(said vocab.Outcome) *verdict {
	if said == vocab.Lose {
		return &deadLost
	}
	return &deadBack
}

// deathAhead is what becomes of a wager of which it will be said that it is dead, nil of others.
func (t *Table) deathAhead(b *box, hand uint8, bettor string, w vocab.Wager) *verdict {
	for i := range t.ahead {
		if one := &t.ahead[i]; saysDead(one.in, b, hand, bettor, w) {
			one.met = true
			return deadVerdict(one.in.Correct.Outcome)
		}
	}
	return nil
}

// dies is what becomes of a main wager that is dead, or will be, instead of what would be decided of it, which is nil
// where nothing is decided yet; of others it is nil. What goes back since the round is void is not said of it.
func (t *Table) dies(b *box, at int, w *handWager, v *verdict) *verdict {
	switch {
	case v != nil && v.why == vocab.WhyDead:
		return v
	case w.dies != 0:
		return deadVerdict(w.dies)
	case len(t.ahead) == 0, v != nil && v.outcome == vocab.Void, w.settled:
		return nil
	}
	return t.deathAhead(b, uint8(at+1), b.bettors[w.bettor].Name, vocab.WagerMain)
}

// kill lets wagers be dead. It is a decision of the round that is dealt again with it.
func (t *Table) kill(in *vocab.Input) vocab.Reason {
	switch {
	case t.phase == vocab.Bets:
		return vocab.BetsOpen
	case !t.hasBox(in.Box):
		return vocab.UnknownBox
	case !t.boxes[in.Box-1].played():
		return vocab.BoxNotPlayed
	case in.Wager != "" && t.unknown(in.Wager):
		return vocab.UnknownWager
	case t.cardInDoubt():
		return vocab.RoundHeld
	}
	b := &t.boxes[in.Box-1]
	met := t.ahead[0].met
	t.ahead = t.ahead[1:]
	if !t.killOn(b, in, deadVerdict(in.Correct.Outcome)) && !met {
		return vocab.NothingChanges
	}
	if t.phase == vocab.Play && t.at.box == in.Box-1 {
		if _, h := t.active(); h.open == 0 {
			t.cardCalled, t.forecast = false, 0
		}
	}
	t.passOverDead()
	if t.phase == vocab.InsuranceOffer || t.phase == vocab.Look || t.phase == vocab.Play || t.phase == vocab.BankDraws {
		t.decideSides(b, sidebet.LastHand)
	}
	return 0
}

// cardInDoubt says whether nobody has decided yet where a card goes: it may be for what would be dead.
func (t *Table) cardInDoubt() bool {
	return slices.ContainsFunc(t.held, func(i Irregularity) bool {
		return i.Card != card.None || i.Code == irregularity.LostCards
	})
}

// killOn decides the open wagers of a box that are dead, and says whether there were any.
func (t *Table) killOn(b *box, in *vocab.Input, v *verdict) (any bool) {
	for h := range b.hands {
		for i := range b.hands[h].wagers {
			w := &b.hands[h].wagers[i]
			if w.settled || w.dies != 0 || !saysDead(in, b, uint8(h+1), b.bettors[w.bettor].Name, vocab.WagerMain) {
				continue
			}
			if any = true; t.waitsForTurn(b, h) {
				w.dies, b.hands[h].marked = v.outcome, true
				continue
			}
			t.decideWager(b, h, w, v)
		}
	}
	for i := range b.bettors {
		one := &b.bettors[i]
		if one.Insured != 0 && !one.insuranceDecided && saysDead(in, b, 0, one.Name, vocab.WagerInsurance) {
			any = true
			t.settleInsuranceOf(b, one, v)
		}
	}
	for i := range b.sides {
		if s := &b.sides[i]; !s.settled && saysDead(in, b, 0, s.Bettor, vocab.SideWager(s.Bet)) {
			any = true
			t.killSide(b, s, v)
		}
	}
	return any
}

// waitsForTurn says whether a hand may get another number yet, since one before it may be split: what is dead on it is
// decided once its turn comes.
func (t *Table) waitsForTurn(b *box, at int) bool {
	return t.phase == vocab.Play && t.at.box == int(b.number)-1 && at > t.at.hand
}

// killMarked decides what is dead on a hand whose turn has come.
func (t *Table) killMarked(b *box, at int) {
	h := &b.hands[at]
	h.marked = false
	for i := range h.wagers {
		if w := &h.wagers[i]; w.dies != 0 && !w.settled {
			t.decideWager(b, at, w, deadVerdict(w.dies))
		}
	}
}

// killSide decides a side bet that is dead.
func (t *Table) killSide(b *box, s *SideStake, v *verdict) {
	s.dead = true
	if v.outcome == vocab.Void {
		t.giveSideBack(b, s, v)
		return
	}
	s.settled = true
	t.stateSide(b, s, v)
}

// isDead says whether nothing on a hand is to be played since all that was on it is dead.
func (h *boxHand) isDead() bool {
	return h.open == 0 && !slices.ContainsFunc(h.wagers, func(w handWager) bool { return !w.dead })
}

// lives says whether anything on a box waits for its cards.
func (b *box) lives() bool {
	for i := range b.hands {
		if b.hands[i].open > 0 {
			return true
		}
	}
	return b.hasOpenSides()
}

// passOverDead moves the initial deal past the boxes on which everything is dead, and past the bank where it is all
// that is left. As long as nothing is decided, nothing is dead.
func (t *Table) passOverDead() {
	if t.phase != vocab.Deal || len(t.decided) == 0 {
		return
	}
	for t.dealt < len(t.order) {
		if t.takesCards(t.order[t.dealt]) {
			return
		}
		t.dealt++
	}
}

// allDead says whether whatever was staked on hands is dead.
func (t *Table) allDead() bool {
	for _, i := range t.inPlay {
		for k := range t.boxes[i].hands {
			if !t.boxes[i].hands[k].isDead() {
				return false
			}
		}
	}
	return true
}

func (t *Table) anyLives() bool {
	for _, i := range t.inPlay {
		if t.boxes[i].lives() {
			return true
		}
	}
	return false
}
