package pit

import (
	"context"
	"errors"

	"github.com/sabot-table/sabot/display/web"
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
	j, err := p.Records(ctx, table, journal)
	switch {
	case errors.Is(err, store.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return recall.New(j, p.houses), nil
}
