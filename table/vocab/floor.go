package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// FloorEvent is what becomes of a call for the floor.
type FloorEvent uint8

// The events of the floor.
const (
	// FloorCalled: the table wants somebody of the pit to come.
	FloorCalled FloorEvent = iota + 1
	// FloorDone: they were there.
	FloorDone
)

var floorNames = plaintext.Enum[FloorEvent]{FloorCalled: "called", FloorDone: "done"}

// String returns the event's name in transcripts.
func (e FloorEvent) String() string { return floorNames.Name(e) }

// ParseFloorEvent reads an event's name.
func ParseFloorEvent(s string) (FloorEvent, bool) { return floorNames.Parse(s) }

// EveryFloorEvent yields every event of the floor.
func EveryFloorEvent(yield func(FloorEvent) bool) { floorNames.Every(yield) }

// FloorReason is what the floor is called for. The zero FloorReason is none that was said.
type FloorReason uint8

// The reasons.
const (
	FloorDispute FloorReason = iota + 1
	FloorChips
	FloorGuest
	FloorBreak
)

var floorReasonNames = plaintext.Enum[FloorReason]{
	FloorDispute: "dispute", FloorChips: "chips", FloorGuest: "guest", FloorBreak: "break",
}

// String returns the reason's name in transcripts, "" for none.
func (r FloorReason) String() string { return floorReasonNames.Name(r) }

// ParseFloorReason reads a reason's name.
func ParseFloorReason(s string) (FloorReason, bool) { return floorReasonNames.Parse(s) }

// EveryFloorReason yields every reason for which the floor is called.
func EveryFloorReason(yield func(FloorReason) bool) { floorReasonNames.Every(yield) }

// MarshalText writes the reason's name, "" for none.
func (r FloorReason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the reason's name, "" for none.
func (r *FloorReason) UnmarshalText(text []byte) error {
	return read(floorReasonNames, r, text, "reason")
}

// FloorCall is what becomes of a call for the floor, and what it is called for.
type FloorCall struct {
	Event FloorEvent
	// Wants is 0 where nobody said it, and where the floor was there.
	Wants FloorReason
}

const floorMeaning = "the floor is called to the table, or was there"

func floorFields[L any](of func(*L) *FloorCall) []*Field[L] {
	return []*Field[L]{
		named("event", Required, floorNames, "what becomes of the call", func(l *L) *FloorEvent {
			return &of(l).Event
		}),
		named("reason", Optional, floorReasonNames, "what for, where it was said", func(l *L) *FloorReason {
			return &of(l).Wants
		}).only(set(FloorCalled)),
	}
}
