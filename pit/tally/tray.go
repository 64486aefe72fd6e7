package tally

import (
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// TrayEvent is what a record has done to a table's tray: a count, a step of a slip, chips that moved, or an adjustment
// of a past round.
type TrayEvent struct {
	Record uint64
	At     time.Time
	// Of is what was put in: InCount, InFill, InCredit, InBuyIn, InDrop, InChange, InTips or InAdjust; of a tray that
	// is gone InSetup.
	Of vocab.InputKind
	// Told is what the table told of it. Of an adjustment it has the amount that was paid, below zero what was taken.
	Told vocab.TrayTold
	// Must is what must be in the tray after it, of a count before it, as far as Known says that the table knows.
	Must  int64
	Known bool
	// By did it, Because of that, and AtPit says that it came from the pit.
	By, Because string
	AtPit       bool
	// Round is the last round before it, or the one that was adjusted, and Box on which box that was.
	Round uint64
	Box   uint8
	// Dealer deals, in Shift, by these rules.
	Dealer, Shift, House, Game, Rules, Currency string
}

// InTray is what a round has done to a tray that was counted before it.
type InTray struct {
	// Won is what the tray has more by it, and Over how much more was paid than was due.
	Won, Over int64
	// Unknown counts the wagers of which nobody knows the amount, Corrected how often the round was corrected, Accepted
	// the wagers on which something else was paid than was due, and Large the wins for which a supervisor came.
	Unknown, Accepted int64
	Corrected, Large  int
}

// atTray is what the record has done to the tray, nil for nothing.
func (f *Fold) atTray(r *Record, out *vocab.Output) *TrayEvent {
	k := &f.kept
	told := out.Trouble
	if told == nil {
		told = &vocab.Trouble{}
	}
	e := &TrayEvent{
		Record: r.Seq, At: r.At, Must: told.InTray.Amount, Known: told.InTray.Known, By: told.By, Because: told.Because,
		AtPit: r.In.Command != "", Round: k.Round,
		Dealer: k.Dealer, Shift: k.Shift, House: k.House, Game: k.Game, Rules: k.Rules, Currency: k.Currency,
	}
	if told.Tray != nil {
		e.Told = *told.Tray
	}
	switch out.Kind {
	case vocab.Counted:
		e.Of, k.Counted = vocab.InCount, true
	case vocab.TrayMoved:
		e.Of = e.Told.Of
	case vocab.Adjusted:
		if !k.Counted {
			return nil // nobody knows what had to be there before it
		}
		e.Of, e.Told.Amount, e.Round, e.Box = vocab.InAdjust, out.Adjusted, out.Round, out.Box
	}
	return e
}

// inTray is what a round has done to the tray.
func (r *Round) inTray(steps []step) *InTray {
	y := &InTray{Corrected: r.Corrected}
	for _, w := range r.Wagers {
		y.Won, y.Over, y.Unknown = y.Won+w.Staked-w.Returned, y.Over+w.Returned-w.Due, y.Unknown+w.Unknown
	}
	for i := range steps {
		for j := range steps[i].Decided {
			if steps[i].Decided[j].Due != 0 {
				y.Accepted++
			}
		}
	}
	for i := range r.Irregularities {
		if r.Irregularities[i].Code == irregularity.BigWin {
			y.Large++
		}
	}
	return y
}
