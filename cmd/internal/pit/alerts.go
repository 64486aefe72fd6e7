package pit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
)

// recent is how many alerts that are over the floor remembers from before a start.
const recent = 500

// KeepAlerts keeps alerts as they are now.
func (k keeper) KeepAlerts(ctx context.Context, alerts []floor.Alert) error {
	list := make([]store.Alert, len(alerts))
	for i, a := range alerts {
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		list[i] = store.Alert{ID: a.ID, Over: a.Over, Text: text}
	}
	return k.PutAlerts(ctx, list)
}

// OpenAlerts are those that were kept: the open ones, and the last that are over.
func (k keeper) OpenAlerts(ctx context.Context) ([]floor.Alert, error) {
	kept, err := k.Alerts(ctx, recent)
	if err != nil {
		return nil, err
	}
	list := make([]floor.Alert, len(kept))
	for i, a := range kept {
		if err := json.Unmarshal(a.Text, &list[i]); err != nil {
			return nil, fmt.Errorf("the alert %s in the database: %w", a.ID, err)
		}
	}
	return list, nil
}
