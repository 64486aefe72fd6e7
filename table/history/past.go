// Package history is a round as the record has it: plain values for whoever looks back,
// such as a pit boss at a dispute. It is made of recorded lines alone. It knows no
// rules and computes no result, and a line of a kind that it does not know is kept
// like all others.
package history

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Round is one round, from the opening of its bets to the last record before the
// next. All amounts are in minor units.
type Round struct {
	Number uint64 `json:"round"`
	// Began is when its bets were opened, and Ended when it was closed: zero while it
	// is not.
	Began time.Time `json:"began,omitzero"`
	Ended time.Time `json:"ended,omitzero"`
	// Void says that somebody declared it void.
	Void  bool  `json:"void,omitempty"`
	Table Table `json:"table"`
	// Dealer dealt, in Shift, when the round began; "" if nobody had said so.
	Dealer string `json:"dealer,omitempty"`
	Shift  string `json:"shift,omitempty"`
	// Shoes are the one from which it was dealt when it began and those that took its place,
	// or were told to be something else, before it was closed; none if nobody had said which.
	Shoes []Shoe `json:"shoes,omitempty"`
	// Boxes are those that were played, in their order.
	Boxes []Box `json:"boxes"`
	// Result is the round's line of sums, nil before its last wager is decided.
	Result *Line `json:"result,omitempty"`
	// Irregular are the codes of what went wrong, in order.
	Irregular []irregularity.Code `json:"irregular,omitempty"`
	// Adjusted is what was paid or taken of it after its end, in the order in which that was. Other records tell of it,
	// so the caller adds it.
	Adjusted []Adjustment `json:"adjusted,omitempty"`
	Steps    []Step       `json:"steps"`
}

// In is the round with its times as the clock of a zone tells them.
func (r Round) In(zone *time.Location) Round {
	r.Began, r.Ended = r.Began.In(zone), r.Ended.In(zone)
	r.Adjusted, r.Steps = slices.Clone(r.Adjusted), slices.Clone(r.Steps)
	for i := range r.Adjusted {
		r.Adjusted[i].At = r.Adjusted[i].At.In(zone)
	}
	for i := range r.Steps {
		r.Steps[i].At = r.Steps[i].At.In(zone)
	}
	return r
}

// Finished says that the round was closed.
func (r *Round) Finished() bool { return !r.Ended.IsZero() }

// Table is what was set up when the round began, as far as it is known: Min, BoxMax
// and Unit are 0 where the record leaves them to a house's profile that is not at
// hand.
type Table struct {
	House string `json:"house"`
	// Profile is the fingerprint of the house's rules.
	Profile  string `json:"profile,omitempty"`
	Currency string `json:"currency,omitempty"`
	Min      int64  `json:"min,omitempty"`
	BoxMax   int64  `json:"box_max,omitempty"`
	Unit     int64  `json:"unit,omitempty"`
}

// Shoe is which shoe deals, and the packs in it, as LoadedBy said; "" for what is not known.
type Shoe struct {
	Maker    string `json:"maker,omitempty"`
	Serial   string `json:"serial,omitempty"`
	Firmware string `json:"firmware,omitempty"`
	Packs    string `json:"packs,omitempty"`
	LoadedBy string `json:"loaded_by,omitempty"`
}

// ShoeOf is the shoe that an output tells of.
func ShoeOf(out *vocab.Output) Shoe {
	return Shoe{
		Maker: out.Shoe.Maker, Serial: out.Shoe.Serial, Firmware: out.Shoe.Firmware, Packs: out.Shoe.Packs,
		LoadedBy: out.By,
	}
}

// Box is what lay on a box, and what became of it.
type Box struct {
	Number int `json:"box"`
	// Stakes are as they stood when they were placed last, in the order of the
	// bettors: doubles, splits and insurance come later, and stand in Settled.
	Stakes []Stake `json:"stakes"`
	// Settled are the decided wagers and the bonuses, without those that were taken
	// back.
	Settled []Line `json:"settled,omitempty"`
	// Paid tells of which of them something else was paid than was due.
	Paid []Line `json:"paid,omitempty"`
}

// PaidOn is what tells that something else was paid on a decided wager than was due, nil where nothing does.
func (b *Box) PaidOn(settled *Line) *Line {
	of := &settled.Out
	for i := range b.Paid {
		if p := &b.Paid[i].Out; p.Hand == of.Hand && p.Bettor == of.Bettor && p.Wager == of.Wager && p.Why == of.Why {
			return &b.Paid[i]
		}
	}
	return nil
}

// Over is how much more was paid in the round than was due, and whether anything else was paid.
func (r *Round) Over() (more int64, other bool) {
	for i := range r.Boxes {
		for k := range r.Boxes[i].Paid {
			out := &r.Boxes[i].Paid[k].Out
			more, other = more+out.Payment.Given-out.Payment.Owed, true
		}
	}
	return more, other
}

// Adjustment is what a supervisor paid or took of a wager of the round after its end.
type Adjustment struct {
	// Seq is its record in the journal, and In the round in which it was made, or after which.
	Seq  uint64    `json:"seq"`
	At   time.Time `json:"at"`
	In   uint64    `json:"in_round"`
	Line Line      `json:"line"`
}

// Later sums what was paid of the round after its end.
func (r *Round) Later() (sum int64) {
	for i := range r.Adjusted {
		sum += r.Adjusted[i].Line.Out.Adjusted
	}
	return sum
}

// NewAdjustment is one of which a line of a record tells, in a round or after it.
func NewAdjustment(seq uint64, at int64, in uint64, line Line) Adjustment {
	return Adjustment{seq, time.Unix(0, at), in, line}
}

// Stake is one wager as it was placed. Amount is nil if nobody entered one.
type Stake struct {
	Bettor string      `json:"bettor"`
	Wager  vocab.Wager `json:"wager"`
	Amount *int64      `json:"amount"`
}

// Step is one record: what was put in, and all that was answered.
type Step struct {
	// Seq is the record's number in the journal.
	Seq     uint64    `json:"seq"`
	At      time.Time `json:"at"`
	Input   Line      `json:"input"`
	Outputs []Line    `json:"outputs,omitempty"`
	// Box and Hand say whose the turn was when the input came, 0 if it was nobody's.
	Box  int `json:"turn_box,omitempty"`
	Hand int `json:"turn_hand,omitempty"`
	// TakenBack is the record that took the input back, with all that followed from
	// it; 0 if none did.
	TakenBack uint64 `json:"taken_back,omitempty"`
	// Corrected is the record that corrected the round next, and took back the cards, hands and
	// wagers that were told with this step, to tell again those that hold; 0 if none did.
	Corrected uint64 `json:"corrected,omitempty"`
	// After says that the round was closed by then.
	After bool `json:"after,omitempty"`
}

// Rejected says whether the input was refused.
func (s *Step) Rejected() bool {
	return slices.ContainsFunc(s.Outputs, func(o Line) bool { return o.Out.Kind == vocab.Rejected })
}

// Back returns the record that took an output of the step back, 0 if none did.
func (s *Step) Back(k vocab.Kind) uint64 {
	if s.TakenBack == 0 && k.ToldAgain() {
		return s.Corrected
	}
	return s.TakenBack
}

// ErrNoRound is a round that the journal does not have.
var ErrNoRound = errors.New("no such round")

// NoRound is the ErrNoRound for a round when the journal's last one is another.
func NoRound(number, last uint64) error {
	if last == 0 {
		return fmt.Errorf("%w: no round has been opened yet", ErrNoRound)
	}
	return fmt.Errorf("%w as %d: the last round is %d", ErrNoRound, number, last)
}
