package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
)

// Irregularity is a break of the procedure that holds the round until it is put
// right.
type Irregularity struct {
	Code    Code
	Card    card.Card // the card it is about, None for none
	Choices Choices
	// Missing counts lost cards; 0 if nobody knows how many.
	Missing int
	// Alarm is the shoe's own name for its alarm.
	Alarm string
	box   int // whose payment does not agree; 0 for all
}

// arrival is a card, or a hole in the shoe's numbers, that came while the round
// was held: it waits its turn behind what holds the round.
type arrival struct {
	card    card.Card
	gap     bool
	missing int
}

// choicesFor returns the ways to put an irregularity right.
func (t *Table) choicesFor(code Code) Choices {
	c := allChoices[code]
	if t.phase == Idle {
		c = c.without(VoidRound)
	}
	if t.forecasts() && code == CardWithoutCall {
		return choices(Burn) // nobody can forecast a card that lies open
	}
	return c
}

var allChoices = map[Code]Choices{
	UnreadCard:      choices(Identify, Burn, VoidRound),
	UnexpectedCard:  choices(NextCard, Burn, VoidRound),
	CardWithoutCall: choices(Accept, NextCard, Burn),
	BankOverdraw:    choices(Burn, NextRound, VoidRound),
	ForeignJoker:    choices(Burn),
	LostCards:       choices(Identify, NoneDrawn, VoidRound),
	PayoutMismatch:  choices(Corrected, Accept),
	ShoeAlarm:       choices(Accept),
}

// mayResolve says whether a role may take a choice. A dealer may only say that a
// call was made whose key was not pressed; all else is the supervisor's.
func mayResolve(r Role, code Code, c Choice) bool {
	return r == Supervisor || code == CardWithoutCall && c == Accept
}

// raise holds the round.
func (t *Table) raise(i Irregularity) {
	i.Choices = t.choicesFor(i.Code)
	t.held = append(t.held, i)
	t.tellIrregular(i)
}

func (t *Table) tellIrregular(i Irregularity) {
	out := t.emit(Irregular)
	out.Code, out.Card, out.Box = i.Code, i.Card, uint8(i.box)
	out.Trouble = &Trouble{Choices: i.Choices, Missing: uint32(i.Missing), Alarm: i.Alarm}
}

// resolve puts the oldest irregularity right. What it leads to happens before
// anything that was waiting behind it.
func (t *Table) resolve(in *Input) Reason {
	if len(t.held) == 0 {
		return NotHeld
	}
	head := t.held[0]
	named := in.Card.Ranked() || in.Card == card.Joker
	if !head.Choices.Has(in.With) || !mayResolve(in.Role, head.Code, in.With) || in.With == Identify && !named {
		return CallNotAllowed
	}
	others, behind := slices.Clone(t.held[1:]), t.behind
	t.held, t.behind = t.held[:0], nil
	t.tellResolved(head.Code, in.With, in.By)
	t.carryOut(head, in)
	t.settleDown()
	if more := head.Missing - 1; head.Code == LostCards && in.With == Identify && more != 0 {
		t.raise(Irregularity{Code: LostCards, Missing: max(more, 0)})
	}
	t.held, t.behind = append(t.held, others...), behind
	return 0
}

func (t *Table) tellResolved(code Code, with Choice, by string) {
	out := t.emit(Resolved)
	out.Code, out.With, out.Trouble = code, with, &Trouble{By: by}
}

func (t *Table) carryOut(i Irregularity, in *Input) {
	switch in.With {
	case Identify:
		if i.Code == UnreadCard {
			t.seen.name(in.Card)
		} else {
			t.seen.add(in.Card)
		}
		t.place(in.Card, t.nextDue())
	case Burn:
		t.setAside(i.Card, 0)
	case NextCard, NextRound:
		t.waiting = append(t.waiting, i.Card)
	case VoidRound:
		if i.Card != card.None {
			t.setAside(i.Card, 0)
		}
		t.voidRound()
	case Accept, Corrected:
		t.accept(i)
	}
}

