package vocab

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
)

// Kind says what an output tells.
type Kind uint8

// The outputs.
const (
	Opened Kind = iota + 1
	ClosedBets
	Rejected
	Dealt
	DueChanged
	HandDone
	Irregular
	Resolved
	Undone
	Settled
	Bonus
	RoundDecided
	Finished
	Acknowledged
	DealerChanged
)

var kindNames = []string{
	Opened: "opened", ClosedBets: "closed-bets", Rejected: "rejected", Dealt: "dealt", DueChanged: "due",
	HandDone: "done", Irregular: "irregular", Resolved: "resolved", Undone: "undone", Settled: "settled",
	Bonus: "bonus", RoundDecided: "round", Finished: "finished",
	Acknowledged: "acknowledged", DealerChanged: "dealer",
}

// String returns the output's name in transcripts.
func (k Kind) String() string { return nameOf(kindNames, k) }

// Output is one thing that follows from an input. Which fields mean something
// depends on Kind, as a transcript's line does. All amounts are in minor units.
type Output struct {
	Kind   Kind
	Reason Reason    // Rejected
	Card   card.Card // Dealt, Irregular
	To     To        // Dealt, DueChanged
	// Box is a box's number, from 1; 0 for none.
	Box uint8
	// Hand is a hand's number on its box, from 1; 0 for none.
	Hand  uint8
	Total uint8 // Dealt, RoundDecided
	// Soft says that an ace counts eleven in Total. (Dealt)
	Soft bool
	// Points says that Total are points of Black James. (Dealt)
	Points bool
	Done   Done // HandDone
	// Input and Call say what was taken back. (Undone)
	Input InputKind
	Call  Call
	// Allowed are the calls that may be taken, or that contradict each other.
	// (DueChanged, Irregular with ContradictoryKeys)
	Allowed Calls
	Wager   Wager   // Settled, Bonus
	Outcome Outcome // Settled
	Why     Why     // Settled, Bonus
	// Rounded says that the payout did not come out even. (Settled)
	Rounded bool
	// Unstated says that nobody knows the amounts: the box was only marked as
	// played. Odds then say what is paid, and Times how often the stake lies there.
	// (Settled, Bonus, RoundDecided)
	Unstated bool
	Times    uint8
	Code     irregularity.Code   // Irregular, Resolved, Acknowledged
	With     irregularity.Choice // Resolved
	Round    uint64              // Opened, RoundDecided, Finished
	Line     uint64              // Rejected
	Bettor   string              // Settled, Bonus
	// Stake, Returned and Won are of one wager (Settled); a bettor gets
	// Returned + Won.
	Stake, Returned, Won int64
	// Odds are those of a win on an unstated amount. (Settled, Bonus)
	Odds     money.Ratio
	*Trouble // Irregular, Resolved, Undone, Acknowledged, DealerChanged
	*Result  // RoundDecided
}

// Trouble is what an output tells about what went wrong and who saw to it.
type Trouble struct {
	Choices irregularity.Choices // Irregular
	// Missing counts lost cards; 0 if nobody knows how many. (Irregular)
	Missing uint32
	// Alarm is the shoe's own name for its alarm. (Irregular)
	Alarm string
	// Found is what is wrong with the record, for people. (Irregular)
	Found string
	// By is who put it right or acknowledged it, or who deals. (Resolved,
	// Acknowledged, DealerChanged)
	By string
	// Because is why something irregular was accepted. (Resolved)
	Because string
	Shift   string // DealerChanged
	// Was and Now are what was due before a correction and is due after it.
	// (Undone)
	Was, Now Due
}

// Result is how a round ended. It belongs to the engine: copy what is to last past
// the next Step.
type Result struct {
	Bank []card.Card // the bank's cards
	Sums Sums
}

// Sums are the amounts of a round over all its decided wagers.
type Sums struct {
	Staked, Returned, Won int64
	// Unstated says that some amount is not known, and the sums are none.
	Unstated bool
}

// Due is the one set of things that may come next. (See the transcript's "due".)
type Due struct {
	To   To
	Box  uint8
	Hand uint8
	// Allowed are the calls that may be taken; only with ToCall.
	Allowed Calls
}
