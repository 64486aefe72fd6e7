package touch

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Floor are the keys by which somebody of the pit is called to the table: one for each
// reason, and one for none. They mean the same at any moment, also while the round is held.
func Floor(v display.View) []Key {
	var keys []Key
	for reason := range vocab.EveryFloorReason {
		keys = append(keys, callsFloor(v, reason, reason.String()))
	}
	return append(keys, callsFloor(v, 0, "none"))
}

func callsFloor(v display.View, reason vocab.FloorReason, name string) Key {
	return Key{
		Name: OpensFloor + "-" + name, Label: display.Message{Key: "floor." + name}, Kind: Call, Always: true,
		Put: []vocab.Input{{Kind: vocab.InFloor, Floor: vocab.FloorCalled, Wants: reason, By: v.Shift.Dealer}},
	}
}

// MessageSeen is the key by which whoever is at the table says that the pit's message was
// seen, none while there is none.
func MessageSeen(v display.View) []Key {
	if display.PitMessage(v) == nil {
		return nil
	}
	return []Key{{
		Name: "message-seen", Label: display.Message{Key: "key.seen"}, Kind: Step, Always: true,
		Put: []vocab.Input{{Kind: vocab.InMessage, Message: vocab.MessageSeen, By: v.Shift.Dealer}},
	}}
}

// FloorAnswers are the keys for a call that stands: a supervisor says that he is coming, and
// whoever is at the table that he was there.
func FloorAnswers(v display.View) []Key {
	a := display.Floor(v)
	if a == nil {
		return nil
	}
	var keys []Key
	if a.AcknowledgedBy == "" {
		coming := seen(v, irregularity.FloorCalled)
		coming.Name, coming.Label, coming.Kind = OpensFloor+"-coming", display.Message{Key: "key.floor-coming"}, Theirs
		keys = append(keys, coming)
	}
	return append(keys, Key{
		Name: OpensFloor + "-done", Label: display.Message{Key: "key.floor-done"}, Kind: Step, Always: true,
		Put: []vocab.Input{{Kind: vocab.InFloor, Floor: vocab.FloorDone, By: v.Shift.Dealer}},
	})
}
