package touch

import (
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// OpensCorrect is the dialogue in which a supervisor corrects the round.
const OpensCorrect = "correct"

// Holds are the keys that stop the round, one for each reason and one for none. They mean
// the same at any moment; there are none where somebody has stopped it already.
func Holds(v display.View) []Key {
	if v.Held != nil && v.Held.Code == irregularity.HeldByHand {
		return nil
	}
	return by(dealing(v), holdKeys())
}

// holdKeys are these keys, but for who presses them.
var holdKeys = sync.OnceValue(func() (keys []Key) {
	for reason := range display.HoldReasons {
		keys = append(keys, stops(reason, reason))
	}
	return append(keys, stops("", "none"))
})

func stops(reason, name string) Key {
	return Key{
		Name: "hold-" + name, Label: display.Message{Key: "hold." + name}, Kind: Call,
		Put: []vocab.Input{{Kind: vocab.InHold, Role: vocab.Dealer, Because: reason}},
	}
}

// dealing is who deals, as whom the table knows him.
func dealing(v display.View) string {
	if v.Shift.Dealer != "" {
		return v.Shift.Dealer
	}
	return vocab.Dealer.String()
}

// correct is the key that opens the dialogue, beside the choices of what holds the round.
func correct(v display.View) []Key {
	if v.Corrects == nil {
		return nil
	}
	return []Key{{
		Name: OpensCorrect, Label: display.Message{Key: "key.correct"}, Note: display.Message{Key: "effect.correct"},
		Kind: Theirs, Opens: OpensCorrect,
	}}
}

// Correction is what every correction from this screen has: who makes it, as far as nobody is
// proven, and why the round was stopped.
func Correction(v display.View) vocab.Input {
	in := vocab.Input{Kind: vocab.InCorrect, Role: vocab.Supervisor, By: unproven(v)}
	if v.Held != nil {
		in.Because = v.Held.Because
	}
	return in
}
