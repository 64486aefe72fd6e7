package web

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// floorModel is the key by which somebody of the pit is called to the table, and the sheet
// that it opens.
type floorModel struct {
	// Shown says that there is a key: a screen that may only look has one while a call stands.
	Shown bool
	// Class is how the call stands: called, coming, or "" for none.
	Class string
	// Says says so, "" for no call; Unseen that nobody has answered it yet.
	Says   string
	Unseen bool
	// Caller and Since are who called, and when.
	Caller, Since string
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
	}
	m.Shown = r.hands || m.Says != ""
	a := display.Floor(v)
	if a == nil {
		return m
	}
	m.Class, m.Unseen = "called", a.AcknowledgedBy == ""
	if !m.Unseen {
		m.Class = "coming"
	}
	m.Caller, m.Since = a.Caller, a.Raised
	return m
}
