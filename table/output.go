package table

import (
	"github.com/sabot-table/sabot/shoe/card"
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
)

var kindNames = []string{
	Opened: "opened", ClosedBets: "closed-bets", Rejected: "rejected", Dealt: "dealt", DueChanged: "due",
	HandDone: "done", Irregular: "irregular", Resolved: "resolved", Undone: "undone", Settled: "settled",
	Bonus: "bonus", RoundDecided: "round", Finished: "finished",
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
	Input   InputKind
	Call    Call
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
	Code     Code   // Irregular, Resolved
	With     Choice // Resolved
	Round    uint64 // Opened, RoundDecided, Finished
	Line     uint64 // Rejected
	Bettor   string // Settled, Bonus
	// Stake, Returned and Won are of one wager (Settled); a bettor gets
	// Returned + Won.
	Stake, Returned, Won int64
	// Odds are those of a win on an unstated amount. (Settled, Bonus)
	Odds     money.Ratio
	*Trouble // Irregular, Resolved
	*Result  // RoundDecided
}

// Trouble is what an Irregular or Resolved output tells beside its code.
type Trouble struct {
	Choices Choices // Irregular
	// Missing counts lost cards; 0 if nobody knows how many. (Irregular)
	Missing uint32
	// Alarm is the shoe's own name for its alarm. (Irregular)
	Alarm string
	By    string // Resolved
}

// Result is how a round ended. It belongs to the engine: copy what is to last past
// the next Step.
type Result struct {
	Bank []card.Card // the bank's cards
	Sums Sums
}

// Choices are the ways to put an irregularity right, the first being proposed.
type Choices struct {
	list [4]Choice
	n    uint8
}

func choices(list ...Choice) Choices {
	var c Choices
	c.n = uint8(copy(c.list[:], list))
	return c
}

// All yields the choices in order.
func (c Choices) All(yield func(Choice) bool) {
	for _, one := range c.list[:c.n] {
		if !yield(one) {
			return
		}
	}
}

// Has says whether the choice is among them.
func (c Choices) Has(choice Choice) bool {
	for one := range c.All {
		if one == choice {
			return true
		}
	}
	return false
}

// without returns the choices but one.
func (c Choices) without(choice Choice) Choices {
	var rest Choices
	for one := range c.All {
		if one != choice {
			rest.list[rest.n] = one
			rest.n++
		}
	}
	return rest
}
