package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is a win of the house's amount or more: it holds the table until a supervisor has confirmed it.

// Win is a win that a supervisor is to confirm: on which wager and hand, why, and how much.
type Win struct {
	Wager vocab.Wager
	Hand  uint8
	Why   vocab.Why
	Won   int64
	// again tells apart what is decided alike several times, as a bonus on each of two hands.
	again uint8
}

// holdWins holds the round for each big win that nobody has confirmed. A round that is dealt again is not held for it
// before its end: a correction may have made a win big, and the play has gone on.
func (t *Table) holdWins() {
	if t.phase == vocab.Idle {
		return
	}
	for i := range t.decided {
		if one := &t.decided[i]; !one.Unstated && wins(one) && t.rules.Big(one.Won) {
			if win := t.bigWin(i); !slices.ContainsFunc(t.confirmed, win.sameWin) &&
				!slices.ContainsFunc(t.held, win.sameWin) {
				t.raise(win)
			}
		}
	}
}

// bigWin is the win on the nth decided wager.
func (t *Table) bigWin(nth int) Irregularity {
	one := &t.decided[nth]
	i := Irregularity{
		Code: irregularity.BigWin, Box: int(one.Box), Bettor: one.Bettor,
		Win: Win{Wager: one.Wager, Hand: one.Hand, Why: one.Why, Won: one.Won},
	}
	for k := range nth {
		if *one == t.decided[k] {
			i.again++
		}
	}
	return i
}

func (i Irregularity) sameWin(other Irregularity) bool {
	return i.Code == other.Code && i.Box == other.Box && i.Bettor == other.Bettor && i.Win == other.Win
}

// nameWin names the win in what is told of it.
func (i *Irregularity) nameWin(out *vocab.Output) {
	if i.Code == irregularity.BigWin {
		out.Box, out.Bettor = uint8(i.Box), i.Bettor
		out.Wager, out.Hand, out.Why, out.Won = i.Wager, i.Hand, i.Why, i.Won
	}
}

// confirm confirms a win that was confirmed, if it is still decided as it was: else it is to be looked at again.
func (d *dealer) confirm() vocab.Reason {
	t, was := d.table, d.was.confirmed[d.mark.confirmed-1]
	for i := range t.decided {
		if win := t.bigWin(i); wins(&t.decided[i]) && was.sameWin(win) {
			t.held = slices.Insert(t.held, 0, was)
			return d.putInput(&d.in)
		}
	}
	return 0
}
