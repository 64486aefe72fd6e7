package pit

import (
	"context"
	"errors"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// rounds is the store with the houses by whose rules its rounds may have been played.
type rounds struct {
	*store.Store
	houses profile.Book
}

// Recall reads a journal that is kept, as the table itself would.
func (p rounds) Recall(ctx context.Context, table topic.Table, journal string) (web.Recall, error) {
	j, err := p.records(ctx, table, journal)
	if err != nil || j == nil {
		return nil, err
	}
	return recall.New(j, p.houses), nil
}

// records opens a journal that is kept; it is nil for one that is not.
func (p rounds) records(ctx context.Context, table topic.Table, journal string) (recall.Records, error) {
	j, err := p.Records(ctx, table, journal)
	switch {
	case errors.Is(err, store.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return j, nil
}

// liveOf is by what tables are shown as their records have them.
func liveOf(kept *store.Store, houses profile.Book) replica.LiveSource {
	day := kept.Day()
	return replica.LiveSource{
		Records: rounds{kept, houses}.records, Houses: houses,
		DayOf: func(at time.Time) time.Time { return day.Start(day.Of(at)) },
	}
}
