package table

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file burns cards: where the house has it so, the next cards between two rounds are laid aside before bets open.
// What is left to be burnt is no part of a round, and no undo and no correction changes it.

// Burning returns what is left to be burnt before the next round, nothing for none, and what is where the loading of
// the shoe is taken back.
func (t *Table) Burning() (now, unloaded rules.Burn) {
	if t.unloaded != nil {
		unloaded = t.unloaded.Burning
	}
	return t.burning, unloaded
}

// burnLoaded has cards burnt after the shoe was loaded. In the middle of a round the cards that were put in are dealt
// on.
func (t *Table) burnLoaded() {
	if t.phase == vocab.Idle {
		t.burning = t.rules.BurnLoaded()
	}
}

// burnRelief has cards burnt when another dealer comes. What is left to be burnt after the loading of the shoe is
// enough.
func (t *Table) burnRelief(was, now string) {
	if t.rules != nil && was != "" && was != now && t.burning.Cards == 0 {
		t.burning = t.rules.BurnRelief()
	}
}

// dueBetween is what was announced at a table that goes on between two rounds.
func (t *Table) dueBetween() {
	if t.burnsNow() {
		t.due = t.nextDue()
	}
}

// burn lays a card aside that was to be burnt.
func (t *Table) burn(c card.Card) {
	t.setAside(c, 0)
	t.burning = t.burning.After(c)
}

// burnsNow says whether a card that comes now is to be burnt.
func (t *Table) burnsNow() bool { return t.phase == vocab.Idle && t.burning.Cards > 0 }
