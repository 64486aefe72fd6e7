package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Alert is an alert of the floor, as its model writes it.
type Alert struct {
	ID string
	// Over is when it was put right and seen, zero while it is open.
	Over time.Time
	// Text is the alert as JSON.
	Text []byte
}

// PutAlerts keeps alerts as they are now.
func (s *Store) PutAlerts(ctx context.Context, alerts []Alert) error {
	err := s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, a := range alerts {
			var over int64
			if !a.Over.IsZero() {
				over = a.Over.UnixNano()
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO alert (id, over, text) VALUES ($1, $2, $3)
				ON CONFLICT (id) DO UPDATE SET over = excluded.over, text = excluded.text`, a.ID, over, string(a.Text)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep the floor's alerts: %w", err)
	}
	return nil
}

// Alerts are those that are open, and the last ones that are over, at most so many.
func (s *Store) Alerts(ctx context.Context, most int) (list []Alert, err error) {
	read := func(scan func(...any) error) error {
		var a Alert
		var over int64
		var text string
		err := scan(&a.ID, &over, &text)
		if a.Text = []byte(text); over != 0 {
			a.Over = time.Unix(0, over)
		}
		list = append(list, a)
		return err
	}
	if err = eachRow(ctx, s.read, `SELECT id, over, text FROM alert WHERE over = 0`, nil, read); err == nil {
		err = eachRow(ctx, s.read, `SELECT id, over, text FROM alert WHERE over > 0 ORDER BY over DESC LIMIT $1`, []any{most}, read)
	}
	if err != nil {
		return nil, fmt.Errorf("read the floor's alerts: %w", err)
	}
	return list, nil
}