// accept takes what happened as right.
func (t *Table) accept(i Irregularity) {
	switch i.Code {
	case CardWithoutCall:
		t.cardCalled = true
		t.place(i.Card, t.nextDue())
	case PayoutMismatch:
		t.markPaid(i.box)
	}
}

// voidRound returns every stake that is not decided. What was paid or taken
// already stays so.
func (t *Table) voidRound() {
	if t.phase == Payment {
		return
	}
	if t.phase == Bets {
		t.layHands()
	}
	v := verdict{outcome: Void, why: WhyVoidRound}
	for i := range t.boxes {
		b := &t.boxes[i]
		for h := range b.hands {
			t.decideHand(b, h, &v)
		}
		t.settleInsurance(b, &v)
		t.voidSides(b)
	}
	for _, c := range t.waiting {
		t.setAside(c, 0)
	}
	t.waiting = t.waiting[:0]
	t.endRound()
}

// shoeTold takes what the shoe says beside its cards.
func (t *Table) shoeTold(in *Input) {
	switch in.Shoe {
	case ShoeLoaded:
		t.shoe.CutCard = false
		t.seen = composition{}
	case ShoeCutCard:
		t.shoe.CutCard = true
	case ShoeGap:
		t.arrive(arrival{gap: true, missing: in.Missing}, t.due)
	case ShoeWentOffline:
		t.wentOffline()
	case ShoeCameOnline:
		t.cameOnline()
	case ShoeAlarmRaised:
		t.alarmRaised(in.Code)
	case ShoeAlarmCleared:
		t.alarmCleared(in.Code)
	}
}

// wentOffline holds the round by itself: nobody can put it right but the shoe.
func (t *Table) wentOffline() {
	if !t.shoe.Offline {
		t.shoe.Offline = true
		t.tellIrregular(Irregularity{Code: ShoeOffline})
	}
}

func (t *Table) cameOnline() {
	if t.shoe.Offline {
		t.shoe.Offline = false
		t.tellResolved(ShoeOffline, Online, "")
	}
}

// alarmRaised holds the round once for each alarm that stands.
func (t *Table) alarmRaised(code string) {
	if !slices.ContainsFunc(t.held, isAlarm(code)) {
		t.raise(Irregularity{Code: ShoeAlarm, Alarm: code})
	}
}

// alarmCleared takes an alarm back; one without a code takes back all of them.
func (t *Table) alarmCleared(code string) {
	before := len(t.held)
	t.held = slices.DeleteFunc(t.held, isAlarm(code))
	if len(t.held) < before {
		t.tellResolved(ShoeAlarm, Cleared, "")
	}
}

func isAlarm(code string) func(Irregularity) bool {
	return func(i Irregularity) bool { return i.Code == ShoeAlarm && (code == "" || i.Alarm == code) }
}

// stands says whether the round stands still.
func (t *Table) stands() bool { return len(t.held) > 0 || t.shoe.Offline }

// arrive takes a card that left the shoe, or a hole in its numbers. While the round
// is held it lies behind what holds it.
func (t *Table) arrive(a arrival, due Due) {
	switch {
	case len(t.held) > 0:
		t.behind = append(t.behind, a)
	case a.gap:
		t.raise(Irregularity{Code: LostCards, Missing: a.missing})
	default:
		t.seen.add(a.card)
		t.place(a.card, due)
	}
}

// settleDown does what follows by itself: cards that lie open become due, hands
// at 21 rest, the turn moves on, wagers are decided.
func (t *Table) settleDown() {
	for len(t.held) == 0 && t.moveOn() {
	}
}

// takeWaiting gives the first card that lies open to whom a card is due.
func (t *Table) takeWaiting() bool {
	due := t.nextDue()
	if len(t.waiting) == 0 || due.To != ToBox && due.To != ToBank {
		return false
	}
	next := t.waiting[0]
	t.waiting = slices.Delete(t.waiting, 0, 1)
	t.place(next, due)
	return true
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
