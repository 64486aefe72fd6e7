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

// PitMessage is what the pit says to the dealer, who has not said yet that it was seen; nil
// for nothing.
func PitMessage(v View) *Alert {
	at := slices.IndexFunc(v.Alerts, func(a Alert) bool { return a.Code == irregularity.PitMessage && a.Standing > 0 })
	if at < 0 {
		return nil
	}
	return &v.Alerts[at]
}

// PitSays is what the pit says to the dealer, and who does. It is empty once it was seen.
func PitSays(v View) Message {
	a := PitMessage(v)
	if a == nil {
		return Message{}
	}
	return say("floor.message", text("by", a.Caller), text("text", a.Text))
}

// briefly is how many columns of what the pit says a key has room for.
const briefly = 24

// PitBrief is what the pit says if it is brief, else that it says something: a message is never
// read by its beginning alone. It is empty once it was seen.
func (l Language) PitBrief(v View) string {
	if PitMessage(v) == nil {
		return ""
	}
	if whole := l.Say(PitSays(v)); Columns(whole) <= briefly {
		return whole
	}
	return l.fill("floor.message-there")
}

// messageTold says in words what the pit said to the dealer, or that it was seen.
func (l Language) messageTold(out *vocab.Output) string {
	if out.Message.Event == vocab.MessageSeen {
		return l.fill("past.message-seen") + l.person(out.By, false)
	}
	return l.fill("past.message", text("text", out.Message.Text)) + l.person(out.By, false)
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
	case out.Floor.Event == vocab.FloorDone:
	case out.Floor.Wants != 0:
		words = l.fill("floor.called-for", keys("reason", LabelFloor, out.Floor.Wants))
	default:
		words = l.fill("floor.called")
	}
	return words + l.person(out.By, false)
}
