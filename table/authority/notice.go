package authority

import (
	"time"

	"github.com/sabot-table/sabot/table/vocab"
)

// Notice is a change in who is at the table, for the record.
type Notice struct {
	At   time.Time
	What What
	// Who is the supervisor or dealer concerned; for Refused the name that was given, which
	// may be empty.
	Who string
	// Place is where a PIN was entered, or a badge was read.
	Place Place
	// Screen is the name of the screen at which it was done, "" where nobody said so: see
	// AtScreen. Only who tried a PIN or a badge in vain is known by the Place alone.
	Screen string
	// Why is the reason for Left, or what a Refused resolution lacks.
	Why Why
	// Left is how many more wrong PINs are allowed before the name is locked out. (WrongPIN)
	Left int
	// Until is when it expires. (Proven, LockedOut, TriedWhileLocked, DealerLockedOut,
	// BadgeLockedOut, ScreenLockedOut, NetworkLockedOut)
	Until time.Time
	// Relieves is the dealer who goes, and Proof how the one who comes was proven. (DealerIn)
	Relieves string
	Proof    vocab.Proof
}

// What is what happened, by a name that never changes.
type What string

// The notices.
const (
	// Proven: a supervisor's correct PIN was entered, to look until then, or with what was done by it.
	Proven   What = "proven"
	WrongPIN What = "wrong-pin"
	// LockedOut follows one WrongPIN too many, and locks a name out where it was entered.
	LockedOut What = "locked-out"
	// ScreenLockedOut locks all names out at a place at which many were tried, and
	// NetworkLockedOut a name, or all badges, at every screen of the network after tries at many.
	ScreenLockedOut  What = "screen-locked-out"
	NetworkLockedOut What = "network-locked-out"
	// TriedWhileLocked is reported once for each lock-out, however many tries there are.
	TriedWhileLocked What = "tried-while-locked"
	KeyOn            What = "key-on"
	KeyOff           What = "key-off"
	// Left ends what Proven began.
	Left What = "left"
	// Refused: a resolution came without a proven supervisor.
	Refused What = "refused"
	// DealerIn: somebody deals from now on, in the place of another if it has Relieves.
	DealerIn  What = "dealer-in"
	DealerOut What = "dealer-out"
	// WrongDealerPIN and WrongBadge: a dealer was not proven; DealerLockedOut and
	// BadgeLockedOut follow one too many.
	WrongDealerPIN  What = "wrong-dealer-pin"
	WrongBadge      What = "wrong-badge"
	DealerLockedOut What = "dealer-locked-out"
	BadgeLockedOut  What = "badge-locked-out"
)

// Why is a reason, by a name that never changes.
type Why string

// How a supervisor left.
const (
	WhyAsked   Why = "asked"
	WhyTime    Why = "time"
	WhyKeyOff  Why = "key-off"
	WhyAnother Why = "another-supervisor"
)

// Why something is refused.
const (
	WhyWrongPIN    Why = "wrong-pin"
	WhyLockedOut   Why = "locked-out"
	WhyUnknownName Why = "unknown-name"
	WhyBusy        Why = "busy"
	WhyNoPINAsked  Why = "no-pin-asked"
	WhyBadName     Why = "bad-name"
	// WhyNeeds is followed by the missing proof, as in needs-pin.
	WhyNeeds       Why = "needs-"
	WhyAnotherName Why = "another-name"

	WhyNoBadgeAsked Why = "no-badge-asked"
	WhyUnknownBadge Why = "unknown-badge"
	WhyRoundRunning Why = "round-running"
)
