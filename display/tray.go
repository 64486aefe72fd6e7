package display

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Tray is what the table's own screens must know of its tray. What must be in it is not among that: who counts it does
// not know it before.
type Tray struct {
	// Counted says that it was counted, and Since names that count.
	Counted bool
	Since   uint64
	// Chips are what lies in it, in the order in which it is counted: the largest first.
	Chips []rules.Chip
	// Slips are the fills and credits under way.
	Slips []vocab.Slip
	// Last is what the last count came to, nil where it was before this program began.
	Last *Count

	// must is what must be in it, where holds says that somebody can tell.
	must  int64
	holds bool
}

// Known says that somebody can tell what must be in it: it was counted, and no round since lacks its amounts.
func (y *Tray) Known() bool { return y.holds }

// Count is what was counted, and how much more that is than had to be there, where Known says that somebody can tell.
// Lost says that nobody can, though it was counted before: rounds since have no amounts.
type Count struct {
	Sum, Difference int64
	Known, Lost     bool
}

// difference remembers what had to be in the tray, and what the last count came to.
type difference struct {
	before Tray
	last   *Count
}

// look tells a view what the last count came to: the tray holds what was counted from then on, and the view before had
// what was to be there.
func (d *difference) look(y *Tray) {
	switch {
	case y == nil:
		return
	case !y.Counted:
		d.last = nil
	case y.Since != d.before.Since && d.before.Chips != nil:
		d.last = &Count{Sum: y.must, Known: d.before.holds, Lost: d.before.Counted && !d.before.holds}
		if d.last.Known {
			d.last.Difference = y.must - d.before.must
		}
	}
	d.before, y.Last = *y, d.last
}

// SeesDifference says whether the table's own screen may show by how much the last count differs: the house lets the
// dealer see it, or a supervisor's key is turned.
func SeesDifference(v View) bool {
	if v.Tray == nil || v.Tray.Last == nil || v.Rules == nil {
		return false
	}
	return v.Rules.TrayDifference == rules.SeenByDealer || v.Supervisor != nil && v.Supervisor.Present != ""
}

func tray(t *table.Table) *Tray {
	y := t.Tray()
	chips := slices.Clone(ChipsOf(t.Rules()))
	slices.Reverse(chips)
	must, holds := y.Holds()
	return &Tray{
		Counted: y.Known, Since: y.Since.Since, Chips: chips, Slips: y.Slips, must: must, holds: holds,
	}
}

// SlipDue says what is to be done with the chips of a slip at the table, with the slip that is furthest; empty where
// nothing is.
func SlipDue(v View) Message {
	if v.Tray == nil || v.Phase != vocab.Idle {
		return Message{}
	}
	for i := range v.Tray.Slips {
		s := &v.Tray.Slips[i]
		number := text("number", strconv.FormatUint(uint64(s.Number), 10))
		switch {
		case s.Currency != "": // its chips do not move here
		case !s.Credit && s.Step == vocab.SlipSent:
			return say("tray.due-fill", number)
		case s.Credit && s.Step == vocab.SlipApproved:
			return say("tray.due-credit", number)
		}
	}
	return Message{}
}
