package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Irregularity is a break of the procedure that holds the round until it is put
// right.
type Irregularity struct {
	Code    irregularity.Code
	Card    card.Card // the card it is about, None for none
	Choices irregularity.Choices
	// Missing counts lost cards; 0 if nobody knows how many.
	Missing int
	// Alarm is the shoe's own name for its alarm.
	Alarm string
	// Found is what is wrong with the record.
	Found string
	// Box is whose payment does not agree, 0 for all, and Bettor whose on it, "" for all; Owed was due then, and Given
	// paid.
	Box         int
	Bettor      string
	Owed, Given int64
	// Win is the big win that a supervisor is to confirm, on Box and Bettor's.
	Win
	// By is who holds the round by hand, and Because why.
	By, Because string
	// nth is the card's number in the round.
	nth uint16
}

// choicesFor returns the ways to put an irregularity right, as the house has them.
func (t *Table) choicesFor(code irregularity.Code) irregularity.Choices {
	if code == irregularity.ReplayDiffers {
		return t.choicesForReplay()
	}
	if code == irregularity.CardWithoutCall && t.forecasts() {
		return irregularity.Of(irregularity.Burn) // nobody can forecast a card that lies open
	}
	c := t.rules.Ways(code).Choices
	if t.phase == vocab.Idle || code == irregularity.HeldByHand && t.phase == vocab.Payment {
		c = c.Without(irregularity.VoidRound)
	}
	return c
}

// choicesForReplay: a round that was not played again as it was recorded cannot go on,
// and is void; where no round can be, all that is left is to accept it.
func (t *Table) choicesForReplay() irregularity.Choices {
	if t.phase == vocab.Idle || t.phase == vocab.Payment {
		return irregularity.Of(irregularity.Accept)
	}
	return irregularity.Of(irregularity.VoidRound)
}

// mayResolve says whether a role may take a choice: the supervisor all, a dealer
// those that the house leaves to him.
func (t *Table) mayResolve(r vocab.Role, code irregularity.Code, c irregularity.Choice) bool {
	return r == vocab.Supervisor || t.rules.Ways(code).Dealer(c)
}

// raise holds the round.
func (t *Table) raise(i Irregularity) {
	i.Choices = t.choicesFor(i.Code)
	if i.Card != card.None {
		i.nth = t.laying
	}
	if t.ofHole(i) { // it lies where it was dealt: it counts there, or the round does not
		i.Choices = irregularity.Of(irregularity.VoidRound, irregularity.Accept)
	}
	t.held = append(t.held, i)
	t.tellIrregular(i)
}

// ofHole says whether it is that the shoe cannot hold the bank's card that was dealt face down, which lies there.
func (t *Table) ofHole(i Irregularity) bool {
	return i.Code == irregularity.ForeignCard && t.bank.hole.lies && i.nth == t.bank.hole.nth
}

// raiseCard holds the round for a card. It stands apart, so that what is rare takes no room where cards are placed.
//
//go:noinline
func (t *Table) raiseCard(code irregularity.Code, c card.Card) {
	t.raise(Irregularity{Code: code, Card: c})
}

func (t *Table) tellIrregular(i Irregularity) {
	t.tellOutput(i)
	t.alerts.raised(i.Code, t.now, t.kept.Round)
}

func (t *Table) tellOutput(i Irregularity) {
	out := t.emit(vocab.Irregular)
	out.Code, out.Card, out.Box = i.Code, i.Card, uint8(i.Box)
	out.Bettor = i.Bettor
	i.nameWin(out)
	out.Trouble = &vocab.Trouble{
		Irregular: vocab.IrregularTold{
			Choices: i.Choices, Missing: uint32(i.Missing), Alarm: i.Alarm, Found: i.Found,
		},
		By: i.By, Because: i.Because,
		Payment: vocab.PaymentTold{Owed: i.Owed, Given: i.Given, Differs: i.Owed != i.Given},
	}
}

