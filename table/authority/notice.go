package authority

import "time"

// Notice is something that happened to who stands at the table, for the record.
type Notice struct {
	At   time.Time
	What What
	// Who is the supervisor or dealer whom it is about; for Refused the name that was
	// given, which may be empty.
	Who string
	// Why is how somebody Left, or what a resolution that was Refused lacks.
	Why Why
	// Left is how many more wrong PINs are taken before the name is locked out. (WrongPIN)
	Left int
	// Until is how long it holds by itself. (Proven, LockedOut, TriedWhileLocked)
	Until time.Time
}

// What is what happened, by a name that stays.
type What string

// The notices.
const (
	// Proven: a supervisor's right PIN was entered.
	Proven   What = "proven"
	WrongPIN What = "wrong-pin"
	// LockedOut follows a WrongPIN that was one too many.
	LockedOut What = "locked-out"
	// TriedWhileLocked is told once for each lock-out, however often somebody tries.
	TriedWhileLocked What = "tried-while-locked"
	KeyOn            What = "key-on"
	KeyOff           What = "key-off"
	// Left ends what Proven began.
	Left What = "left"
	// Refused: somebody who is not proven wanted to put something right.
	Refused   What = "refused"
	DealerIn  What = "dealer-in"
	DealerOut What = "dealer-out"
)

// Why is a reason, by a name that stays.
type Why string

// How a supervisor left.
const (
	WhyAsked    Why = "asked"
	WhyResolved Why = "resolved"
	WhyTime     Why = "time"
	WhyKeyOff   Why = "key-off"
	WhyAnother  Why = "another-supervisor"
)

// Why something is refused.
const (
	WhyWrongPIN    Why = "wrong-pin"
	WhyLockedOut   Why = "locked-out"
	WhyUnknownName Why = "unknown-name"
	WhyBusy        Why = "busy"
	WhyNoPINAsked  Why = "no-pin-asked"
	WhyBadName     Why = "bad-name"
	// WhyNeeds, with the proof that is lacking behind it, as in needs-pin.
	WhyNeeds       Why = "needs-"
	WhyAnotherName Why = "another-name"
)
