package store

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/pit/topic"
)

// ErrClosed is a store that was closed.
var ErrClosed = errors.New("the pit's store is closed")

// ErrUnknown is a table or a journal of which nothing is kept.
var ErrUnknown = errors.New("the pit's store does not have it")

// ErrElsewhere is a table that another node writes, or that none does at this moment.
var ErrElsewhere = errors.New("another sabot-pit on the same database writes this table: stop all of them first, or " +
	"wait until this one has taken the table over")

// RewrittenError is a journal that has another record now than the one that is kept, or than
// the one whose hash the table told.
type RewrittenError struct {
	Table   topic.Table
	Journal string
	Record  uint64
	// Kept says that the record is kept: what it was before, only its hash shows.
	Kept bool
}

func (e *RewrittenError) Error() string {
	return fmt.Sprintf("the journal %s of table %s was rewritten: its record %d is not the one that it was; keep "+
		"the table's journal folder, and run sabot journal audit on it", e.Journal, e.Table, e.Record)
}

// RolledBackError is a journal that has fewer records now than it had: an earlier state of it
// was restored.
type RolledBackError struct {
	Table   topic.Table
	Journal string
	// Had is the last record that is known, and Has the journal's last one now, or the last one
	// before those that it lacks.
	Had, Has uint64
	// Kept says that the journal goes on above what is known, so that its records are kept.
	Kept bool
}

func (e *RolledBackError) Error() string {
	if e.Kept {
		return fmt.Sprintf("the journal %s of table %s was rolled back: it goes on without record %d, which the pit "+
			"has. Find out who restored a copy of the table's disk", e.Journal, e.Table, e.Had)
	}
	return fmt.Sprintf("the journal %s of table %s was rolled back: it ends with record %d, and had %d before; the "+
		"pit has the records between. Find out who restored a copy of the table's disk", e.Journal, e.Table,
		e.Has, e.Had)
}

// MissingError is records that do not follow those that are kept: ask for those after Kept.
type MissingError struct {
	Table   topic.Table
	Journal string
	// Kept is the last record that is kept, and First the first that came.
	Kept, First uint64
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("the records of table %s begin with %d, and %d of its journal %s is the last that is kept: "+
		"ask for those after it", e.Table, e.First, e.Kept, e.Journal)
}
