package devices

// Name names a part of a table, by a name that stays. The word of the page for it is devices. and the name.
type Name string

// The parts.
const (
	Shoe       Name = "shoe"
	Panel      Name = "panel"
	Characters Name = "characters"
	Network    Name = "network"
	Pit        Name = "pit"
	Journal    Name = "journal"
	Computer   Name = "computer"
)

// Names are all parts, in the order in which they are told.
var Names = []Name{Shoe, Panel, Characters, Network, Pit, Journal, Computer}

// Works is whether a part works, by a name that stays.
type Works string

// What parts do.
const (
	Good Works = "good"
	Bad  Works = "bad"
	// None is a part that the configuration does not name.
	None Works = "none"
)

// State is how a part of a running table does.
type State struct {
	Name  Name
	Works Works
	// About says which one it is and what is known of it, for technicians.
	About string
}
