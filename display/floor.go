package display

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Floor is the call for somebody of the pit that stands, nil while none does.
func Floor(v View) *Alert {
	at := slices.IndexFunc(v.Alerts, func(a Alert) bool { return a.Code == irregularity.FloorCalled && a.Standing > 0 })
	if at < 0 {
		return nil
	}
	return &v.Alerts[at]
}

// FloorSays says who is coming or, while nobody has said so, that the floor was called, and
// what for. It says nothing while no call stands.
func FloorSays(v View) Message {
	switch a := Floor(v); {
	case a == nil:
		return Message{}
	case a.AcknowledgedBy != "":
		return say("floor.coming", text("by", a.AcknowledgedBy))
	case a.Reason != 0:
		return say("floor.called-for", keys("reason", LabelFloor, a.Reason))
	}
	return say("floor.called")
}

// floorTold says in words that the floor was called, and what for, or that it was there.
func (l Language) floorTold(out *vocab.Output) string {
	words := l.fill("floor.done")
	switch {
	case out.Floor == vocab.FloorDone:
	case out.Wants != 0:
		words = l.fill("floor.called-for", keys("reason", LabelFloor, out.Wants))
	default:
		words = l.fill("floor.called")
	}
	return words + l.person(out.By, false)
}
