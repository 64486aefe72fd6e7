package replica

import (
	"context"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// Keeper is where records are kept. It is called on one goroutine.
type Keeper interface {
	// Position is how far a table's present journal is kept, zero for not at all.
	Position(ctx context.Context, table topic.Table) (Position, error)
	// Append keeps records, durably. A *DoubtError says that they contradict what is kept, an *UnfitError that they
	// cannot be; after any other error the store cannot be used, and they are asked for again.
	Append(ctx context.Context, records topic.Records) error
	// Witness keeps what a table told of its journal. A *DoubtError says that it contradicts what is known, an
	// *UnfitError that it cannot be kept.
	Witness(ctx context.Context, table topic.Table, told Told) error
	// Doubted says whether a table's journal was found to be rewritten or rolled back, and nobody has accepted it
	// since.
	Doubted(ctx context.Context, table topic.Table) (bool, error)
}

// DoubtError is a table's record that contradicts what is kept of it.
type DoubtError struct {
	// Code is the alert that it raises, such as [floor.JournalRewritten]; "" for none.
	Code string
	// Kept says that the records are kept all the same.
	Kept bool
	// Once says that nothing will put it right: it stays until somebody has seen it.
	Once bool
	Err  error
}

func (e *DoubtError) Error() string { return e.Err.Error() }

func (e *DoubtError) Unwrap() error { return e.Err }

// UnfitError is what a table sent that cannot be kept, though the store works: no other table waits for that.
type UnfitError struct{ Err error }

func (e *UnfitError) Error() string { return e.Err.Error() }

func (e *UnfitError) Unwrap() error { return e.Err }

// Alerts is where alerts are kept, so that a restarted pit knows them.
type Alerts interface {
	KeepAlerts(ctx context.Context, alerts []floor.Alert) error
	OpenAlerts(ctx context.Context) ([]floor.Alert, error)
}
