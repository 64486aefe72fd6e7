package touch

import (
	"slices"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Floor are the keys by which somebody of the pit is called to the table: one for each
// reason, and one for none. They mean the same at any moment, also while the round is held.
func Floor(v display.View) []Key { return by(v.Shift.Dealer, floorKeys()) }

// floorKeys are these keys, but for who presses them.
var floorKeys = sync.OnceValue(func() (keys []Key) {
	for reason := range vocab.EveryFloorReason {
		keys = append(keys, callsFloor(reason, reason.String()))
	}
	return append(keys, callsFloor(0, "none"))
})

func callsFloor(reason vocab.FloorReason, name string) Key {
	return Key{
		Name: OpensFloor + "-" + name, Label: display.Message{Key: "floor." + name}, Kind: Call,
		Put: []vocab.Input{{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled, Wants: reason}}},
	}
}

// by are keys that are the same at every moment, with the name of who presses them in what each puts in.
func by(who string, same []Key) []Key {
	keys, puts := slices.Clone(same), make([]vocab.Input, len(same))
	for i := range keys {
		puts[i] = keys[i].Put[0]
		puts[i].By = who
		keys[i].Put = puts[i : i+1 : i+1]
	}
	return keys
}

// MessageSeen is the key by which whoever is at the table says that the pit's message was
// seen, none while there is none.
func MessageSeen(v display.View) []Key {
	if display.PitMessage(v) == nil {
		return nil
	}
	return []Key{{
		Name: "message-seen", Label: display.Message{Key: "key.seen"}, Kind: Step,
		Put: []vocab.Input{{
			Kind: vocab.InMessage, Message: vocab.Message{Event: vocab.MessageSeen}, By: v.Shift.Dealer,
		}},
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
		Name: OpensFloor + "-done", Label: display.Message{Key: "key.floor-done"}, Kind: Step,
		Put: []vocab.Input{{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorDone}, By: v.Shift.Dealer}},
	})
}