// resolve puts the oldest irregularity right. What it leads to happens before
// anything that was waiting behind it.
func (t *Table) resolve(in *vocab.Input) vocab.Reason {
	if len(t.held) == 0 {
		return vocab.NotHeld
	}
	head := t.held[0]
	named := in.Card.Ranked() || in.Card == card.Joker || in.Card == card.Down && t.MayBeHole()
	if !head.Choices.Has(in.With) || !t.mayResolve(in.Role, head.Code, in.With) ||
		in.With == irregularity.Identify && !named {
		return vocab.CallNotAllowed
	}
	t.unloaded = nil
	t.righted = head.Code
	others, behind := slices.Clone(t.held[1:]), t.behind
	t.held, t.behind = t.held[:0], nil
	head.nameWin(t.tellResolved(head.Code, in.With, in.By, in.Because))
	t.carryOut(head, in)
	t.advance()
	if more := head.Missing - 1; head.Code == irregularity.LostCards && in.With == irregularity.Identify && more != 0 {
		t.raise(Irregularity{Code: irregularity.LostCards, Missing: max(more, 0)})
	}
	t.held, t.behind = append(t.held, others...), behind
	return 0
}

func (t *Table) tellResolved(code irregularity.Code, with irregularity.Choice, by, because string) *vocab.Output {
	out := t.emit(vocab.Resolved)
	out.Code, out.With, out.Trouble = code, with, &vocab.Trouble{By: by, Because: because}
	t.alerts.cleared(code, with, by, t.now)
	return out
}

func (t *Table) carryOut(i Irregularity, in *vocab.Input) {
	t.laying = i.nth
	switch in.With {
	case irregularity.Identify:
		if i.Code == irregularity.UnreadCard {
			t.kept.Seen.forgetUnread()
			t.brought = i.nth
		} else {
			t.came()
		}
		t.card(in.Card, t.nextDue())
	case irregularity.Burn:
		if t.burnsNow() && i.Card != card.Joker {
			t.burn(i.Card)
		} else {
			t.setAside(i.Card, 0)
		}
	case irregularity.NextCard, irregularity.NextRound:
		t.layOpen(i.Card, i.nth)
	case irregularity.VoidRound:
		if i.Card != card.None && !t.ofHole(i) {
			t.setAside(i.Card, 0)
		}
		t.voidRound()
	case irregularity.Reload:
		t.reload()
	case irregularity.Accept, irregularity.Corrected:
		t.accept(i, in)
	}
}

// accept takes what happened as right.
func (t *Table) accept(i Irregularity, in *vocab.Input) {
	switch i.Code {
	case irregularity.CardWithoutCall:
		t.cardCalled = true
		t.place(i.Card, t.nextDue())
	case irregularity.ForeignCard:
		if !t.ofHole(i) {
			t.place(i.Card, t.nextDue())
		}
	case irregularity.ShoeDue:
		t.oneMore = true
	case irregularity.PayoutMismatch:
		if in.With == irregularity.Accept {
			t.payOtherwise(&i, in)
		}
		t.markPaid(i.Box, i.Bettor)
	case irregularity.BigWin:
		t.confirmed = append(t.confirmed, i)
	case irregularity.JackpotAsked:
		t.giveJackpot(t.rules.Alone(t.kept.Jackpot), 0)
	}
}

// voidRound returns every stake that is not decided. What was paid or taken
// already stays so.
func (t *Table) voidRound() {
	if t.phase == vocab.Payment {
		return
	}
	if t.phase == vocab.Bets {
		t.layHands()
	}
	v := verdict{outcome: vocab.Void, why: vocab.WhyVoidRound}
	for i := range t.boxes {
		b := &t.boxes[i]
		for h := range b.hands {
			t.decideHand(b, h, &v)
		}
		t.settleInsurance(b, &v)
		t.voidSides(b)
	}
	for len(t.kept.Waiting) > 0 {
		t.setAside(t.pickUp(0), 0)
	}
	if t.covered != 0 {
		t.laying, t.covered = t.covered, 0
		t.setAside(card.Down, 0)
	}
	if h := &t.bank.hole; h.known != card.None && h.lies {
		h.lies, t.laying = false, h.nth
		t.takenUp(h.nth)
		t.setAside(h.known, 0)
	}
	t.endRound()
}

// stands says whether the round stands still.
func (t *Table) stands() bool { return len(t.held) > 0 || t.kept.Shoe.Offline || t.unrecorded }

// heldByRecord says whether nothing but doubts about the record holds the table. These
// outlast a set-up, and a restart: see Carry.
func (t *Table) heldByRecord() bool {
	return !slices.ContainsFunc(t.held, func(i Irregularity) bool { return !i.Code.OfRecord() })
}
