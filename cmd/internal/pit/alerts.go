package pit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
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
		list[i] = store.Alert{ID: a.ID, Table: tile(a.Table), Code: a.Code, Raised: a.Raised, Over: a.Over, Text: text}
	}
	return k.PutAlerts(ctx, list)
}

// OpenAlerts are those that were kept: the open ones, and the last that are over.
func (k keeper) OpenAlerts(ctx context.Context) ([]floor.Alert, error) {
	kept, err := k.Alerts(ctx, recent)
	if err != nil {
		return nil, err
	}
	return alertsOf(kept)
}

// History finds alerts that are over, the latest first.
func (k kept) History(ctx context.Context, s dashboard.AlertSearch) ([]floor.Alert, error) {
	found, err := k.store.AlertHistory(ctx, store.AlertQuery{
		Table: tile(s.Table), OfPit: s.OfPit, Code: s.Code, From: s.From, To: s.To, Skip: s.Skip, Limit: s.Most,
	})
	if err != nil {
		return nil, err
	}
	return alertsOf(found)
}

// tile names a table as the store does, "" for none.
func tile(t topic.Table) string {
	if t == (topic.Table{}) {
		return ""
	}
	return t.String()
}

func alertsOf(kept []store.Alert) ([]floor.Alert, error) {
	list := make([]floor.Alert, len(kept))
	for i, a := range kept {
		if err := json.Unmarshal(a.Text, &list[i]); err != nil {
			return nil, fmt.Errorf("the alert %s in the database: %w", a.ID, err)
		}
	}
	return list, nil
}
