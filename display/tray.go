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
}

func tray(t *table.Table) *Tray {
	y := t.Tray()
	chips := slices.Clone(ChipsOf(t.Rules()))
	slices.Reverse(chips)
	return &Tray{Counted: y.Known, Since: y.Since.Since, Chips: chips, Slips: y.Slips}
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
		case !s.Credit && s.Step == vocab.SlipSent:
			return say("tray.due-fill", number)
		case s.Credit && s.Step == vocab.SlipApproved:
			return say("tray.due-credit", number)
		}
	}
	return Message{}
}
