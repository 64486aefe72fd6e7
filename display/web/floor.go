package web

import (
	"cmp"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// floorModel is the key by which somebody of the pit is called to the table, and the sheet
// that it opens.
type floorModel struct {
	// Shown says that there is a key: a screen that may only look has one while a call stands.
	Shown bool
	// Class is how the key is lit: called, also for a message, coming, or "" for neither; and
	// Stands how the call stands.
	Class, Stands string
	// Lit is what the key then says: the message before the call; and Brief as much of it as
	// the key has room for.
	Lit, Brief string
	// Says says so, "" for no call; Unseen that nobody has answered it yet.
	Says   string
	Unseen bool
	// Caller and Since are who called, and when.
	Caller, Since string
	// Message is what the pit says, "" for nothing, with the keys that say that it was seen.
	Message string
	Sent    string
	Seen    []keyModel
	// Reasons call the floor; Answers are the keys for a call that stands. Both are empty on
	// a screen that may only look.
	Reasons, Answers []keyModel
	// Holds stop the round.
	Holds []keyModel
}

func (r renderer) floor(v display.View) floorModel {
	m := floorModel{Says: r.language.Say(display.FloorSays(v))}
	if r.hands {
		m.Reasons, m.Answers = r.keysOf(touch.Floor(v)), r.keysOf(touch.FloorAnswers(v))
		m.Holds = r.keysOf(touch.Holds(v))
		m.Seen = r.keysOf(touch.MessageSeen(v))
	}
	if a := display.PitMessage(v); a != nil {
		m.Message, m.Sent, m.Class = r.language.Say(display.PitSays(v)), a.Raised, "called"
	}
	m.Lit, m.Brief = cmp.Or(m.Message, m.Says), cmp.Or(r.language.PitBrief(v), m.Says)
	m.Shown = r.hands || m.Says != "" || m.Message != ""
	a := display.Floor(v)
	if a == nil {
		return m
	}
	m.Unseen = a.AcknowledgedBy == ""
	if m.Stands = "called"; !m.Unseen {
		m.Stands = "coming"
	}
	if m.Class == "" {
		m.Class = m.Stands
	}
	m.Caller, m.Since = a.Caller, a.Raised
	return m
}
