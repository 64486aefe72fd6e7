package floor

import "github.com/sabot-table/sabot/table/enum"

// Standing is how a table stands.
type Standing uint8

// The standings.
const (
	// Unknown is a table of which nothing is known, or nothing any more: the pit does not reach the broker, or
	// has only just reached it.
	Unknown Standing = iota
	// Closed opens no bets.
	Closed
	// Open plays.
	Open
	// Offline is a table of which nothing is heard.
	Offline
	// Held stands still: an irregularity is to be put right, the shoe is away, or nothing can be recorded.
	Held
)

var standingNames = enum.Names[Standing]{
	Unknown: "unknown", Closed: "closed", Open: "open", Offline: "offline",
	Held: "held",
}

// String returns the standing's name.
func (s Standing) String() string { return standingNames.Name(s) }

// EveryStanding yields every standing.
func EveryStanding(yield func(Standing) bool) { standingNames.Every(yield) }
