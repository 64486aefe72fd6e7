package table

import "github.com/sabot-table/sabot/table/vocab"

// Opening is whether the table is open. The zero Opening is a table that nobody has opened
// or closed: it is open.
type Opening struct {
	Closed bool `json:"closed,omitempty"`
	// Dealer dealt when it was opened or closed, and By did that, "" if the configuration
	// did.
	Dealer string `json:"dealer,omitempty"`
	By     string `json:"by,omitempty"`
	// At is when, in nanoseconds since 1970 UTC, 0 where the input carried no time.
	At int64 `json:"at,omitempty"`
}

// Opening returns whether the table is open, and who opened or closed it last.
func (t *Table) Opening() Opening { return t.opening }

// tableTold opens or closes the table. A closed table opens no bets.
func (t *Table) tableTold(in *vocab.Input) vocab.Reason {
	closes := in.Table.Event == vocab.TableClosed
	switch reason := t.betweenRounds(); {
	case reason != 0:
		return reason
	case closes && t.opening.Closed:
		return vocab.TableIsClosed
	case !closes && !t.opening.Closed:
		return vocab.TableIsOpen
	}
	t.turn(in.Table, in)
	return 0
}

// turn opens or closes the table in the name of who has put an input in.
func (t *Table) turn(to vocab.TableChange, in *vocab.Input) {
	t.opening = Opening{Closed: to.Event == vocab.TableClosed, Dealer: to.Dealer, By: in.By, At: in.Time}
	t.emit(vocab.TableChanged).Trouble = &vocab.Trouble{Table: to, By: in.By}
}

// betweenRounds says why nothing of the table itself can be changed now. Whether the shoe
// can be reached, and how the record fares, has no say in it.
func (t *Table) betweenRounds() vocab.Reason {
	switch {
	case t.phase != vocab.Idle:
		return vocab.RoundRunning
	case !t.heldByRecord() || len(t.behind) > 0:
		return vocab.RoundHeld
	}
	return 0
}
