// Package tally counts what the rounds of a table came to: a fold over its records, in their
// order. It is pure: values in, values out. It decides nothing, and reads no rules: what a
// wager came to is what the table has told.
package tally

import (
	"cmp"
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Record is one record of a table's journal, as the fold takes it.
type Record struct {
	// Seq is its number.
	Seq uint64
	// At is when the table took the input.
	At time.Time
	// In is the input. Its Rules, if they are known, say which game is played.
	In *vocab.Input
	// Outs are what the table answered. They are not kept.
	Outs []vocab.Output
	// Rules is the fingerprint of the rules that come into force with the record, "" for
	// those that were.
	Rules string
}

// Round is what a round came to: as it holds in the end, after what was undone and corrected.
type Round struct {
	Number uint64
	// First and Last are its records, from the opening to the one that ended it.
	First, Last   uint64
	Opened, Ended time.Time
	// Dealer dealt, in Shift, when the round was opened; "" if nobody had said so.
	Dealer, Shift string
	House         string
	// Game is the name of the game, "" where the set-up's rules are not known.
	Game string
	// Rules is the fingerprint of the house's rules.
	Rules string
	// Currency is that of all amounts, "" where it is not known.
	Currency string
	// Boxes, Hands and Bettors count those that were played: a hand that was split is two,
	// and a bettor is one who had a main wager on a box.
	Boxes, Hands, Bettors int
	// Places are the table's boxes, which could have been played; 0 where the rules are not known.
	Places int
	// Dealt is how long the round took, at most MostDealt. Step.Waited tells the rest, when the next
	// round is opened.
	Dealt time.Duration
	// Cards are those that lie on the table in the end, with Jokers that lie aside.
	Cards int
	// Void says that the round was declared void.
	Void bool
	// Wagers has one row for each kind of wager that was decided, by name.
	Wagers []Wager
	// Lays are what lay where, by box: the bank's cards first, and what was laid aside last. It is nil where that is
	// not known.
	Lays []Lay
	// Irregularities are those raised since the end of the round before, so that each is in
	// one round, as far as they were put right by the end of this one.
	Irregularities []Irregularity
	Calls
	// Corrected is how often the round was corrected.
	Corrected int
	// Tray is what it has done to the tray, nil where that was not counted before it.
	Tray *InTray
}

// Calls are the calls that guests made for their hands and that stand.
type Calls struct {
	// Decisions counts them, and Deciding is how long they took together, from when a call was due.
	Decisions int           `json:"decisions,omitempty"`
	Deciding  time.Duration `json:"deciding,omitempty"`
}

func (c *Calls) add(more Calls) {
	c.Decisions += more.Decisions
	c.Deciding += more.Deciding
}

// Wager is what the wagers of one kind came to in a round. Amounts are in minor units. The
// house's result is Staked - Returned.
type Wager struct {
	// Wager is its name in transcripts.
	Wager string
	// Count is how many were decided: a main wager on each hand of each bettor is one.
	Count int64
	// Staked is what was staked in the end, with doubles and splits, and Returned what the
	// guests got: what came back of the stakes, and all that was won, with bonuses.
	Staked, Returned int64
	// Due is what Returned would be if everything had been paid as it was due.
	Due int64
	// Kept is Staked - Returned if the round was declared void: what was decided before.
	Kept int64
	// Dead and DeadReturned are those of Staked and Returned that are of wagers that were declared dead: nobody has
	// played them.
	Dead, DeadReturned int64
	// Unknown counts those of Count whose amount nobody entered. They add nothing to Staked
	// and Returned.
	Unknown int64
	// BoxSquares is the sum over the boxes of the square of what was staked on the box and played, in minor
	// units squared.
	BoxSquares float64
}

// Bank and Aside stand for the number of a box: the bank's cards, and those that were laid aside before no box.
const (
	Bank  uint8 = 0
	Aside uint8 = 255
)

// Lay is what lay on a box.
type Lay struct {
	Box uint8
	// Staked and Returned are of all that was decided on the box, as a Wager's.
	Staked, Returned int64
	// Cards lie there in the end, in the order in which they were dealt.
	Cards []card.Card
}

// On is what lay on a box of a list that is ordered by box, which it returns; the box is added where it is missing.
func On(list []Lay, box uint8) ([]Lay, *Lay) {
	at, found := slices.BinarySearchFunc(list, box, func(have Lay, box uint8) int { return cmp.Compare(have.Box, box) })
	if !found {
		list = slices.Insert(list, at, Lay{Box: box})
	}
	return list, &list[at]
}

// MostDealt is the longest time counted as dealing, from the opening of a round to that of the next: a
// table that waits longer stands idle.
const MostDealt = 5 * time.Minute

// Last is the last round that has ended, as far as it says whose the time is until the next one.
type Last struct {
	Opened   time.Time     `json:"opened"`
	Dealt    time.Duration `json:"dealt,omitempty"`
	Dealer   string        `json:"dealer,omitempty"`
	House    string        `json:"house,omitempty"`
	Game     string        `json:"game,omitempty"`
	Rules    string        `json:"rules,omitempty"`
	Currency string        `json:"currency,omitempty"`
}

// Waited is how much longer was dealt in a round than until its end: until the next was opened.
type Waited struct {
	Last
	More time.Duration
}

// Add adds wagers to a list that is ordered by name, which it returns.
func Add(list []Wager, more ...Wager) []Wager {
	for _, w := range more {
		at, found := slices.BinarySearchFunc(list, w.Wager, func(have Wager, name string) int {
			return cmp.Compare(have.Wager, name)
		})
		if !found {
			list = slices.Insert(list, at, Wager{Wager: w.Wager})
		}
		have := &list[at]
		have.Count += w.Count
		have.Staked += w.Staked
		have.Returned += w.Returned
		have.Due += w.Due
		have.Kept += w.Kept
		have.Dead += w.Dead
		have.DeadReturned += w.DeadReturned
		have.Unknown += w.Unknown
		have.BoxSquares += w.BoxSquares
	}
	return list
}

// Adjustment is what was paid of a wager of a past round after its end.
type Adjustment struct {
	Record uint64
	At     time.Time
	// Round is the past round.
	Round uint64
	// Opened is when the past round was opened, as far as the fold knows: At for one before the last, zero for one that
	// the fold has not seen.
	Opened time.Time
	// Box is on which it was. Wager is its name in transcripts, and Amount what was paid; below zero, what was taken.
	Box    uint8
	Wager  string
	Amount int64
	// Dealer deals, in Shift, by these rules, when it is made.
	Dealer, Shift, House, Game, Rules, Currency string
}

// Paid is a wager with which Add counts the adjustment.
func (a *Adjustment) Paid() Wager { return Wager{Wager: a.Wager, Returned: a.Amount} }

// Irregularity is something that went wrong, and how it was put right. Record and Nth name
// it: it is the nth output of the record, from 0.
type Irregularity struct {
	Record uint64            `json:"record"`
	Nth    int               `json:"nth,omitempty"`
	Code   irregularity.Code `json:"code"`
	// Alarm is the shoe's own name for its alarm.
	Alarm string `json:"alarm,omitempty"`
	// Round is the round in which it was raised, or after which: 0 before the first.
	Round  uint64    `json:"round,omitempty"`
	Raised time.Time `json:"raised"`
	Dealer string    `json:"dealer,omitempty"`
	Box    uint8     `json:"box,omitempty"`
	// Righted is when it was put right, zero while it is not, with the choice With, by By:
	// nobody where the table saw by itself that its cause was gone.
	Righted time.Time           `json:"righted,omitzero"`
	With    irregularity.Choice `json:"with,omitempty"`
	By      string              `json:"by,omitempty"`
	Because string              `json:"because,omitempty"`
}

// Step is what one record changed.
type Step struct {
	// Ended is the round that the record ended, nil for none.
	Ended *Round
	// Reopened is the round whose payment the record took back, as it was counted before: it is under way again. It is
	// nil for none.
	Reopened *Round
	// Meter is what the record tells of a jackpot of several tables.
	Meter []Meter
	// Adjusted is what the record has paid or taken of a past round, nil for nothing.
	Adjusted *Adjustment
	// Tray is what the record has done to the tray, nil for nothing.
	Tray *TrayEvent
	// Raised and Righted are the irregularities that the record raised and put right.
	Raised, Righted []Irregularity
	// Waited is of the round before the one that the record opened, nil for none.
	Waited *Waited
	// SetUp says that the record has set the table up: from it on another house may be played, in another currency.
	SetUp bool
	// Gone is a set-up by which the table has another money: the tray and the drop box of the one before, which it
	// names, are not those of the table any more. It is nil for none.
	Gone *TrayEvent
}
