package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the bank's second card where it is dealt face down. The table does not know which card it is until it is
// turned, or was seen before its time: what comes in is card.Down, with a seal that only the table's key opens. So
// nothing that follows from the state of a table can tell it. Two inputs bring what a person at the table learns: when
// the dealer has looked, whether it makes a Black Jack; when it is turned, what it is.

// hole is the bank's card that lies face down.
type hole struct {
	// lies: it was dealt, and not turned yet. nth is its number in the round.
	lies bool
	nth  uint16
	// seen is what the dealer has seen in it, 0 before.
	seen vocab.HoleEvent
	// known is what it is, where it was seen before its time.
	known card.Card
}

// Sealed is a card that lies face down.
type Sealed struct {
	// Seal is what it is, enciphered, as it is on record, and Line the record that has it; "" and 0 where it was dealt
	// without.
	Seal string
	Line uint64
	// Nth is its number in the round.
	Nth int
	// Known is what it is, where it was seen before its time.
	Known card.Card
}

// Hole returns the bank's card that lies face down.
func (t *Table) Hole() (s Sealed, lies bool) {
	if !t.bank.hole.lies {
		return Sealed{}, false
	}
	s = t.sealed(t.bank.hole.nth)
	s.Known = t.bank.hole.known
	return s, true
}

// HoleSeen returns what the dealer has seen in it, 0 before.
func (t *Table) HoleSeen() vocab.HoleEvent { return t.bank.hole.seen }

// ToOpen returns a card that was sealed and has to be opened now: it is no hole card after all, or that of a round that
// is void.
func (t *Table) ToOpen() (s Sealed, is bool) {
	switch {
	case t.covered != 0:
		return t.sealed(t.covered), true
	case t.bank.hole.lies && t.phase == vocab.Payment:
		return t.sealed(t.bank.hole.nth), true
	}
	return Sealed{}, false
}

// sealed is the seal of the nth card of the round.
func (t *Table) sealed(nth uint16) Sealed {
	for _, p := range t.history.inputs {
		if p.nth == nth && p.card == card.Down && p.whole > 0 {
			in := &t.history.whole[p.whole-1]
			return Sealed{Seal: in.Code, Line: in.Line, Nth: int(nth)}
		}
	}
	return Sealed{Nth: int(nth)}
}

// MayBeHole says whether the card that comes next out of the shoe may be the bank's that is dealt face down: it is due,
// or cards of the deal wait for a decision, and one of them is.
func (t *Table) MayBeHole() bool {
	if t.rules == nil || !t.rules.Bank.HasHole() || t.phase != vocab.Deal {
		return false
	}
	return slices.Contains(t.order[t.dealt:], atHole) && (t.nextDue().To == vocab.ToHole || t.waits())
}

// Stands says whether the round stands still: no step of it is taken.
func (t *Table) Stands() bool { return t.stands() }

// MayExpose says whether the hole card may be laid open before its time.
func (t *Table) MayExpose() bool {
	h := &t.bank.hole
	return h.lies && h.known == card.None && t.phase != vocab.Payment && t.covered == 0
}

// waits says whether cards wait: for a decision of a person, or until one that was sealed is opened.
func (t *Table) waits() bool { return len(t.held) > 0 || t.covered != 0 }

// cover lets a sealed card wait until it is opened.
func (t *Table) cover() { t.covered = t.laying }

// layHole lays the bank's second card face down. One that lay open is known to everybody.
func (t *Table) layHole(c card.Card) {
	h := &t.bank.hole
	*h = hole{lies: true, nth: t.laying}
	if c != card.Down {
		h.known = c
	}
	t.noteLaid(c, vocab.ToBank, 0, 0)
	t.tellHole(vocab.HoleLaid)
	if h.known != card.None {
		t.tellHole(vocab.HoleExposed).Card = c
	}
}

func (t *Table) tellHole(e vocab.HoleEvent) *vocab.Output {
	out := t.emit(vocab.HoleTold)
	out.Hole = e
	return out
}

// looksNow says whether the dealer looks at the hole card before the first call.
func (t *Table) looksNow() bool {
	return t.bank.hole.lies && t.rules.Bank.LooksUnder(t.bank.cards[0].Rank())
}

