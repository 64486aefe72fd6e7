package vocab

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
)

// InputKind says what was put in.
type InputKind uint8

// The inputs.
const (
	InSetup InputKind = iota + 1
	InShoe
	InOpen
	InStake
	InClose
	InCard
	InCall
	InUndo
	InResolve
	InPaid
	InAcknowledge
	InDealer
	InNote
	InStorage
)

var inputNames = []string{
	InSetup: "setup", InShoe: "shoe", InOpen: "open", InStake: "stake", InClose: "close",
	InCard: "card", InCall: "call", InUndo: "undo", InResolve: "resolve", InPaid: "paid",
	InAcknowledge: "acknowledge", InDealer: "dealer", InNote: "note", InStorage: "storage",
}

// String returns the input's name in transcripts.
func (k InputKind) String() string { return nameOf(inputNames, k) }

// ParseInputKind reads an input's name.
func ParseInputKind(s string) (InputKind, bool) { return parseName[InputKind](inputNames, s) }

// Input is one thing put into the engine. Which fields mean something depends on
// Kind, as a transcript's line does. All amounts are in minor units.
type Input struct {
	Kind InputKind
	Card card.Card // InCard, InResolve
	Call Call      // InCall
	// Wager is what is staked on. (InStake)
	Wager Wager
	Shoe  ShoeEvent           // InShoe
	With  irregularity.Choice // InResolve
	Role  Role                // InResolve
	// Irregularity is what is acknowledged. (InAcknowledge)
	Irregularity irregularity.Code
	Storage      StorageEvent // InStorage
	// Seat is whether the bettor sits at the box. (InStake)
	Seat Seat
	// Stated says that Amount was given. (InPaid, InCall)
	Stated bool
	Box    int // InStake, InCall for one bettor, InPaid; 0 for none
	// Line is the input's number in its transcript or journal; outputs that speak
	// of an input name it.
	Line uint64
	// Time is when it happened, in nanoseconds since 1970 UTC, 0 if it is not
	// known. The engine only carries it.
	Time   int64
	Bettor string
	// Player says that bettors are one person; "" is a person of their own.
	Player string
	Amount int64
	// Missing counts lost cards, 0 if nobody knows how many. (InShoe with ShoeGap)
	Missing int
	// Bettors join a double or a split; nil are all of the hand. (InCall)
	Bettors []string
	// Code is a shoe's own alarm, what is noted, or what was found to be wrong with the
	// record. (InShoe, InNote, InStorage)
	Code string
	// By is who resolves, acknowledges, or deals from now on. (InResolve,
	// InAcknowledge, InDealer, InNote)
	By string
	// Shift is the dealer's. (InDealer)
	Shift string
	// Because is why something irregular is accepted. (InResolve)
	Because string
	// Setup is the setup as it was put in and Rules what it makes of the house's
	// profile. (InSetup)
	Setup *rules.Setup
	Rules *rules.Rules
}

// Seat is whether a bettor sits at the box or stands behind it.
type Seat uint8

// The seats. SeatDefault is seated for the bettor whose stake opens the box, and
// standing for the others.
const (
	SeatDefault Seat = iota
	Seated
	Standing
)

// Unstated is the amount of a stake that nobody has entered: the box is only
// marked as played.
const Unstated int64 = -1
