package vocab

// Notes of whether the clock follows another, such as a time server. A start without either had a clock that did, or on
// a system that does not tell.
const (
	// ClockFree: from here on times on record may be wrong.
	ClockFree = "clock-unsynchronized"
	// ClockFollows: from here on they are right again.
	ClockFollows = "clock-synchronized"
)
