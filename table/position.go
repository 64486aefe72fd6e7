package table

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Position is all that a table knows between two inputs, beside its rules: Place makes an
// equal table of it. The round that lies on the table is there as it was dealt, by its
// inputs; what came of them is not repeated. Package notation writes a Position in a line.
type Position struct {
	// Kept is what the table has now. While a round is under way it follows from Before and
	// Inputs, and is left empty.
	Kept Kept
	// Before is what the table had before the round that lies on it, the one under way or
	// the last, and Inputs are those of the round that were not taken back by undo, and its
	// corrections, without their times: none where no round was opened since the set-up.
	Before Kept
	Inputs []vocab.Input
	// Aside are the cards laid aside in this round and since.
	Aside []card.Card

	People
	Alerts []Alert
	Counts []CodeCount

	// Opening says whether the table is open. Configured are the limits that the
	// configuration put in last, zero where nobody has changed any since the set-up.
	Opening    Opening
	Configured Limits
	// Unloaded is what was known of the shoe before it was loaded, nil where that cannot be
	// taken back.
	Unloaded *Unloaded
	// Burning is what is left to be burnt before the next round.
	Burning rules.Burn
	// OneMore: a supervisor lets the next round be dealt though the cut card has come.
	OneMore bool
	// Order is the order in which the shoe deals.
	Order Sequence
	// Adjusted is the input that adjusted a past round last, 0 for none.
	Adjusted uint64
	// Tray is what must be in the tray.
	Tray Tray

	// Held is what holds the table, the oldest first, and Behind what came meanwhile.
	Held   []Irregularity
	Behind []Arrival
	// Unrecorded says that what happens cannot be recorded.
	Unrecorded bool
	// Rejected is why the last input was refused, 0 if it was taken.
	Rejected vocab.Reason
	// Pressed is the last decision that was called, 0 if something has followed it, and
	// PressedAt when, in nanoseconds since 1970 UTC: a press that comes too soon after it
	// contradicts it.
	Pressed   vocab.Call
	PressedAt int64
}

// Position returns all that the table knows. Nothing in it belongs to the engine.
func (t *Table) Position() Position {
	p := Position{
		Aside: copied(t.aside), People: t.people, Alerts: slices.Collect(t.Alerts), Counts: t.alerts.countList(),
		Opening: t.opening, Configured: t.configured, Unloaded: t.unloaded.copied(), Adjusted: t.adjusted,
		Burning: t.burning,
		OneMore: t.oneMore, Order: t.sequence, Tray: t.tray.copied(),
		Held: copied(t.held), Behind: copied(t.behind), Unrecorded: t.unrecorded, Rejected: t.rejected,
	}
	if t.pressStands() {
		p.Pressed, p.PressedAt = t.pressed.call, t.pressed.time
	}
	if len(t.history.inputs) > 0 {
		p.Before = *t.history.beginning()
		p.Before.Waiting, p.Before.Lines = copied(p.Before.Waiting), copied(p.Before.Lines)
	}
	if t.phase == vocab.Idle {
		p.Kept = t.kept
		p.Kept.Waiting, p.Kept.Lines = copied(p.Kept.Waiting), copied(p.Kept.Lines)
	}
	for in := range t.history.all {
		in.Time, in.Line = 0, 0
		if in.Kind == vocab.InHole || in.Card == card.Down {
			in.Code = "" // a seal says nothing without the record that it belongs to
		}
		p.Inputs = append(p.Inputs, in)
	}
	return p
}

// copied is a copy of a list, nil for an empty one.
func copied[T any](list []T) []T { return append([]T(nil), list...) }

// Place makes a table that knows what a position says. The rules are nil for one that was
// never set up. It fails where one of the round's inputs is refused: such a position never
// was.
func Place(r *rules.Rules, p Position) (*Table, error) {
	t := &Table{}
	if r != nil {
		t.setUp(r)
	}
	if err := t.placeRound(&p); err != nil {
		return nil, err
	}
	if t.phase == vocab.Idle {
		t.kept.set(&p.Kept)
	}
	t.know(&p)
	return t, nil
}

// know takes over what is no part of the game.
func (t *Table) know(p *Position) {
	t.opening, t.configured, t.unloaded, t.adjusted = p.Opening, p.Configured, p.Unloaded.copied(), p.Adjusted
	t.burning, t.oneMore, t.sequence, t.tray = p.Burning, p.OneMore, p.Order, p.Tray.copied()
	t.dueBetween()
	t.people, t.alerts = p.People, alerts{}
	t.alerts.restore(p.Alerts, p.Counts)
	t.aside = append(t.aside[:0], p.Aside...)
	t.placeHeld(p)
	t.unrecorded, t.rejected = p.Unrecorded, p.Rejected
	t.pressed = pressed{call: p.Pressed, time: p.PressedAt}
}

// placeHeld takes over what holds the table, and what came meanwhile. Which cards of the
// round these are follows from its inputs; between rounds they are of none.
func (t *Table) placeHeld(p *Position) {
	held, behind := slices.Clone(p.Held), slices.Clone(p.Behind)
	if t.phase != vocab.Idle {
		for i := range min(len(held), len(t.held)) {
			held[i].nth, held[i].again = t.held[i].nth, t.held[i].again
		}
		for i := range min(len(behind), len(t.behind)) {
			behind[i].nth = t.behind[i].nth
		}
	}
	t.held, t.behind = held, behind
}

// placeRound deals the position's round.
func (t *Table) placeRound(p *Position) error {
	if len(p.Inputs) == 0 {
		return nil
	}
	if p.Inputs[0].Kind != vocab.InOpen {
		return errors.New("a round begins with open")
	}
	t.kept.set(&p.Before)
	for i := range p.Inputs {
		in := p.Inputs[i]
		if t.Step(&in); t.rejected != 0 {
			return errors.New("the round's input " + strconv.Itoa(i+1) + ", " + in.Kind.String() + ", is refused: " +
				t.rejected.String())
		}
	}
	return nil
}
