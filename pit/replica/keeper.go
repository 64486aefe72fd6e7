package replica

import (
	"context"
	"errors"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// Keeper is where records are kept: a store.Store. It is called on several goroutines, on one at a time for each table.
type Keeper interface {
	Position(ctx context.Context, table topic.Table) (journal string, record uint64, hash [32]byte, err error)
	Append(context.Context, *store.Batch) (head uint64, err error)
	Witness(ctx context.Context, table topic.Table, head topic.Head, at time.Time) error
	Told(context.Context, topic.Table, store.Told) error
	Doubted(context.Context, topic.Table) (bool, error)
	Unfit(context.Context, error) bool
}

// doubt is what an error of the keeper says of a table's record, which contradicts what is kept of it.
type doubt struct {
	// code is the alert that it raises, "" for none.
	code string
	// kept says that the records are kept all the same.
	kept bool
	// once says that nothing will put it right: it stays until somebody has seen it.
	once bool
}

// doubtOf is nil for an error that is about something else.
func doubtOf(err error) *doubt {
	if rewritten, is := errors.AsType[*store.RewrittenError](err); is {
		return &doubt{code: floor.JournalRewritten, kept: rewritten.Kept}
	}
	if rolled, is := errors.AsType[*store.RolledBackError](err); is {
		return &doubt{code: floor.JournalRolledBack, kept: rolled.Kept}
	}
	if _, is := errors.AsType[*store.UnseenError](err); is {
		return &doubt{code: floor.JournalUnseen, kept: true, once: true}
	}
	if _, is := errors.AsType[*store.MissingError](err); is {
		return &doubt{}
	}
	return nil
}

// Alerts is where alerts are kept, so that a restarted pit knows them.
type Alerts interface {
	KeepAlerts(ctx context.Context, alerts []floor.Alert) error
	OpenAlerts(ctx context.Context) ([]floor.Alert, error)
}

// Nodes are several pits on one database, of which each keeps a part of the tables. [store.Nodes] are.
type Nodes interface {
	// Epoch names the time for which this one keeps a table, 0 while it does not.
	Epoch(topic.Table) int64
	// Live says whether the database is reached.
	Live() bool
	// Say passes on what people have said of alerts for which another one answers, and Heard says that it is kept.
	Say(context.Context, []floor.Word) error
	Heard(context.Context, []floor.Word) error
	// Run has this one take its part of the tables until the context ends.
	Run(context.Context, store.Listener)
}
