package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"
)

// Alert is an alert of the floor, as its model writes it.
type Alert struct {
	ID string
	// Table is where, as topic.Table writes it, "" for the pit itself.
	Table string
	Code  string
	// Raised is when it came first.
	Raised time.Time
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
			if _, err := tx.ExecContext(ctx,
				`INSERT INTO alert (id, tile, code, raised, over, text) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (id) DO UPDATE SET raised = excluded.raised, over = excluded.over, text = excluded.text`,
				a.ID, a.Table, a.Code, a.Raised.UnixNano(), over, string(a.Text)); err != nil {
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
func (s *Store) Alerts(ctx context.Context, most int) ([]Alert, error) {
	open, err := s.alerts(ctx, `WHERE over = 0`)
	if err != nil {
		return nil, err
	}
	over, err := s.alerts(ctx, `WHERE over > 0 ORDER BY over DESC LIMIT $1`, most)
	return append(open, over...), err
}

// AlertQuery is which past alerts are looked for. What is zero is not asked for.
type AlertQuery struct {
	// Table is where, as topic.Table writes it; OfPit asks for those of the pit itself.
	Table string
	OfPit bool
	Code  string
	// From and To are when it came first: from the one, and before the other.
	From, To time.Time
	// Skip is how many are skipped, and Limit how many are returned at most.
	Skip, Limit int
}

// AlertHistory finds alerts that are over, the latest first.
func (s *Store) AlertHistory(ctx context.Context, q AlertQuery) ([]Alert, error) {
	where, args := []string{"over > 0"}, []any{q.Limit, q.Skip}
	only := func(what string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf("%s $%d", what, len(args)))
	}
	if q.Table != "" || q.OfPit {
		only("tile =", q.Table)
	}
	if q.Code != "" {
		only("code =", q.Code)
	}
	if !q.From.IsZero() {
		only("raised >=", q.From.UnixNano())
	}
	if !q.To.IsZero() {
		only("raised <", q.To.UnixNano())
	}
	return s.alerts(ctx, `WHERE `+strings.Join(where, " AND ")+` ORDER BY raised DESC, id DESC LIMIT $1 OFFSET $2`,
		args...)
}

func (s *Store) alerts(ctx context.Context, which string, args ...any) (list []Alert, err error) {
	err = eachRow(ctx, s.read, `SELECT id, tile, code, raised, over, text FROM alert `+which, args,
		func(scan func(...any) error) error {
			var a Alert
			var raised, over int64
			var text string
			err := scan(&a.ID, &a.Table, &a.Code, &raised, &over, &text)
			a.Raised, a.Text = time.Unix(0, raised), []byte(text)
			if over != 0 {
				a.Over = time.Unix(0, over)
			}
			list = append(list, a)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("read the floor's alerts: %w", err)
	}
	return list, nil
}