// holeTold takes what is done with the hole card.
func (t *Table) holeTold(in *vocab.Input) vocab.Reason {
	if t.rules == nil {
		return vocab.NoRound
	}
	switch in.Hole {
	case vocab.HoleTurned:
		return t.turnHole(in.Card)
	case vocab.HoleExposed:
		return t.expose(in)
	case vocab.HoleLook, vocab.HoleBlackJack, vocab.HoleNoBlackJack:
		if t.stands() {
			return vocab.RoundHeld
		}
		if in.Hole != vocab.HoleLook {
			return t.look(in.Hole)
		}
	}
	return vocab.CallNotAllowed // nobody has said what was seen
}

// look takes what the dealer has seen. A Black Jack ends the round: the card is turned at once.
func (t *Table) look(seen vocab.HoleEvent) vocab.Reason {
	h := &t.bank.hole
	if t.phase != vocab.Look || !t.agrees(seen, h.known) {
		return vocab.CallNotAllowed
	}
	t.goneOn(len(t.decided))
	h.seen = seen
	t.tellHole(seen)
	if seen == vocab.HoleBlackJack {
		t.phase = vocab.BankDraws
		return 0
	}
	if t.isInsured(t.bank.cards[0]) {
		for _, i := range t.inPlay {
			t.decideInsurance(&t.boxes[i])
		}
	}
	t.startPlay()
	return 0
}

// agrees says whether what the dealer has seen is so with a card; with none that is known it may be.
func (t *Table) agrees(seen vocab.HoleEvent, c card.Card) bool {
	if c == card.None || seen == 0 {
		return true
	}
	return (seen == vocab.HoleBlackJack) == t.makesBlackJack(c)
}

// turnHole turns the hole card, or opens one that is none after all.
func (t *Table) turnHole(c card.Card) vocab.Reason {
	h := &t.bank.hole
	switch {
	case c == card.None && t.stands():
		return vocab.RoundHeld
	case !c.Ranked() && c != card.Joker:
		return vocab.CallNotAllowed
	case t.covered != 0:
		nth := t.covered
		t.covered = 0
		t.opened(nth, c)
		t.named(c, t.nextDue())
		return 0
	case t.bank.hole.lies && t.phase == vocab.Payment:
		h.lies = false
		t.opened(h.nth, c)
		t.setAside(c, 0)
		return 0
	case t.stands():
		return vocab.RoundHeld
	case t.nextDue().To != vocab.ToTurn || !t.agrees(h.seen, c) || h.known != card.None && h.known != c:
		return vocab.CallNotAllowed
	}
	h.lies = false
	t.opened(h.nth, c)
	t.goneOn(len(t.decided))
	if due := (vocab.Due{To: vocab.ToBank}); h.known != card.None { // whether the shoe can hold it was asked by then
		t.place(c, due)
	} else {
		t.named(c, due)
	}
	return 0
}

// opened notes that the nth card of the round is known from now on.
func (t *Table) opened(nth uint16, c card.Card) {
	t.brought, t.laying = nth, nth
	t.takenUp(nth)
	if t.bank.hole.known == card.None || nth != t.bank.hole.nth {
		t.kept.Seen.rename(card.Down, c)
	}
}

// named places a card that has its name now, unless the shoe cannot hold it.
func (t *Table) named(c card.Card, due vocab.Due) {
	if c.Ranked() && t.kept.Seen.counts[c] > t.packed[c] {
		t.raiseCard(irregularity.ForeignCard, c)
		return
	}
	t.place(c, due)
}

// expose lets the hole card lie open from now on, since somebody has seen it before its time. The play goes on as it
// would have: the bank's turn is its turn.
func (t *Table) expose(in *vocab.Input) vocab.Reason {
	h := &t.bank.hole
	switch {
	case in.Role != vocab.Supervisor:
		return vocab.NeedsSupervisor
	case !t.MayExpose():
		return vocab.CallNotAllowed
	case !in.Card.Ranked() || !t.agrees(h.seen, in.Card):
		return vocab.CallNotAllowed
	}
	t.brought, t.laying = h.nth, h.nth
	h.known = in.Card
	t.turned(h.nth, in.Card)
	t.kept.Seen.rename(card.Down, in.Card)
	t.tellHole(vocab.HoleExposed).Card = in.Card
	if t.kept.Seen.counts[in.Card] > t.packed[in.Card] {
		t.raiseCard(irregularity.ForeignCard, in.Card)
	}
	return 0
}
