package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// floor takes that somebody of the pit is wanted at the table, or was there. Neither holds
// the round, and neither is part of it: an undo takes no call for the floor back.
func (t *Table) floor(in *vocab.Input) vocab.Reason {
	if in.Floor.Event == vocab.FloorCalled {
		t.callFloor(in)
	} else if t.alerts.list[irregularity.FloorCalled].Standing == 0 {
		return vocab.NotCalled
	} else {
		t.alerts.list[irregularity.FloorCalled] = Alert{} // whoever was there has seen it
	}
	t.emit(vocab.FloorTold).Trouble = &vocab.Trouble{Floor: in.Floor, By: in.By}
	return 0
}

// callFloor raises the floor's alert. A call while one stands is urgent or for something
// else: somebody has to look again. One without a reason or a name leaves these as they were.
func (t *Table) callFloor(in *vocab.Input) {
	one := &t.alerts.list[irregularity.FloorCalled]
	if one.Standing == 0 {
		t.alerts.raised(irregularity.FloorCalled, t.now, t.kept.Round)
	} else {
		t.alerts.again(irregularity.FloorCalled)
	}
	if in.By != "" {
		one.Caller = in.By
	}
	if in.Floor.Wants != 0 {
		one.Wants = in.Floor.Wants
	}
}
