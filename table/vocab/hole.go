package vocab

import "github.com/sabot-table/sabot/table/plaintext"

// HoleEvent is what is done with the bank's card that lies face down.
type HoleEvent uint8

// What is done with it.
const (
	// HoleLaid: it was dealt.
	HoleLaid HoleEvent = iota + 1
	// HoleLook: the dealer looks at it. What is seen is what goes on record: one of the next two.
	HoleLook
	HoleBlackJack
	HoleNoBlackJack
	// HoleTurned: the dealer turns it.
	HoleTurned
	// HoleExposed: it was seen before its time, and lies open from now on.
	HoleExposed
)

var (
	holeNames = plaintext.Enum[HoleEvent]{
		HoleLaid: "laid", HoleLook: "look", HoleBlackJack: "black-jack", HoleNoBlackJack: "no-black-jack",
		HoleTurned: "turned", HoleExposed: "exposed",
	}
	holeInputs = some(holeNames, HoleLook, HoleBlackJack, HoleNoBlackJack, HoleTurned, HoleExposed)
	holeTold   = some(holeNames, HoleLaid, HoleBlackJack, HoleNoBlackJack, HoleExposed)
)

// String returns the event's name in transcripts.
func (e HoleEvent) String() string { return holeNames.Name(e) }

// ParseHoleEvent reads an event's name.
func ParseHoleEvent(s string) (HoleEvent, bool) { return holeNames.Parse(s) }

// MarshalText writes the event's name, "" for none.
func (e HoleEvent) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the event's name, "" for none.
func (e *HoleEvent) UnmarshalText(text []byte) error {
	return read(holeNames, e, text, "event of the hole card")
}
