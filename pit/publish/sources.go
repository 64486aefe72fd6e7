package publish

import (
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Journal is where the events come from. Its methods are called from one goroutine at a
// time, except Last, which Stats calls too, Events, which is also called for what is to be
// sent again, and SetCursor and FlushCursors, which may wait for the disk. The others must not wait for a write that is
// under way.
type Journal interface {
	// Events returns at most limit events after the numbered one, in order; none if there
	// are none yet. The lines never change.
	Events(after uint64, limit int) ([]topic.Record, error)
	// Last returns the number of the newest event and when it was recorded; 0 and the zero
	// time before the first.
	Last() (uint64, time.Time, error)
	// Changed returns a channel that is closed when events are added after the call.
	Changed() <-chan struct{}
	// Cursor returns what SetCursor last noted under the name, 0 before that.
	Cursor(name string) (uint64, error)
	// SetCursor notes how far the broker has acknowledged. The note is durable once a
	// later record is, or FlushCursors has returned.
	SetCursor(name string, event uint64) error
	// FlushCursors makes the notes durable.
	FlushCursors() error
}

// State is where the table's view comes from.
type State interface {
	// Latest returns the newest view whose events are all in the journal, durably, with any
	// current trouble; false while there is no view.
	Latest() (topic.Snapshot, bool)
	// Trouble is what currently keeps the table from recording, the same pointer until that
	// changes; nil is nothing. Latest has it too. It comes from memory and does not wait
	// for the journal.
	Trouble() *topic.Trouble
	// Changed returns a channel that is closed when there is a newer view than at the call,
	// or other trouble.
	Changed() <-chan struct{}
}

// Totals is where a table's totals come from.
type Totals interface {
	// Latest returns the newest totals, without site, table and boot; false before they are
	// counted. It does not wait for the journal.
	Latest() (topic.Totals, bool)
	// Changed returns a channel that is closed when there are newer totals than at the call.
	Changed() <-chan struct{}
}

// Condition is what the publisher itself cannot know about the table's health.
type Condition struct {
	Shoe topic.Shoe
	// Opening is nil at a table that is not set up.
	Opening *topic.Opening
	// Computer is nil where its system tells nothing.
	Computer *topic.Computer
	// Head is the journal's last record, nil if unknown. It covers the events that
	// Journal.Last returned before.
	Head *topic.Head
	// Away is the last record before those that the journal's folder has, 0 if it has all, and AwayBefore what that was
	// when the table's program started.
	Away, AwayBefore uint64
	// Commands is nil at a table that takes none.
	Commands *topic.Commands
	// Reasons are the codes of what is wrong with the table, as its page /health has them.
	Reasons []string
	// LastError is the last thing that went wrong outside the publisher, nil for nothing.
	LastError *topic.Fault
}

// CursorName is the publisher's cursor among others in the journal.
const CursorName = "mqtt"
