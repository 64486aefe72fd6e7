package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// recent is how many alerts that are over the floor remembers from before a start.
const recent = 500

// KeepAlerts keeps alerts as they are now.
func (s *Store) KeepAlerts(ctx context.Context, alerts []floor.Alert) error {
	err := s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for i := range alerts {
			a := &alerts[i]
			text, err := json.Marshal(a)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx,
				`INSERT INTO alert (id, tile, code, raised, over, text) VALUES ($1, $2, $3, $4, $5, $6)
				ON CONFLICT (id) DO UPDATE SET raised = excluded.raised, over = excluded.over, text = excluded.text`,
				a.ID, tile(a.Table), a.Code, a.Raised.UnixNano(), unix(a.Over), string(text)); err != nil {
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

// tile names a table as topic.Table writes it, "" for the pit itself.
func tile(t topic.Table) string {
	if t == (topic.Table{}) {
		return ""
	}
	return t.String()
}

// OpenAlerts are those that are open, and the last ones that are over.
func (s *Store) OpenAlerts(ctx context.Context) ([]floor.Alert, error) {
	open, err := s.alerts(ctx, `WHERE over = 0`)
	if err != nil {
		return nil, err
	}
	over, err := s.alerts(ctx, `WHERE over > 0 ORDER BY over DESC LIMIT $1`, recent)
	return append(open, over...), err
}

// AlertQuery is which past alerts are looked for. What is zero is not asked for.
type AlertQuery struct {
	// Table is where; OfPit asks for those of the pit itself.
	Table topic.Table
	OfPit bool
	Code  string
	// From and To are when it came first: from the one, and before the other.
	From, To time.Time
	// Skip is how many are skipped, and Limit how many are returned at most.
	Skip, Limit int
}

// AlertHistory finds alerts that are over, the latest first.
func (s *Store) AlertHistory(ctx context.Context, q AlertQuery) ([]floor.Alert, error) {
	where, args := []string{"over > 0"}, []any{q.Limit, q.Skip}
	only := func(what string, value any) {
		args = append(args, value)
		where = append(where, fmt.Sprintf("%s $%d", what, len(args)))
	}
	if q.Table != (topic.Table{}) || q.OfPit {
		only("tile =", tile(q.Table))
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

func (s *Store) alerts(ctx context.Context, which string, args ...any) (list []floor.Alert, err error) {
	err = eachRow(ctx, s.read, `SELECT id, text FROM alert `+which, args, func(scan func(...any) error) error {
		var id, text string
		if err := scan(&id, &text); err != nil {
			return err
		}
		var a floor.Alert
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			return fmt.Errorf("the alert %s in the database: %w", id, err)
		}
		list = append(list, a)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the floor's alerts: %w", err)
	}
	return list, nil
}
