package panel

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// floor calls the floor. Once somebody has said that he is coming, it says that he was
// there: until then a second press calls again, since nobody who waits means to take it back.
func floor(v display.View, call vocab.Input) (vocab.Input, error) {
	call.By = v.Shift.Dealer
	if a := display.Floor(v); a != nil && a.AcknowledgedBy != "" {
		call.Floor.Event = vocab.FloorDone
	}
	return call, nil
}

// floorLamp blinks while nobody has answered a call for the floor, and is lit once somebody
// is coming.
func floorLamp(v display.View) Lamp {
	switch a := display.Floor(v); {
	case a == nil:
		return Off
	case a.AcknowledgedBy == "":
		return Blink
	}
	return On
}
